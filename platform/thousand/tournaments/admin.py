from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.accounts.models import User
from thousand.core.admin import ReadOnlyAdmin
from thousand.tournaments.models import Entry, Ladder, Tournament, TournamentAct
from thousand.tournaments.organising import archive_tournament, pause_tournament, resume_tournament
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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        """Show ladders only: who leaves a tournament, and why, is decided on its page."""
        entries: QuerySet[Entry] = super().get_queryset(request)
        return entries.filter(pool__ladder__isnull=False)

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


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ("pool", "state", "format", "starts_at", "rounds", "share", "created_at")
    list_filter = ("state", "format")
    list_select_related = ("pool",)
    actions = ("pause", "resume", "archive")

    @admin.action(description=gettext_lazy("Pause"), permissions=["organise"])
    def pause(self, request: HttpRequest, tournaments: QuerySet[Tournament]) -> None:
        def service(tournament: Tournament) -> Any:
            return pause_tournament(tournament=tournament, actor=cast(User, request.user))

        self.apply(request, tournaments, service, _("Tournaments paused: {count}."))

    @admin.action(description=gettext_lazy("Resume"), permissions=["organise"])
    def resume(self, request: HttpRequest, tournaments: QuerySet[Tournament]) -> None:
        def service(tournament: Tournament) -> Any:
            return resume_tournament(tournament=tournament, actor=cast(User, request.user))

        self.apply(request, tournaments, service, _("Tournaments resumed: {count}."))

    @admin.action(description=gettext_lazy("Put into the archive"), permissions=["organise"])
    def archive(self, request: HttpRequest, tournaments: QuerySet[Tournament]) -> None:
        def service(tournament: Tournament) -> Any:
            return archive_tournament(tournament=tournament, actor=cast(User, request.user))

        self.apply(request, tournaments, service, _("Tournaments archived: {count}."))


@admin.register(TournamentAct)
class TournamentActAdmin(ReadOnlyAdmin):
    list_display = ("at", "tournament", "kind", "by", "by_arena", "bot", "reason")
    list_filter = ("kind",)
    list_select_related = ("tournament__pool", "by", "bot")
