"""What every admin page of the arena shares: rows are looked at, and changed by services only."""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest

from thousand.core.errors import ApplicationError


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows; what may be done to them is in its actions."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_organise_permission(self, request: HttpRequest) -> bool:
        """What actions ask for: organisers are the site's staff."""
        return request.user.is_active and request.user.is_staff

    def apply(
        self, request: HttpRequest, rows: Iterable[models.Model], service: Callable[[Any], object], done: str
    ) -> None:
        """Call a service for each row and tell how it went; one refusal does not stop the others."""
        count = 0
        for row in rows:
            try:
                service(row)
                count += 1
            except ApplicationError as error:
                self.message_user(request, f"{row}: {error.message}", messages.WARNING)
        if count:
            self.message_user(request, done.format(count=count), messages.SUCCESS)
