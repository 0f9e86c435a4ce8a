"""Bots as they are uploaded: one file, a `.zip` or a `.tar.gz`, checked and staged inside limits.

An archive holds `bot.toml`, `bot.py` or another language's usual entry at its top, or in the one folder at
its top, which is taken off. One file is a source by its ending, or a program.
Refusals are `ArtifactError`s that name the file, the value, and what would be right.
"""

import io
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from arena.languages import LANGUAGES, Language, language_of, refusal_of
from arena.manifest import FILENAME as MANIFEST
from arena.manifest import MAX_NAME_CHARS, Declared, parse_manifest
from arena.programs import HEAD_BYTES, check_program, with_unix_line_ends
from arena.sizes import size_text
from arena.unpacking import (
    MAX_PACKED_BYTES,
    ArtifactError,
    Member,
    chunks_of,
    shown,
    tar_members,
    zip_members,
)

__all__ = ["ArtifactError", "Manifest", "inspect_artifact", "stage_artifact"]

MAX_MANIFEST_BYTES = 64 * 1024
ACCEPTED = (
    "a bot is one source file (.py, .js, .c, …), or a .zip or .tar.gz with bot.toml or a file such as bot.py "
    "or bot.c at its top"
)

RUNNABLE_FILENAME = "runnable.tar.gz"
"""Name of the artifact that a build makes of sources (`arena.building`)."""

_USUAL_ENTRY = LANGUAGES["python"].default_entry
_ELF = b"\x7fELF"

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

    @property
    def needs_build(self) -> bool:
        """Whether these are sources that have to become a program before they can play."""
        return LANGUAGES[self.language].needs_build(self.entry)


def inspect_artifact(filename: str, data: bytes, offered: Collection[str] = frozenset(LANGUAGES)) -> Manifest:
    """Check an upload completely, writing nothing; raise `ArtifactError` when it is refused.

    `offered` names the languages that an arena has the tools for; by default all that are known.
    """
    return _inspect(filename, data, offered)[0]


def stage_artifact(filename: str, data: bytes, directory: Path) -> Manifest:
    """Unpack an upload into `directory` (empty or new) as plain files, 0644 or 0755.

    A program that is started itself is executable also where its archive lost that, and has the line ends of
    its system if it is a script. Raises `ArtifactError` before anything is written. The caller chooses a path
    that tells nothing.
    """
    manifest, top = _inspect(filename, data, LANGUAGES)
    directory.mkdir(mode=0o755, parents=True, exist_ok=True)
    for member in _members(filename, data, set()):
        target = directory / member.path.removeprefix(top)
        target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        with target.open("xb") as file:
            for chunk in member.chunks:
                file.write(chunk)
        target.chmod(0o755 if member.executable else 0o644)
    if manifest.language == "executable":
        entry = directory / manifest.entry
        entry.write_bytes(with_unix_line_ends(entry.read_bytes()))
        entry.chmod(0o755)
    return manifest


def _inspect(filename: str, data: bytes, offered: Collection[str]) -> tuple[Manifest, str]:
    """Return the manifest and the top folder to take off (`""`, or ending in `/`)."""
    ignored: set[str] = set()
    heads: dict[str, bytes] = {}
    manifests: dict[str, bytes] = {}
    for member in _members(filename, data, ignored):
        if PurePosixPath(member.path).name == MANIFEST:
            manifests[member.path] = heads[member.path] = _read_manifest(member)
        else:
            heads[member.path] = next(member.chunks, b"")[:HEAD_BYTES]
            for _ in member.chunks:
                pass
    top = _top_folder(list(heads))
    files = sorted(path.removeprefix(top) for path in heads)
    if MANIFEST in files:
        declared = parse_manifest(manifests[top + MANIFEST], files, offered)
    else:
        declared = _without_manifest(files, heads, top, offered)
    if declared.language == "executable":
        check_program(declared.entry, heads[top + declared.entry])
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


