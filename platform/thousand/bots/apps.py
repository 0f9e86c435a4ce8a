from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "thousand.bots"
    default_auto_field = "django.db.models.BigAutoField"
