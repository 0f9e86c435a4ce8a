from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "thousand.matches"
    default_auto_field = "django.db.models.BigAutoField"
