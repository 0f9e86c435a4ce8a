"""Reads archives from strangers, member by member, inside limits that are counted while unpacking.

Nothing here trusts a size that the archive declares, writes a file, or follows a link. Everything wrong is
an `ArtifactError` that names the member, what it is, and what would be right.
"""

import gzip
import io
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from arena.sizes import MIB, size_text

MAX_PACKED_BYTES = 20 * MIB
MAX_UNPACKED_BYTES = 100 * MIB
MAX_MEMBERS = 2_000
MAX_RATIO = 200
"""Unpacked size may be this many times the packed size; what unpacks to under 1 MiB may exceed it."""
MAX_PATH_CHARS = 240
MAX_DIRECTORY_BYTES = 2 * MIB
"""Longest central directory of a zip: 2 000 members with generous names."""

CHUNK_BYTES = 64 * 1024

_LOCAL_HEADER_BYTES = 30
_UTF8_NAMES = 0x800

IGNORED_NAMES = frozenset(
    {
        "__pycache__", ".git", ".hg", ".svn", ".DS_Store", "__MACOSX", "Thumbs.db", ".venv",
        ".mypy_cache", ".pytest_cache", ".ruff_cache", ".idea", ".vscode",
    }
)  # fmt: skip
"""Files and folders that tools leave behind: not stored, and listed so that nobody wonders."""

RESERVED_NAMES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)))
)
"""Names of devices on Windows, with any ending: an archive that holds one cannot be unpacked there."""

_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error,
    EOFError, OSError, ValueError, NotImplementedError, RuntimeError, OverflowError, IndexError,
)  # fmt: skip
"""What the standard library raises for archives that are no archives."""


class ArtifactError(Exception):
    """An upload is refused; the message says what it holds and what would be right."""

    def __init__(self, message: str, field: str = "file") -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        """`file`, or the key of bot.toml that is wrong."""


@dataclass(frozen=True)
class Member:
    """One regular file of an archive."""

    path: str
    """Relative, normalised, with `/`; safe to join to a directory."""
    executable: bool
    chunks: Iterator[bytes]
    """The content, to be read before the next member; raises `ArtifactError` when a limit is passed."""


@dataclass
class _Budget:
    """Counts what has been unpacked against the limits."""

    packed: int
    unpacked: int = 0
    members: int = 0

    def take_member(self) -> None:
        self.members += 1
        if self.members > MAX_MEMBERS:
            raise ArtifactError(f"The archive has more than {MAX_MEMBERS} files and folders.")

    def take_bytes(self, count: int) -> None:
        self.unpacked += count
        if self.unpacked > MAX_UNPACKED_BYTES:
            raise ArtifactError(
                f"The archive unpacks to more than {size_text(MAX_UNPACKED_BYTES)}, which is the limit."
            )
        if self.unpacked > max(MIB, self.packed * MAX_RATIO):
            raise ArtifactError(
                f"The archive unpacks to more than {MAX_RATIO} times its size of {self.packed} bytes."
            )


class _Counted(io.RawIOBase):
    """A stream that charges what is read from it."""

    def __init__(self, source: IO[bytes] | gzip.GzipFile, budget: _Budget) -> None:
        self._source = source
        self._budget = budget

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(CHUNK_BYTES if size < 0 else size)
        self._budget.take_bytes(len(data))
        return data


def zip_members(data: bytes, ignored: set[str]) -> Iterator[Member]:
    """Yield every file of a zip archive, and add what is left out to `ignored`."""
    _check_central_directory(data)
    budget, paths = _Budget(len(data)), _Paths(ignored)
    with _damage_told("zip"), zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
        _check_overlaps(infos, archive.start_dir)
        for info in infos:
            budget.take_member()
            _check_zip_name(info)
            path = paths.admit(info.orig_filename, is_folder=info.is_dir())
            if path is None:
                continue
            mode = info.external_attr >> 16
            _check_zip_member(info, mode, path)
            with archive.open(info) as source:
                yield Member(path, bool(mode & 0o111), _chunks(_Counted(source, budget), "zip"))


