"""Bots as they are uploaded: one `.py` file, a `.zip` or a `.tar.gz`, checked and staged inside limits.

An archive holds `bot.toml` or `bot.py` at its top, or in the one folder at its top, which is taken off.
Refusals are `ArtifactError`s that name the file, the value, and what would be right.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from arena.manifest import DEFAULT_ENTRY, LANGUAGES, MAX_NAME_CHARS, Declared, parse_manifest
from arena.manifest import FILENAME as MANIFEST
from arena.unpacking import (
    MAX_PACKED_BYTES,
    MIB,
    ArtifactError,
    Member,
    chunks_of,
    shown,
    tar_members,
    zip_members,
)

__all__ = ["LANGUAGES", "ArtifactError", "Manifest", "inspect_artifact", "stage_artifact"]

MAX_MANIFEST_BYTES = 64 * 1024
ACCEPTED = "a bot is one .py file, or a .zip or .tar.gz with bot.toml or bot.py at its top"

_MAGIC = {
    b"PK\3\4": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"Rar!": "a rar archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"%PDF": "a PDF document",
    b"\x7fELF": "a program for Linux",
    b"MZ": "a program for Windows",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
}


@dataclass(frozen=True)
class Manifest:
    """What an artifact is, once it has passed every check."""

    name: str
    """From bot.toml, else the file's name without its ending."""
    language: str
    entry: str
    """Path of the file to start, relative to the staged folder."""
    protocol: int
    rulesets: tuple[str, ...]
    """Presets the bot says it plays; empty means it did not say."""
    files: tuple[str, ...]
    """Paths as staged, sorted."""
    ignored: tuple[str, ...]
    """Files and folders left out, for example `__pycache__/`."""


def inspect_artifact(filename: str, data: bytes) -> Manifest:
    """Check an upload completely, writing nothing; raise `ArtifactError` when it is refused."""
    return _inspect(filename, data)[0]


def stage_artifact(filename: str, data: bytes, directory: Path) -> Manifest:
    """Unpack an upload into `directory` (empty or new) as plain files, 0644 or 0755.

    Raises `ArtifactError` before anything is written. The caller chooses a path that tells nothing.
    """
    manifest, top = _inspect(filename, data)
    directory.mkdir(mode=0o755, parents=True, exist_ok=True)
    for member in _members(filename, data, set()):
        target = directory / member.path.removeprefix(top)
        target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        with target.open("xb") as file:
            for chunk in member.chunks:
                file.write(chunk)
        target.chmod(0o755 if member.executable else 0o644)
    return manifest


def _inspect(filename: str, data: bytes) -> tuple[Manifest, str]:
    """Return the manifest and the top folder to take off (`""`, or ending in `/`)."""
    ignored: set[str] = set()
    paths: list[str] = []
    manifests: dict[str, bytes] = {}
    for member in _members(filename, data, ignored):
        paths.append(member.path)
        if PurePosixPath(member.path).name == MANIFEST:
            manifests[member.path] = _read_manifest(member)
        else:
            for _ in member.chunks:
                pass
    top = _top_folder(paths)
    files = sorted(path.removeprefix(top) for path in paths)
    if MANIFEST in files:
        declared = parse_manifest(manifests[top + MANIFEST], files)
    elif DEFAULT_ENTRY in files:
        declared = Declared()
    else:
        raise ArtifactError(_no_entry(files))
    manifest = Manifest(
        name=declared.name or _stem(filename),
        language=declared.language,
        entry=declared.entry,
        protocol=declared.protocol,
        rulesets=declared.rulesets,
        files=tuple(files),
        ignored=tuple(sorted(ignored)),
    )
    return manifest, top


def _members(filename: str, data: bytes, ignored: set[str]) -> Iterator[Member]:
    if not data:
        raise ArtifactError(f"{shown(filename)} is empty (0 bytes); {ACCEPTED}.")
    if len(data) > MAX_PACKED_BYTES:
        size, limit = len(data) / MIB, MAX_PACKED_BYTES // MIB
        raise ArtifactError(f"{shown(filename)} is {size:.1f} MiB; the limit is {limit} MiB.")
    lowered = filename.lower()
    if lowered.endswith(".py"):
        return _single_file(filename, data)
    if lowered.endswith(".zip"):
        _expect(filename, data, b"PK", "zip archive")
        return zip_members(data, ignored)
    if lowered.endswith((".tar.gz", ".tgz")):
        _expect(filename, data, b"\x1f\x8b", "gzip-compressed tar archive")
        return tar_members(data, ignored)
    raise ArtifactError(f"{shown(filename)}{_looks_like(data)} is not accepted; {ACCEPTED}.")


def _single_file(filename: str, data: bytes) -> Iterator[Member]:
    if b"\0" in data:
        raise ArtifactError(
            f"{shown(filename)}{_looks_like(data)} is no Python source: it holds a NUL byte at offset "
            f"{data.index(0)}. Save it as UTF-8 text."
        )
    yield Member(DEFAULT_ENTRY, executable=False, chunks=chunks_of(io.BytesIO(data)))


def _expect(filename: str, data: bytes, magic: bytes, kind: str) -> None:
    if not data.startswith(magic):
        raise ArtifactError(f"{shown(filename)} is no {kind}{_looks_like(data)}; {ACCEPTED}.")


def _looks_like(data: bytes) -> str:
    """Return ` (it is …)` for a content that is easily recognised, else nothing."""
    for magic, kind in _MAGIC.items():
        if data.startswith(magic):
            return f" (it is {kind})"
    return ""


def _read_manifest(member: Member) -> bytes:
    data = b""
    for chunk in member.chunks:
        data += chunk
        if len(data) > MAX_MANIFEST_BYTES:
            raise ArtifactError(f"{MANIFEST} is longer than {MAX_MANIFEST_BYTES // 1024} KiB.")
    return data


def _stem(filename: str) -> str:
    name = re.sub(r"\.(py|zip|tar\.gz|tgz)$", "", PurePosixPath(filename).name, flags=re.IGNORECASE)
    return shown(name)[:MAX_NAME_CHARS] or "bot"


def _top_folder(paths: list[str]) -> str:
    """Return the only folder at the top of an archive, with `/`; empty when something else lies beside it."""
    if not paths:
        raise ArtifactError(f"The archive holds no files; {ACCEPTED}.")
    first, separator, _ = paths[0].partition("/")
    folder = first + separator
    return folder if separator and all(path.startswith(folder) for path in paths) else ""


def _no_entry(files: list[str]) -> str:
    tops = sorted({path.split("/")[0] + ("/" if "/" in path else "") for path in files})
    listed = ", ".join(map(shown, tops[:8])) + (", …" if len(tops) > 8 else "")
    scripts = [path for path in tops if path.endswith(".py")]
    remedy = ""
    if len(scripts) == 1:
        script = shown(scripts[0])
        remedy = f' Rename {script} to {DEFAULT_ENTRY}, or add {MANIFEST} with `entry = "{script}"`.'
    return f"The archive has neither {MANIFEST} nor {DEFAULT_ENTRY} at its top, which holds {listed}.{remedy}"
