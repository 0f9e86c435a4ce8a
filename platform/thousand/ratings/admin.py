from django.contrib import admin

from thousand.core.admin import ReadOnlyAdmin
from thousand.ratings.models import LedgerEntry, Rating


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    list_display = ("pool", "seq", "kind", "version", "block", "initial_rating", "annulled_at")
    list_filter = ("kind", "pool")
    list_select_related = ("pool", "version__bot", "block")


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ("version", "pool", "value", "count", "blocks", "last_seq")
    list_filter = ("pool",)
    list_select_related = ("pool", "version__bot")
