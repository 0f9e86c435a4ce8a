"""How much memory a sandbox holds, as the host sees it: what resource limits forget or cannot add up."""

import os
import resource
import time
from collections.abc import Iterator
from contextlib import suppress

from arena.sandbox.identity import as_owner

_MB = 1024 * 1024
_PAGE = resource.getpagesize()

SCRATCH_FILES = 32_768
"""Files a build may make in `/tmp`: the kernel keeps a KiB for each, which no file system's size counts."""

OPEN_PATIENCE_S = 2.0


class BotMemory:
    """One process with threads. RLIMIT_DATA forgets what was written and then made read-only."""

    def __init__(self, pid: int, limit_mb: int) -> None:
        self._pid = pid
        self._limit = limit_mb * _MB

    def exceeded(self) -> bool:
        """Does it hold more than its limit now?"""
        return private_bytes(self._pid) > self._limit

    def close(self) -> None:
        """Nothing is held open."""


class BuildMemory:
    """A tree of processes and their scratch folder. Each process has its own RLIMIT_DATA; this is the sum."""

    def __init__(self, init_pid: int, limit_mb: int, scratch_fd: int | None) -> None:
        self._init_pid = init_pid
        self._limit = limit_mb * _MB
        self._scratch_fd = scratch_fd

    def exceeded(self) -> bool:
        """Do all processes together hold more than the limit, or the scratch folder too many files?"""
        if self._scratch_fd is not None:
            scratch = os.fstatvfs(self._scratch_fd)
            if scratch.f_files - scratch.f_ffree > SCRATCH_FILES:
                return True
        pids = list(descendants(self._init_pid))
        # Quick, but pages that a fork shares with its parent count twice; only then ask for the exact figure.
        return sum(map(private_bytes, pids)) > self._limit and sum(map(_own_share, pids)) > self._limit

    def close(self) -> None:
        """Let go of the scratch folder, which otherwise outlives its sandbox."""
        if self._scratch_fd is not None:
            os.close(self._scratch_fd)
            self._scratch_fd = None


def open_scratch(pid: int, folder: str) -> int:
    """Open the folder as a process inside a sandbox sees it.

    The kernel lets the sandbox's own user look inside, and root only with a capability that containers lack:
    so root looks as that user.
    """
    path, flags = f"/proc/{pid}/root{folder}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    # Until it has loaded its program, a process that changed its user shows nothing.
    patience = time.monotonic() + OPEN_PATIENCE_S
    while True:
        try:
            return as_owner(pid, lambda: os.open(path, flags))
        except PermissionError:
            if time.monotonic() > patience:
                raise
            time.sleep(0.001)


def descendants(pid: int) -> Iterator[int]:
    """Every process below `pid`, children of all threads, without `pid` itself."""
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError):
                with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                    children = file.read().split()
                for child in map(int, children):
                    yield child
                    yield from descendants(child)


def private_bytes(pid: int) -> int:
    """Bytes a process holds for itself alone, 0 when it is gone."""
    with suppress(FileNotFoundError, ProcessLookupError):
        size, private = _pages(f"/proc/{pid}/statm")
        if not size:  # its first thread has ended; the others still share the memory
            threads = os.listdir(f"/proc/{pid}/task")  # none, where it is being buried just now
            private = max((_pages(f"/proc/{pid}/task/{tid}/statm")[1] for tid in threads), default=0)
        return private * _PAGE
    return 0


def _own_share(pid: int) -> int:
    """Bytes of a process with shared pages divided among who shares them; all of it where that is secret."""
    with suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss_Anon:"):
                return int(line.split()[1]) * 1024
    return private_bytes(pid)


def _pages(statm: str) -> tuple[int, int]:
    """Address space, and resident memory that no file lies behind."""
    with open(statm, "rb") as file:
        size, resident, shared, *_rest = file.read().split()
    return int(size), int(resident) - int(shared)
