"""Finished programs in uploads: is it one that this machine runs, and would run anywhere else the same?"""

import platform
import struct
from typing import NoReturn

from arena.unpacking import ArtifactError, shown

HEAD_BYTES = 4096
"""How much of a program's beginning is looked at: ELF header and program headers lie there."""

_ELF_MACHINES = {3: "32-bit x86", 40: "32-bit ARM", 62: "x86_64", 183: "aarch64", 243: "RISC-V"}
_PT_INTERP = 3
_TYPES_THAT_RUN = (2, 3)  # ET_EXEC, and ET_DYN for position-independent programs


def check_program(path: str, head: bytes) -> None:
    """Refuse an entry that the kernel could not start, or that needs libraries of the machine it was made on.

    `head` is its first `HEAD_BYTES` bytes. A script with a `#!` line is fine. Raises `ArtifactError`.
    """
    if head.startswith(b"#!"):
        return
    if not head.startswith(b"\x7fELF"):
        kind = (
            "a program for Windows" if head.startswith(b"MZ") else "neither a program for Linux nor a script"
        )
        _refuse(
            path, f"is {kind}. Expected a static Linux executable, or a script whose first line is `#!…`."
        )
    try:
        machine, interpreter = _read_header(head)
    except struct.error:
        _refuse(path, "is a damaged program: its ELF header is cut short.")
    wanted = platform.machine()
    if machine != wanted:
        _refuse(path, f"is a program for {machine}; this arena runs {wanted}.")
    if interpreter:
        _refuse(
            path,
            "is dynamically linked: it needs libraries that other machines may not have. "
            "Link it statically (`-static`; Go: `CGO_ENABLED=0`; Rust: `-C target-feature=+crt-static`), "
            "or upload its source.",
        )


def with_unix_line_ends(data: bytes) -> bytes:
    """Return a script as the kernel reads it: no `\\r` before a line end. Programs stay as they are."""
    first_line = data[:HEAD_BYTES].partition(b"\n")[0]
    if data.startswith(b"#!") and first_line.endswith(b"\r"):
        return data.replace(b"\r\n", b"\n")
    return data


def _read_header(head: bytes) -> tuple[str, bool]:
    """Return the machine a program is for, and whether it asks for a dynamic linker."""
    width, order = head[4:5], "<" if head[5:6] == b"\1" else ">"
    kind, number = struct.unpack_from(f"{order}HH", head, 16)
    machine = _ELF_MACHINES.get(number, f"machine {number}")
    if width != b"\2":
        return machine if machine.startswith("32") else f"32-bit {machine}", False
    if kind not in _TYPES_THAT_RUN:
        return f"linking, not for running (ELF type {kind})", False
    (offset,) = struct.unpack_from(f"{order}Q", head, 32)
    size, count = struct.unpack_from(f"{order}HH", head, 54)
    types = [
        struct.unpack_from(f"{order}L", head, offset + index * size)[0]
        for index in range(count)
        if offset + index * size + 4 <= len(head)
    ]
    return machine, _PT_INTERP in types


def _refuse(path: str, what: str) -> NoReturn:
    raise ArtifactError(f"{shown(path)} {what}", "entry")
