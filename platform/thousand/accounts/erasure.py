"""Erasing an account reaches into apps above this one; they register here what they hold about people."""

from collections.abc import Callable

from thousand.accounts.models import User

Eraser = Callable[[User], None]
"""Removes what one app holds about the user. Runs inside the transaction of `erase_account` before the
row of the user goes; running it twice must be harmless; files go after the commit."""

_erasers: list[Eraser] = []


def register_eraser(eraser: Eraser) -> None:
    """Have `eraser` run when an account is erased; call it from `AppConfig.ready()`."""
    if eraser not in _erasers:
        _erasers.append(eraser)


def erasers() -> tuple[Eraser, ...]:
    """Return what is registered, in order of registration."""
    return tuple(_erasers)
