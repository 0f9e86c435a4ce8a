from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "thousand.tournaments"
    default_auto_field = "django.db.models.BigAutoField"
