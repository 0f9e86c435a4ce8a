from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.bots.models import Bot, BotVersion, PauseKind
from thousand.bots.services import pause_bot, resume_bot, revalidate_version
from thousand.core.admin import ReadOnlyAdmin


@admin.register(Bot)
class BotAdmin(ReadOnlyAdmin):
    list_display = ("name", "owner", "is_house", "state", "pause_kind", "pause_reason", "active_version")
    list_filter = ("state", "pause_kind", "is_house")
    search_fields = ("name", "public_id", "owner__username")
    list_select_related = ("owner", "active_version__bot")
    actions = ("pause", "resume")

    @admin.action(description=gettext_lazy("Pause for an organiser"), permissions=["organise"])
    def pause(self, request: HttpRequest, bots: QuerySet[Bot]) -> None:
        def service(bot: Bot) -> Any:
            return pause_bot(bot=bot, kind=PauseKind.ORGANISER)

        self.apply(request, bots, service, _("Bots paused: {count}."))

    @admin.action(description=gettext_lazy("Resume"), permissions=["organise"])
    def resume(self, request: HttpRequest, bots: QuerySet[Bot]) -> None:
        self.apply(request, bots, lambda bot: resume_bot(bot=bot), _("Bots resumed: {count}."))


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "public_id", "state", "created_at", "validated_at", "reject_reason")
    list_filter = ("state", "language")
    search_fields = ("bot__name", "public_id", "source_digest")
    list_select_related = ("bot",)
    actions = ("revalidate",)

    @admin.action(description=gettext_lazy("Validate again"), permissions=["organise"])
    def revalidate(self, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        self.apply(
            request,
            versions,
            lambda version: revalidate_version(version=version),
            _("Versions to be validated again: {count}."),
        )
