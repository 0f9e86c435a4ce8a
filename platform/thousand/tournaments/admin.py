from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.core.admin import ReadOnlyAdmin
from thousand.tournaments.models import Entry, Ladder
from thousand.tournaments.services import enter_bot, set_ladder_running, withdraw_bot


@admin.register(Ladder)
class LadderAdmin(ReadOnlyAdmin):
    list_display = ("pool", "running", "is_main", "share", "created_at")
    list_select_related = ("pool",)
    actions = ("stop", "start")

    @admin.action(description=gettext_lazy("Stop planning blocks"), permissions=["organise"])
    def stop(self, request: HttpRequest, ladders: QuerySet[Ladder]) -> None:
        def service(ladder: Ladder) -> Any:
            return set_ladder_running(ladder=ladder, running=False)

        self.apply(request, ladders, service, _("Ladders stopped: {count}."))

    @admin.action(description=gettext_lazy("Plan blocks again"), permissions=["organise"])
    def start(self, request: HttpRequest, ladders: QuerySet[Ladder]) -> None:
        def service(ladder: Ladder) -> Any:
            return set_ladder_running(ladder=ladder, running=True)

        self.apply(request, ladders, service, _("Ladders started: {count}."))


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ("version", "pool", "active", "entered_at")
    list_filter = ("active", "pool")
    search_fields = ("bot__name",)
    list_select_related = ("pool", "version__bot", "bot")
    actions = ("withdraw", "enter")

    @admin.action(description=gettext_lazy("Withdraw from the pool"), permissions=["organise"])
    def withdraw(self, request: HttpRequest, entries: QuerySet[Entry]) -> None:
        def service(entry: Entry) -> Any:
            return withdraw_bot(pool=entry.pool, bot=entry.bot)

        self.apply(request, entries, service, _("Bots withdrawn: {count}."))

    @admin.action(description=gettext_lazy("Enter again"), permissions=["organise"])
    def enter(self, request: HttpRequest, entries: QuerySet[Entry]) -> None:
        def service(entry: Entry) -> Any:
            return enter_bot(pool=entry.pool, bot=entry.bot)

        self.apply(request, entries, service, _("Bots entered: {count}."))