def tar_members(data: bytes, ignored: set[str]) -> Iterator[Member]:
    """Yield every file of a tar.gz archive, and add what is left out to `ignored`."""
    budget, paths = _Budget(len(data)), _Paths(ignored)
    unzipped = _Counted(gzip.GzipFile(fileobj=io.BytesIO(data)), budget)  # headers are charged too
    with _damage_told("tar.gz"), tarfile.open(fileobj=unzipped, mode="r|") as archive:
        for info in archive:
            budget.take_member()
            path = paths.admit(info.name, is_folder=info.isdir())
            if path is None:
                continue
            _check_tar_member(info, path)
            source = archive.extractfile(info)
            if source is None:
                raise ArtifactError(f"{shown(path)} is no regular file; pack files and folders only.")
            yield Member(path, bool(info.mode & 0o111), _chunks(source, "tar.gz"))
    with _damage_told("tar.gz"):
        for chunk in chunks_of(unzipped):
            if chunk.strip(b"\0"):
                raise ArtifactError("The tar.gz archive is damaged: more data follows its end.")


def chunks_of(source: IO[bytes] | io.RawIOBase) -> Iterator[bytes]:
    """Yield the rest of a stream in pieces."""
    while chunk := source.read(CHUNK_BYTES):
        yield chunk


def _chunks(source: IO[bytes] | io.RawIOBase, kind: str) -> Iterator[bytes]:
    with _damage_told(kind):
        yield from chunks_of(source)


@contextmanager
def _damage_told(kind: str) -> Iterator[None]:
    """Turn whatever the standard library raises for a broken archive into an `ArtifactError`."""
    try:
        yield
    except _BROKEN as error:
        raise ArtifactError(f"The {kind} archive is damaged: {_reason(error)}.") from error


class _Paths:
    """Refuses names that lead astray or come twice, and leaves out what is ignored."""

    def __init__(self, ignored: set[str]) -> None:
        self.ignored = ignored
        self.files: dict[str, str] = {}
        """Case-folded path of every file to its path."""
        self.folders: dict[str, str] = {}
        """Case-folded path of every folder to a file in it."""

    def admit(self, name: str, *, is_folder: bool) -> str | None:
        """Return the normalised path of a file to keep, None for folders and ignored files."""
        parts = _parts(name)
        left_out = _ignored_part(parts, is_folder)
        if left_out is not None:
            self.ignored.add(left_out)
        if is_folder or not parts or left_out is not None:
            return None
        path = "/".join(parts)
        key = _folded(path)
        if key in self.files:
            twin = self.files[key]
            how = "is there twice" if twin == path else f"and {shown(twin)} differ in case or accents only"
            raise ArtifactError(f"{shown(path)} {how}; every file needs a name of its own.")
        self.files[key] = path
        for depth in range(1, len(parts)):
            self.folders.setdefault(_folded("/".join(parts[:depth])), path)
        clash = self.folders.get(key) or next(
            (self.files[folder] for folder in map(_folded, _parents(parts)) if folder in self.files), None
        )
        if clash is not None:
            raise ArtifactError(f"{shown(path)} and {shown(clash)} cannot both exist: one is a folder.")
        return path


def _ignored_part(parts: list[str], is_folder: bool) -> str | None:
    """Return the path up to the first ignored name (with `/` when it is a folder), or None."""
    for depth, part in enumerate(parts):
        if part in IGNORED_NAMES or part.endswith(".pyc"):
            is_last = depth + 1 == len(parts)
            return "/".join(parts[: depth + 1]) + ("" if is_last and not is_folder else "/")
    return None


def shown(text: str) -> str:
    """Return a stranger's name for a message: short, without control or direction characters."""
    clean = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    return clean if len(clean) <= 80 else clean[:77] + "..."


