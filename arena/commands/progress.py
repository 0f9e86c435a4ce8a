"""How far a command is, on standard error."""

import sys
import time
from collections.abc import Callable

ON_TERMINAL_S = 2.0
ELSEWHERE_S = 30.0
"""Between two lines of progress, unless a command says otherwise."""


class Progress:
    """Says how far it is, in one line on a terminal and in few elsewhere."""

    def __init__(
        self, command: str, *, on_terminal_s: float = ON_TERMINAL_S, elsewhere_s: float = ELSEWHERE_S
    ) -> None:
        self._command = command
        self._on_terminal = sys.stderr.isatty()
        self._every_s = on_terminal_s if self._on_terminal else elsewhere_s
        self._told_s = time.monotonic()

    def tell(self, text: Callable[[], str]) -> None:
        """Say it, unless something was said a moment ago."""
        now = time.monotonic()
        if now - self._told_s >= self._every_s:
            self._told_s = now
            end = "  \r" if self._on_terminal else "\n"
            print(f"{self._command}: {text()}", end=end, file=sys.stderr, flush=True)

    def done(self) -> None:
        """Take the line off a terminal, so that the result begins on a clean one."""
        if self._on_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
