"""The errors of the platform's services, by cause; mapped to answers once, in `api.errors` and `web`."""

from typing import Any


class ApplicationError(Exception):
    """Something the caller can act on. `code` is stable; `message` is for people."""

    code = "error"

    def __init__(self, message: str, *, field: str | None = None, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        """Name of the input the error is about, where there is one."""
        self.data = data
        """Offending value, limits, seconds to wait: whatever helps to act."""


class InvalidInputError(ApplicationError):
    """A value that cannot be accepted; `field` names it."""

    code = "invalid"


class NotAllowedError(ApplicationError):
    """The caller may not do this: somebody else's bot, or a role that is missing."""

    code = "not_allowed"


class NotFoundError(ApplicationError):
    """No such thing, or none that the caller may see."""

    code = "not_found"


class ConflictError(ApplicationError):
    """Right in itself, but not in this state: taken name, running match, closed ladder."""

    code = "conflict"


class LimitReachedError(ApplicationError):
    """A quota or rate limit; `data` tells which, and when it may be tried again."""

    code = "limit_reached"
