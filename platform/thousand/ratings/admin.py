from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.accounts.models import User
from thousand.core.admin import ReadOnlyAdmin
from thousand.core.errors import ApplicationError
from thousand.matches.models import Block
from thousand.ratings.annulment import annul_block, annul_owner, annul_version, lift_annulment
from thousand.ratings.models import Annulment, LedgerEntry, PoolFit, Rating


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    list_display = (
        "pool", "seq", "kind", "version", "block", "annulment", "initial_rating",
        "annulled_at", "annul_reason",
    )  # fmt: skip
    list_filter = ("kind", ("annulled_at", admin.EmptyFieldListFilter), "pool")
    search_fields = ("block__public_id", "version__public_id", "version__bot__name")
    list_select_related = ("pool", "version__bot", "block", "annulment")


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ("version", "pool", "value", "count", "blocks", "last_seq")
    list_filter = ("pool",)
    list_select_related = ("pool", "version__bot")


@admin.register(PoolFit)
class PoolFitAdmin(ReadOnlyAdmin):
    list_display = ("pool", "seq", "anchor", "shift", "fitted_at", "took_s")
    list_select_related = ("pool", "anchor__bot")


class AnnulmentForm(forms.ModelForm):
    """What to annul, and why: the service decides, and its refusals are the form's errors."""

    block = forms.CharField(
        required=False, help_text=gettext_lazy("Id of a rated block, as its page shows it.")
    )

    class Meta:
        model = Annulment
        fields = ("block", "version", "owner", "reason")

    organiser: Any = None
    """Set by the admin for each request."""

    def clean_block(self) -> Block | None:
        """Find the block by its public id."""
        public_id = self.cleaned_data["block"].strip()
        if not public_id:
            return None
        block = Block.objects.filter(public_id=public_id).first()
        if block is None:
            raise forms.ValidationError(_("There is no block {block}.").format(block=public_id))
        return block

    def clean(self) -> dict[str, Any]:
        """Annul: only here can a refusal still be shown beside what caused it."""
        data: dict[str, Any] = self.cleaned_data
        chosen = [name for name in ("block", "version", "owner") if data.get(name) is not None]
        if self.errors:
            return data
        if len(chosen) != 1:
            raise forms.ValidationError(_("Choose exactly one: a block, a version or an owner."))
        try:
            self.instance = _annul(data, by=self.organiser)
        except ApplicationError as error:
            raise forms.ValidationError(error.message) from None
        return data


def _annul(data: dict[str, Any], *, by: User) -> Annulment:
    if data.get("block") is not None:
        return annul_block(block=data["block"], reason=data["reason"], by=by)
    if data.get("version") is not None:
        return annul_version(version=data["version"], reason=data["reason"], by=by)
    return annul_owner(owner=data["owner"], reason=data["reason"], by=by)


@admin.register(Annulment)
class AnnulmentAdmin(ReadOnlyAdmin):
    form = AnnulmentForm
    list_display = (
        "public_id", "target", "block", "version", "owner", "reason",
        "annulled_at", "annulled_by", "lifted_at", "lifted_by",
    )  # fmt: skip
    list_filter = ("target", ("lifted_at", admin.EmptyFieldListFilter))
    list_select_related = ("block", "version__bot", "owner", "annulled_by", "lifted_by")
    raw_id_fields = ("version", "owner")
    actions = ("lift",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_organise_permission(request)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"organiser": request.user})

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Nothing is left to save: the form's service has done it."""

    @admin.action(description=gettext_lazy("Lift: let it count again"), permissions=["organise"])
    def lift(self, request: HttpRequest, annulments: QuerySet[Annulment]) -> None:
        def service(annulment: Annulment) -> Any:
            return lift_annulment(annulment=annulment, by=cast(User, request.user))

        self.apply(request, annulments, service, _("Annulments lifted: {count}."))
