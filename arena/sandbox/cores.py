"""Which processor cores a match uses: all while its sandboxes are set up, then the slot's own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from arena.sandbox.identity import as_owner


class Cores:
    """The cores of one slot. What is set up for several bots at once need not queue for one core."""

    def __init__(self) -> None:
        self._home: int | None = None
        self._all = os.sched_getaffinity(0)

    def use(self, home: int | None) -> None:
        """Take a core as the slot's own, for what is settled from now on; None binds nothing."""
        self._home = home

    @contextmanager
    def spread(self) -> Iterator[None]:
        """What is started meanwhile may use every core that this process was born with."""
        if self._home is None:
            yield
            return
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, self._all)
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)

    def settle(self, pid: int) -> None:
        """Bind a process with a single thread to the slot's core; one that has ended needs none."""
        home = self._home
        if home is None:
            return
        with suppress(ProcessLookupError, FileNotFoundError):
            try:
                os.sched_setaffinity(pid, {home})
            except PermissionError:
                # Root without CAP_SYS_NICE, as in containers, may do so as the process's own user.
                as_owner(pid, lambda: os.sched_setaffinity(pid, {home}))
