from django.contrib import admin

from thousand.core.admin import ReadOnlyAdmin
from thousand.pipeline.models import Worker


@admin.register(Worker)
class WorkerAdmin(ReadOnlyAdmin):
    list_display = ("name", "slots", "playing", "sandbox", "software", "rules_version", "last_seen_at")
