"""The tools of this machine that build and run bots, and how a sandbox gets to see them.

The operator says where they are: `THOUSAND_TOOLCHAINS=rust=/opt/rust,go=off`, a folder with `bin/` in it for
each language, or `off`. What is not named is looked for in the usual places: the distribution's `/usr/bin`,
`/usr/local/go`, rustup's default tool chain, JDKs under `/usr/lib/jvm`.

Every sandbox shows the distribution's `/usr`, so tools that live there are used in place. A folder elsewhere
is shown at `/toolchain/<language>`; one that the slots' users could not walk to (in a home), or whose files
are links out of it, is first copied to the runtime folder, once (files are linked where the disk allows).
"""

import hashlib
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.sandbox.base import Bind
from arena.sandbox.folders import READABLE_DIRECTORY, reachable_by_others, runtime_folder
from arena.sandbox.runtime import kept_folder

SETTING = "THOUSAND_TOOLCHAINS"
OFF = "off"
INSIDE = "/toolchain"

_VERSION_TIMEOUT_S = 20


class ToolchainError(Exception):
    """The operator's setting names a place that is none; the text says which and what is expected."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a language's tools are made of."""

    programs: tuple[str, ...]
    """Under `bin/`; the first is what the language is known by. All must be there."""
    version: tuple[str, ...]
    """Arguments that make the first program tell its version."""
    left_out: tuple[str, ...] = ()
    """Folders and files, relative to the tool chain's, that a copy does without."""
    telltales: tuple[str, ...] = ()
    """Files that some distributions replace by links to places outside `/usr`."""


_KINDS = {
    "javascript": _Kind(("node",), ("--version",), ("include", "lib/node_modules", "share")),
    "c": _Kind(("gcc",), ("-dumpfullversion",)),
    "cpp": _Kind(("g++",), ("-dumpfullversion",)),
    "go": _Kind(("go",), ("version",), ("api", "doc", "test", "misc")),
    "rust": _Kind(("rustc", "cargo"), ("--version",), ("share", "etc", "libexec", "lib/rustlib/src")),
    "java": _Kind(
        ("java", "javac", "jar"),
        ("-version",),
        ("demo", "jmods", "legal", "man", "lib/src.zip"),
        ("lib/jvm.cfg", "conf/security/java.security"),
    ),
}


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language's tools on this machine."""

    language: str
    source: Path
    """The folder on the host whose `bin/` holds them."""
    bind: Bind | None
    """What a sandbox has to show; None for tools under `/usr`, which is always shown."""

    @property
    def inside(self) -> str:
        """The tools' folder as a sandbox shows it."""
        return self.bind.target if self.bind else str(self.source)

    @property
    def binds(self) -> tuple[Bind, ...]:
        """What a sandbox has to show."""
        return (self.bind,) if self.bind else ()

    def program(self, name: str) -> str:
        """Return the inside path of a program, for example `/usr/bin/gcc`."""
        return f"{self.inside}/bin/{name}"

    def version(self) -> str:
        """Ask the first program for its version, as in `gcc 12.2.0`; its bare name if it will not tell."""
        return _version(self.language, self.source)


@cache
def toolchain(language: str) -> Toolchain | None:
    """Return the tools of a language; None where this machine has none or the operator switched them off.

    Raises ToolchainError for a setting that cannot be followed, FolderError where no copy can be kept.
    """
    kind = _KINDS.get(language)
    if kind is None:
        return None
    named = _settings().get(language)
    if named == OFF:
        return None
    if named is not None:
        folder = Path(named)
        missing = [name for name in kind.programs if not (folder / "bin" / name).is_file()]
        if missing or not folder.is_absolute():
            raise ToolchainError(
                f"{SETTING} names {named} for {language}; expected an absolute path to a folder that holds "
                + " and ".join(f"bin/{name}" for name in kind.programs)
            )
        return _shown(language, kind, folder)
    for folder in _usual_places(language, kind):
        if all(os.access(folder / "bin" / name, os.X_OK) for name in kind.programs):
            return _shown(language, kind, folder)
    return None


