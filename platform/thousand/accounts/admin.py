from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.accounts.models import ApiToken, OrganiserLink, User
from thousand.accounts.services import erase_account, revoke_api_token
from thousand.core.errors import NotFoundError


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts. Erasing goes through the service, so that no artifact or log stays behind."""

    list_display = ["username", "public_id", "is_staff", "is_active", "date_joined", "last_login"]
    search_fields = ["username", "public_id", "email"]
    actions = ["erase"]

    @admin.action(
        description=gettext_lazy("Erase accounts; results stay under “deleted”"), permissions=["delete"]
    )
    def erase(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        users = [user for user in queryset if user != request.user]
        for user in users:
            erase_account(user=user)
        self.message_user(request, _("Erased {count} accounts.").format(count=len(users)))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Only the action above deletes: the plain delete page would leave artifacts and logs behind."""
        return obj is None and super().has_delete_permission(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        self.erase(request, queryset)


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Tokens can be looked at and revoked, never made for somebody else."""

    list_display = ["name", "prefix", "user", "created_at", "last_used_at", "revoked_at"]
    list_select_related = ["user"]
    list_filter = ["revoked_at"]
    search_fields = ["name", "prefix", "user__username"]
    actions = ["revoke"]

    @admin.action(description=gettext_lazy("Revoke tokens"), permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        for token in queryset.select_related("user").filter(revoked_at=None):
            try:
                revoke_api_token(user=token.user, prefix=token.prefix)
            except NotFoundError as error:
                self.message_user(request, error.message, messages.WARNING)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ApiToken | None = None) -> bool:
        return False


@admin.register(OrganiserLink)
class OrganiserLinkAdmin(admin.ModelAdmin):
    """When links were made and used."""

    list_display = ["created_at", "expires_at", "used_at"]
    exclude = ["token_hash"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: OrganiserLink | None = None) -> bool:
        return False
