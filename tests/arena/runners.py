"""What is seen of real runners: processes, bots, staged files."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from arena.sandbox.folders import stage_folder
from arena.sandbox.identity import SlotUsers
from tests.arena.sandbox.probe import comes

SLOT = 40
"""A slot number of our own, so that its users' processes are ours."""
MARK = f"# {secrets.token_hex(8)}"
"""In every bot of this run, so that its staged files are known."""


def runner_pid() -> int:
    """Our one runner process."""
    eventually(lambda: len(runners()) == 1)
    return runners()[0]


def runners() -> list[int]:
    return [pid for pid in children_of(os.getpid()) if b"arena.runner" in command_of(pid)]


def command_of(pid: int) -> bytes:
    """Its command line; empty for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def bots_of_ours(half: int | None = None) -> set[str]:
    """Living processes of our slot's bots; the dead ones wait for the machine's process 1."""
    users = SlotUsers.for_slot(SLOT, half).uids
    found = set()
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and b") Z " not in (entry / "stat").read_bytes():
                command = (entry / "cmdline").read_bytes()
                if entry.stat().st_uid in users or (not users and b"\0/bot\0" in command):
                    found.add(entry.name)
    return found


def staged_files() -> set[Path]:
    """Our bots' staged files."""
    found = set()
    for path in stage_folder().glob("*/*/bot.py"):
        with suppress(OSError):
            if MARK in path.read_text():
                found.add(path)
    return found


def nothing_is_left() -> None:
    eventually(lambda: not bots_of_ours() and not staged_files())


def eventually(holds: Callable[[], bool]) -> None:
    """Wait for what comes at once on a quiet machine; past a minute something hangs, and is not slow."""
    assert comes(holds)


def half_of(pid: int) -> bytes:
    words = command_of(pid).split(b"\0")
    return words[words.index(b"--half") + 1] if b"--half" in words else b""
