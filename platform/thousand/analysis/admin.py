from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from thousand.analysis.models import Analysis
from thousand.analysis.services import request_analysis
from thousand.core.admin import ReadOnlyAdmin


@admin.register(Analysis)
class AnalysisAdmin(ReadOnlyAdmin):
    list_display = (
        "public_id", "replay", "version", "state", "attempts", "requested_at", "started_at", "finished_at",
        "size", "cause",
    )  # fmt: skip
    list_filter = ("state", "version")
    search_fields = ("public_id", "replay__public_id", "digest")
    list_select_related = ("replay",)
    exclude = ("body", "token")
    actions = ("try_again",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Analysis]:
        return super().get_queryset(request).defer("body", "replay__body")

    @admin.action(description=_("Try failed analyses again"), permissions=["organise"])
    def try_again(self, request: HttpRequest, rows: QuerySet[Analysis]) -> None:
        self.apply(
            request,
            rows.select_related("replay"),
            lambda row: request_analysis(replay=row.replay),
            "{count} analyses are in line or done.",
        )
