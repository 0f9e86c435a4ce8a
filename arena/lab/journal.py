"""Finished blocks on disk, so that a killed run goes on where it was.

One file a comparison, named by a digest of everything that decides its blocks: the code of engine and SDK,
both bots, ruleset, seed and mode. A changed bot is another comparison and starts anew. The first line says
what it is of, every further one is a block; a line that was cut short by a kill is played again.
"""

import fcntl
import json
import os
import stat
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from arena.cache_folder import cache_folder
from arena.lab.blocks import Block, Comparison
from arena.lab.contestants import code_digest
from engine import RULES_VERSION

FORMAT = 1


class JournalError(Exception):
    """The journal cannot be written, or another process has it; the text says why."""


class UnusableJournalError(JournalError):
    """What lies where the journal should be is none; the text says what it is."""


def default_folder() -> Path:
    """Return where journals lie unless told otherwise."""
    return cache_folder("lab")


def identity(comparison: Comparison, tier: str) -> dict[str, Any]:
    """Return everything that decides the blocks of a comparison."""
    return {
        "format": FORMAT,
        "rules_version": RULES_VERSION,
        "code": code_digest(),
        "candidate": [comparison.candidate.name, comparison.candidate.digest],
        "base": [comparison.base.name, comparison.base.digest],
        "preset": comparison.ruleset.preset,
        "ruleset": comparison.ruleset.digest,
        "seed": comparison.seed.hex(),
        "mode": comparison.mode,
        "sandbox": tier,
    }


class Journal:
    """The blocks of one comparison; open it with `with`. One process at a time."""

    def __init__(self, folder: Path, comparison: Comparison, tier: str) -> None:
        self._identity = identity(comparison, tier)
        text = json.dumps(self._identity, sort_keys=True)
        self.path = folder / f"{sha256(text.encode()).hexdigest()[:24]}.jsonl"
        self.blocks: dict[int, Block] = {}
        """Finished blocks by number."""

    def __enter__(self) -> Self:
        """Read what there is.

        UnusableJournalError if it cannot be opened or read; JournalError if another process has it.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b", buffering=0)
        except OSError as error:
            text = f"the journal {self.path} cannot be opened: {error.strerror}"
            raise UnusableJournalError(text) from error
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            self._file.close()
            raise UnusableJournalError(f"the journal {self.path} is no regular file; remove it")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise JournalError(f"another lab is playing this comparison (journal {self.path})") from error
        try:
            self._read()
        except JournalError:
            self._file.close()
            raise
        except msgspec.MsgspecError as error:
            self._file.close()
            text = f"the journal {self.path} is damaged ({error}); remove it"
            raise UnusableJournalError(text) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file, and with it the lock."""
        self._file.close()

    def add(self, block: Block) -> None:
        """Keep a finished block; JournalError where the disk does not take it."""
        self.blocks[block.block] = block
        self._write(msgspec.json.encode(block) + b"\n")

    def _write(self, line: bytes) -> None:
        try:
            written = self._file.write(line)
        except OSError as error:
            raise JournalError(f"the journal {self.path} cannot be written: {error.strerror}") from error
        if written != len(line):  # the next start cuts it off
            raise JournalError(f"the journal {self.path} cannot be written: the disk took half a line")

    def _read(self) -> None:
        self._file.seek(0)
        lines = self._file.read().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        if len(whole) < len(lines):  # the last write was cut short
            self._file.truncate(sum(map(len, whole)))
        if not whole:
            self._write(json.dumps(self._identity).encode() + b"\n")
            return
        blocks = [msgspec.json.decode(line, type=Block) for line in whole[1:]]
        self.blocks = {block.block: block for block in blocks}
