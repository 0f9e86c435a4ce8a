"""What embedded mode prints of its log: one line a trouble, and each trouble once a minute.

The terminal belongs to whoever started the arena. Visitors' mistakes are not their business, and a full disk
would otherwise fill the screen every second. Everything, with tracebacks, goes to `DATA/arena.log`.
"""

import logging
import time

QUIET_S = 60.0


class OneLine(logging.Formatter):
    """Says what happened and the cause, without a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            text = f"{text}: {type(error).__name__}: {error}"
        return " ".join(text.split())


class NotAgain(logging.Filter):
    """Lets the same trouble pass once in `QUIET_S`; troubles are the same if they come from the same line."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[str, int, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        key = (record.pathname, record.lineno, kind or record.getMessage())
        now = time.monotonic()
        if now - self._said.get(key, -QUIET_S) < QUIET_S:
            return False
        if len(self._said) > 1000:
            self._said.clear()
        self._said[key] = now
        return True


class NoVisitors(logging.Filter):
    """Leaves out what visitors do wrong: addresses that do not exist, forms that were refused."""

    def filter(self, record: logging.LogRecord) -> bool:
        visitors = record.name.startswith(("django.request", "django.security", "uvicorn"))
        return not visitors or record.levelno >= logging.ERROR
