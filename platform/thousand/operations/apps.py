from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "thousand.operations"
    default_auto_field = "django.db.models.BigAutoField"
