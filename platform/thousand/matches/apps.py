from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "thousand.matches"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from thousand.accounts.erasure import register_eraser
        from thousand.matches.erasure import erase_texts

        register_eraser(erase_texts)
