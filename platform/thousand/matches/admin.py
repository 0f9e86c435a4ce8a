from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.core.admin import ReadOnlyAdmin
from thousand.matches.models import Block, Match, Pool, Seat
from thousand.matches.services import void_block


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    list_display = ("name", "slug", "kind", "players", "last_rated_seq", "created_at")
    list_filter = ("kind",)


@admin.register(Block)
class BlockAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "pool", "kind", "pairing", "state", "rated_seq", "created_at", "void_cause")
    list_filter = ("state", "kind", "pairing", "pool")
    search_fields = ("public_id",)
    list_select_related = ("pool",)
    exclude = ("seed",)  # a secret while the block is open
    actions = ("void",)

    @admin.action(description=gettext_lazy("Void (open blocks only)"), permissions=["organise"])
    def void(self, request: HttpRequest, blocks: QuerySet[Block]) -> None:
        cause = _("Voided by {organiser}.").format(organiser=request.user.get_username())

        def service(block: Block) -> Any:
            return void_block(block=block, cause=cause)

        self.apply(request, blocks, service, _("Blocks voided: {count}."))


class SeatInline(admin.TabularInline):
    model = Seat
    extra = 0
    can_delete = False
    fields = readonly_fields = ("seat", "slot", "version", "place", "total", "verdict", "message", "cpu_ms")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = (
        "public_id",
        "block",
        "seating",
        "state",
        "attempts",
        "worker",
        "termination",
        "arena_fault",
    )
    list_filter = ("state", "termination")
    search_fields = ("public_id", "block__public_id")
    list_select_related = ("block",)
    exclude = ("token",)
    inlines = (SeatInline,)
