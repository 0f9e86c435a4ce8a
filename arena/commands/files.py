"""Reads the files that a command line names: never more than was meant, never for ever."""

import errno
import os
import stat
import time
from pathlib import Path

WRITER_S = 1.0
"""In this time whoever writes into a pipe has opened it, if it was started together with us."""
LOOK_S = 0.02
CHUNK = 65536


def read_file(path: Path, most: int) -> bytes:
    """Return the first `most` bytes of a file, or of a pipe that somebody writes into.

    OSError for what cannot be read, and for a pipe that stays without a writer: opening one would wait
    until there is one.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        begun = _begin(descriptor) if stat.S_ISFIFO(os.fstat(descriptor).st_mode) else b""
        os.set_blocking(descriptor, True)
        return (begun + file.read(most))[:most]


def _begin(pipe: int) -> bytes:
    """Return what is in a pipe already; nothing if its writer takes time."""
    until = time.monotonic() + WRITER_S
    while time.monotonic() < until:
        try:
            begun = os.read(pipe, CHUNK)
        except BlockingIOError:  # it has a writer; without one this would be the end
            return b""
        if begun:
            return begun
        time.sleep(LOOK_S)
    raise OSError(errno.EPIPE, "the pipe is empty and nobody writes into it")
