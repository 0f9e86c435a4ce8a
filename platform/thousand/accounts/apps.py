from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "thousand.accounts"
    default_auto_field = "django.db.models.BigAutoField"
