from django.contrib import admin

from thousand.core.admin import ReadOnlyAdmin
from thousand.operations.models import Checkup


@admin.register(Checkup)
class CheckupAdmin(ReadOnlyAdmin):
    list_display = ("made_at", "count", "took_s")
