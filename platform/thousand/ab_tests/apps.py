from django.apps import AppConfig


class AbTestsConfig(AppConfig):
    name = "thousand.ab_tests"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from thousand.ab_tests.erasure import end_tests
        from thousand.accounts.erasure import register_eraser

        register_eraser(end_tests)
