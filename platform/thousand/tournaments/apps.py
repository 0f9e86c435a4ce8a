from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "thousand.tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from thousand.accounts.erasure import register_eraser
        from thousand.tournaments.erasure import withdraw_bots

        register_eraser(withdraw_bots)