def _without_manifest(
    files: list[str], heads: dict[str, bytes], top: str, offered: Collection[str]
) -> Declared:
    """Tell the language by the one usual entry that is there."""
    found = [
        Declared(language=language.name, entry=entry)
        for language in LANGUAGES.values()
        for entry in language.entries
        if entry in files and (language.suffixes or heads[top + entry].startswith(_ELF))
    ]
    if len(found) > 1:
        entries, first = ", ".join(one.entry for one in found), found[0].entry
        raise ArtifactError(
            f'The archive holds {entries}; say which one is the bot: add {MANIFEST} with `entry = "{first}"`.'
        )
    if not found:
        raise ArtifactError(_no_entry(files))
    if found[0].language not in offered:
        raise ArtifactError(f"{found[0].entry}: {refusal_of(found[0].language, offered)}", "language")
    return found[0]


def _members(filename: str, data: bytes, ignored: set[str]) -> Iterator[Member]:
    if not data:
        raise ArtifactError(f"{shown(filename)} is empty (0 bytes); {ACCEPTED}.")
    if len(data) > MAX_PACKED_BYTES:
        size, limit = size_text(len(data)), size_text(MAX_PACKED_BYTES)
        raise ArtifactError(f"{shown(filename)} is {size}; the limit is {limit}.")
    lowered = filename.lower()
    if lowered.endswith(".zip"):
        _expect(filename, data, b"PK", "zip archive")
        return zip_members(data, ignored)
    if lowered.endswith((".tar.gz", ".tgz")):
        _expect(filename, data, b"\x1f\x8b", "gzip-compressed tar archive")
        return tar_members(data, ignored)
    language = language_of(filename)
    if language is not None:
        return _single_file(filename, data, language)
    if data.startswith(_ELF):
        return iter([Member("bot", executable=True, chunks=chunks_of(io.BytesIO(data)))])
    raise ArtifactError(f"{shown(filename)}{_looks_like(data)} is not accepted; {ACCEPTED}.")


def _single_file(filename: str, data: bytes, language: Language) -> Iterator[Member]:
    """Name a source as its language wants it: `bot.py`, `bot.mjs`, and Java's by the class inside."""
    ending = PurePosixPath(filename).suffix
    if b"\0" in data and ending.lower() in language.suffixes:
        name = language.title.partition(" (")[0]
        raise ArtifactError(
            f"{shown(filename)}{_looks_like(data)} is no {name} source: it holds a NUL byte at offset "
            f"{data.index(0)}. Save it as UTF-8 text."
        )
    path = language.default_entry.removesuffix(language.suffixes[0]) + ending.lower()
    if language.name == "java":
        stem = PurePosixPath(filename).stem
        path = f"{stem}{ending.lower()}" if stem.isascii() and stem.isidentifier() else path
    yield Member(path, executable=False, chunks=chunks_of(io.BytesIO(data)))


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
            raise ArtifactError(f"{MANIFEST} is longer than {size_text(MAX_MANIFEST_BYTES)}.")
    return data


def _stem(filename: str) -> str:
    name = re.sub(r"\.(tar\.gz|[a-z]{1,5})$", "", PurePosixPath(filename).name, flags=re.IGNORECASE)
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
    usual = ", ".join(language.default_entry for language in LANGUAGES.values())
    text = f"The archive has neither {MANIFEST} nor one of {usual} at its top, which holds {listed}."
    return " ".join(filter(None, [text, _entry_remedy(files, tops)]))


def _entry_remedy(files: list[str], tops: list[str]) -> str:
    """Say what to do about an archive without an entry at its top, where that can be guessed."""
    usual = {MANIFEST, *(entry for language in LANGUAGES.values() for entry in language.entries)}
    deeper = sorted((path.count("/"), path) for path in files if PurePosixPath(path).name in usual)
    if deeper:
        path = deeper[0][1]
        folder = f"{PurePosixPath(path).parent}/"
        remedy = f"{shown(path)} lies deeper: pack what is in {shown(folder)}, so that it comes to the top"
        if PurePosixPath(path).name == MANIFEST:
            return f"{remedy}."
        return f'{remedy}, or add {MANIFEST} with `entry = "{shown(path)}"` there.'
    sources = [path for path in tops if language_of(path)]
    if len(sources) == 1:
        source = shown(sources[0])
        language = language_of(source)
        usual_name = language.default_entry if language else _USUAL_ENTRY
        return f'Rename {source} to {usual_name}, or add {MANIFEST} with `entry = "{source}"`.'
    return ""
