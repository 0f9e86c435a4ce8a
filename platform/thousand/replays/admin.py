from django.contrib import admin

from thousand.core.admin import ReadOnlyAdmin
from thousand.replays.models import Replay


@admin.register(Replay)
class ReplayAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "deals", "size", "rules_version", "created_at", "published_at")
    search_fields = ("public_id", "digest")
    exclude = ("body",)