def _parts(name: str) -> list[str]:
    relative = "Only relative paths inside the archive are accepted, for example `data/table.bin`."
    if not name.isprintable():
        raise ArtifactError(f"The name {shown(name)} holds control or invisible characters, or is not UTF-8.")
    if "\\" in name:
        raise ArtifactError(f"The path {shown(name)} holds a backslash. {relative}")
    if name.startswith("/") or (len(name) > 1 and name[1] == ":"):
        raise ArtifactError(f"The path {shown(name)} is absolute. {relative}")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ArtifactError(f"The path {shown(name)} leads out of its folder. {relative}")
    if len(name) > MAX_PATH_CHARS or any(len(part.encode()) > MAX_PATH_CHARS for part in parts):
        raise ArtifactError(f"The path {shown(name)} is longer than {MAX_PATH_CHARS} characters.")
    for part in parts:
        if part.split(".")[0].rstrip(" ").lower() in RESERVED_NAMES or part != part.rstrip(". "):
            raise ArtifactError(
                f"The name {shown(part)} means something else on Windows, or cannot exist there; rename it."
            )
    return parts


def _parents(parts: list[str]) -> list[str]:
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _check_central_directory(data: bytes) -> None:
    """Refuse a zip whose list of members alone would take minutes and gigabytes to read."""
    end = len(data) - 22
    if data[end : end + 4] != b"PK\5\6" or data[-2:] != b"\0\0":
        end = data.rfind(b"PK\5\6", max(0, len(data) - 22 - 65_535))
    if end < 0 or len(data) < end + 22:
        raise ArtifactError("The zip archive is damaged: its end is missing (was the upload cut short?).")
    if data[max(0, end - 20) : end][:4] == b"PK\6\7":
        raise ArtifactError("The zip archive uses zip64, which archives of this size do not need.")
    (directory_bytes,) = struct.unpack_from("<L", data, end + 12)
    if directory_bytes > MAX_DIRECTORY_BYTES:
        raise ArtifactError(f"The archive has more than {MAX_MEMBERS} files and folders.")


def _check_overlaps(infos: list[zipfile.ZipInfo], directory_start: int) -> None:
    """Refuse members that share bytes: one compressed piece, listed a thousand times, is a bomb."""
    begins = sorted((info.header_offset, info.compress_size, info.orig_filename) for info in infos)
    ends = [*(offset for offset, _size, _name in begins[1:]), directory_start]
    for (offset, size, name), end in zip(begins, ends, strict=False):
        if offset + _LOCAL_HEADER_BYTES + size > end:
            raise ArtifactError(f"The zip archive is damaged: {shown(name)} overlaps with what follows it.")


def _check_zip_name(info: zipfile.ZipInfo) -> None:
    """Refuse a name whose characters can only be guessed at."""
    if not info.orig_filename.isascii() and not info.flag_bits & _UTF8_NAMES:
        raise ArtifactError(
            f"The name {shown(info.orig_filename)} is stored in an old, unnamed character set. "
            "Rename the file with ASCII letters, or pack it with a tool that writes UTF-8 names."
        )


def _check_zip_member(info: zipfile.ZipInfo, mode: int, path: str) -> None:
    if stat.S_ISLNK(mode):
        raise ArtifactError(f"{shown(path)} is a symbolic link; pack the file itself.")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise ArtifactError(f"{shown(path)} is no regular file; pack files and folders only.")
    if info.flag_bits & 0x1:
        raise ArtifactError(f"{shown(path)} is encrypted; pack it without a password.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArtifactError(f"{shown(path)} is packed by an unusual method; use plain zip (deflate).")


def _check_tar_member(info: tarfile.TarInfo, path: str) -> None:
    if info.issym() or info.islnk():
        kind = "symbolic" if info.issym() else "hard"
        raise ArtifactError(
            f"{shown(path)} is a {kind} link to {shown(info.linkname)}; pack the file itself."
        )
    if not info.isreg() or info.issparse():
        raise ArtifactError(
            f"{shown(path)} is no regular file (device, pipe or sparse file); pack files and folders only."
        )


def _reason(error: BaseException) -> str:
    text = shown(str(error)).rstrip(".")
    return text[:1].lower() + text[1:] if text else type(error).__name__
