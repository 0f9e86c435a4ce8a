"""The kernel's Landlock interface: a list of files a process may reach, for itself and for ever.

What is not on the list cannot be opened, read, run, made, renamed or removed. Landlock says nothing about
attributes (`chmod`, `utime`), sockets by path, signals and limits: those are the filter's business.
Source: Linux `Documentation/userspace-api/landlock.rst` and `include/uapi/linux/landlock.h`.
"""

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

# Numbers from asm-generic, the same on x86-64 and 64-bit ARM.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_ONLY = 1
_RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FIRST_ABI = (1 << 13) - 1
_BY_ABI = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))  # linking elsewhere, truncating, device controls
_NET_BIND_CONNECT = 3
_SCOPE_SOCKETS_AND_SIGNALS = 3

READABLE = READ_FILE | READ_DIR | EXECUTE
"""Enough to read and run a folder's files."""

_libc = ctypes.CDLL(None, use_errno=True)


class _RulesetAttributes(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))


def landlock_abi() -> int:
    """Version of the kernel's Landlock. Raises OSError where there is none."""
    return _call(_CREATE_RULESET, None, 0, _VERSION_ONLY)


def open_ruleset(readable: Iterable[Path], writable: Iterable[Path] = ()) -> int:
    """Give a descriptor of rules: `readable` may be read and run, `writable` files read and written.

    Everything the kernel's version can refuse is refused for all other files. Paths that are missing are
    passed over. Raises OSError where the kernel has no Landlock.
    """
    abi = landlock_abi()
    files = _FIRST_ABI
    for first, bit in _BY_ABI:
        files |= bit if abi >= first else 0
    attributes = _RulesetAttributes(
        files, _NET_BIND_CONNECT if abi >= 4 else 0, _SCOPE_SOCKETS_AND_SIGNALS if abi >= 6 else 0
    )
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _call(_CREATE_RULESET, ctypes.byref(attributes), size, 0)
    try:
        for path in readable:
            _allow(ruleset, path, READABLE)
        for path in writable:
            _allow(ruleset, path, READ_FILE | WRITE_FILE)
    except BaseException:
        os.close(ruleset)
        raise
    return ruleset


def restrict_self(ruleset: int) -> None:
    """Bind the calling thread, and what it starts, to the rules; needs `no_new_privs`."""
    _call(_RESTRICT_SELF, ruleset, 0)


def _allow(ruleset: int, path: Path, access: int) -> None:
    with suppress(FileNotFoundError):
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not os.path.isdir(f"/proc/self/fd/{handle}"):
                access &= ~READ_DIR
            rule = _PathBeneath(access, handle)
            _call(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(handle)


def _call(number: int, *arguments: object) -> int:
    result: int = _libc.syscall(number, *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"the kernel's Landlock refused: {os.strerror(error)}")
    return result
