from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    name = "thousand.replays"
    default_auto_field = "django.db.models.BigAutoField"