def _settings() -> dict[str, str]:
    """Read `THOUSAND_TOOLCHAINS`: `language=folder` or `language=off`, separated by commas."""
    settings = {}
    for item in filter(None, (part.strip() for part in os.environ.get(SETTING, "").split(","))):
        language, separator, place = item.partition("=")
        if not separator or language not in _KINDS:
            raise ToolchainError(
                f"{SETTING} holds {item!r}; expected items such as rust=/opt/rust or go={OFF}, "
                f"separated by commas, for {', '.join(_KINDS)}"
            )
        settings[language] = place
    return settings


def _usual_places(language: str, kind: _Kind) -> Iterator[Path]:
    if language == "java":
        yield from sorted(Path("/usr/lib/jvm").glob("*"), reverse=True)
    if language == "rust":
        yield from _rustup_toolchain()
    if language == "go":
        yield Path("/usr/local/go")
    found = shutil.which(kind.programs[0])
    if found is not None:
        real = Path(found).resolve()
        if real.parent.name == "bin" and real.name == kind.programs[0]:
            yield real.parent.parent
        yield Path(found).parent.parent


def _rustup_toolchain() -> Iterator[Path]:
    """What rustup's shims would start: they themselves are of no use in a sandbox."""
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    with suppress(OSError, ValueError, KeyError):
        settings = tomllib.loads((home / "settings.toml").read_text())
        yield home / "toolchains" / settings["default_toolchain"]


def _shown(language: str, kind: _Kind, folder: Path) -> Toolchain:
    """Decide how a sandbox gets to see a folder of tools."""
    folder = folder.resolve()
    tidy = all(_stays_inside(folder, name) for name in kind.telltales)
    shared = folder.is_relative_to("/usr") and not folder.is_relative_to("/usr/local")
    if tidy and shared:
        return Toolchain(language, folder, None)
    if not tidy or not reachable_by_others(folder) or folder == Path("/usr/local"):
        return Toolchain(language, folder, Bind(_copy(language, kind, folder), f"{INSIDE}/{language}"))
    return Toolchain(language, folder, Bind(folder, f"{INSIDE}/{language}"))


def _stays_inside(folder: Path, name: str) -> bool:
    path = folder / name
    return not path.exists() or path.resolve().is_relative_to(folder)


def _copy(language: str, kind: _Kind, folder: Path) -> Path:
    """Give a copy in the runtime folder; one a version of the tools, known by their first program."""
    program = folder / "bin" / kind.programs[0]
    facts = [str(folder), *kind.left_out]
    for path in (program, *(folder / name for name in kind.telltales if (folder / name).exists())):
        found = path.stat()
        facts += [str(found.st_size), str(found.st_mtime_ns)]
    digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
    wanted = None if folder != Path("/usr/local") else {Path("bin", name) for name in kind.programs}

    def build(target: Path) -> None:
        for relative in _files(folder, kind, wanted):
            place = target / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            _link_or_copy((folder / relative).resolve(), place)
        for directory, _names, _files_there in os.walk(target):
            os.chmod(directory, READABLE_DIRECTORY)

    return kept_folder(runtime_folder(), f"toolchain-{language}-{digest}", build)


def _files(folder: Path, kind: _Kind, wanted: set[Path] | None) -> Iterator[Path]:
    left_out = {Path(name) for name in kind.left_out}
    for directory, names, files in os.walk(folder):
        here = Path(directory).relative_to(folder)
        names[:] = [name for name in names if here / name not in left_out]
        for name in files:
            relative = here / name
            if relative in left_out or (wanted is not None and relative not in wanted):
                continue
            if (folder / relative).is_file():
                yield relative


def _link_or_copy(source: Path, target: Path) -> None:
    """A file that everybody may read is linked: a tool chain is a gigabyte."""
    mode = source.stat().st_mode
    if mode & 0o004:
        with suppress(OSError):  # another disk, or a kernel that links only what one owns
            target.hardlink_to(source)
            return
    shutil.copyfile(source, target)
    target.chmod(0o755 if mode & 0o100 else 0o644)


@cache
def _version(language: str, folder: Path) -> str:
    kind = _KINDS[language]
    name = kind.programs[0]
    try:
        told = subprocess.run(
            [str(folder / "bin" / name), *kind.version],
            capture_output=True, text=True, timeout=_VERSION_TIMEOUT_S, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return name
    line = (told.stdout or told.stderr).strip().splitlines()[0]
    number = re.search(r"\d+(\.\d+)*", line)
    return f"{name} {number[0]}" if number else name
