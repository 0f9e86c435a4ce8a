from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "thousand.bots"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from thousand.accounts.erasure import register_eraser
        from thousand.bots.erasure import erase_bots

        register_eraser(erase_bots)
