"""What bots run on: the arena's own interpreter and the SDK, as folders that the slots' users can read.

The interpreter of a distribution (prefix `/usr`) is shown as it is. Any other is copied once, without its
tests and installed packages; the SDK is copied by the digest of its files, so that a match never sees an
edit half done. Copies are built aside and renamed into place: other processes see all of one or nothing.
"""

import compileall
import fcntl
import hashlib
import importlib.util
import os
import py_compile
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.folders import READABLE_DIRECTORY, FolderError, runtime_folder

SDK_PACKAGES = ("engine", "bots_sdk")

_LAYOUT = 1
"""Raised when what is copied, or how, changes: old copies are then left alone and new ones made."""

_UNUSED_DAYS = 14

_LEFT_OUT = {"__pycache__", "site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter"}
_LEFT_OUT |= {"turtledemo", "ensurepip", "lib2to3"}


@dataclass(frozen=True, slots=True)
class Runtime:
    """Host folders that a sandbox shows to Python bots."""

    python: Path
    """Interpreter and standard library; `python/bin/python3` starts it."""
    sdk: Path
    """Holds the packages `engine` and `bots_sdk`, and nothing else."""


def python_runtime() -> Runtime:
    """Give the runtime folders for this interpreter and this SDK, making them on first use.

    Safe under concurrent first use by many processes. Raises `FolderError` where nothing can be kept.
    """
    folder = runtime_folder()
    return Runtime(python=_interpreter(folder), sdk=_sdk(folder))


def _interpreter(folder: Path) -> Path:
    prefix = Path(sys.base_prefix).resolve()
    if prefix == Path("/usr"):
        name = f"python-{sys.version_info.major}.{sys.version_info.minor}-distribution-{_LAYOUT}"
        return kept_folder(folder, name, _link_distribution_python)
    facts = [str(_LAYOUT), sys.version, str(prefix)]
    for path in (_executable(), *sorted((prefix / "lib").glob("libpython*"))):
        facts += [path.name, str(path.stat().st_size), str(path.stat().st_mtime_ns)]
    digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
    version = ".".join(str(part) for part in sys.version_info[:3])
    return kept_folder(folder, f"python-{version}-{digest}", lambda target: _copy_python(prefix, target))


def _executable() -> Path:
    base: str = getattr(sys, "_base_executable", sys.executable)
    return Path(base).resolve()


def _link_distribution_python(target: Path) -> None:
    (target / "bin").mkdir(parents=True)
    (target / "bin" / "python3").symlink_to(_executable())


def _copy_python(prefix: Path, target: Path) -> None:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    library = prefix / "lib" / version
    (target / "bin").mkdir(parents=True)
    shutil.copy2(_executable(), target / "bin" / version)
    (target / "bin" / "python3").symlink_to(version)

    def ignore(directory: str, names: list[str]) -> set[str]:
        static = {name for name in names if name.endswith(".a") or name.startswith("config-")}
        return static | (_LEFT_OUT & set(names))

    shutil.copytree(library, target / "lib" / version, ignore=ignore)
    binaries = [_executable(), *library.glob("lib-dynload/*.so")]
    for needed in sorted(_libraries_inside(prefix, binaries)):
        shutil.copy2(needed, target / "lib" / needed.name)
    _compile(target / "lib")
    open_to_all(target)


def _libraries_inside(prefix: Path, binaries: list[Path]) -> set[Path]:
    """Shared libraries that the interpreter takes from its own prefix (`libpython` for one)."""
    listing = subprocess.run(
        [shutil.which("ldd") or "/usr/bin/ldd", *map(str, binaries)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    found = set()
    for line in listing.stdout.splitlines():
        _name, arrow, rest = line.partition("=>")
        path = Path(rest.split("(")[0].strip()) if arrow else None
        if path and path.is_absolute() and path.resolve().is_relative_to(prefix):
            found.add(path)
    return found


def _sdk(folder: Path) -> Path:
    files: dict[str, bytes] = {}
    for name in SDK_PACKAGES:
        root = _package_folder(name)
        for path in sorted(root.rglob("*")):
            relative = path.relative_to(root.parent)
            if path.is_file() and "__pycache__" not in relative.parts:
                files[str(relative)] = path.read_bytes()
    digest = hashlib.sha256(f"{_LAYOUT} {sys.version}".encode())
    for inside, content in files.items():
        digest.update(f"\0{inside}\0{len(content)}\0".encode() + content)

    def write(target: Path) -> None:
        for inside, content in files.items():
            path = target / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        _compile(target)
        open_to_all(target)

    return kept_folder(folder, f"sdk-{digest.hexdigest()[:16]}", write)


def _package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise FolderError(f"the package {name!r} is not installed; install thousand-arena as a whole")
    return Path(spec.submodule_search_locations[0])


def _compile(folder: Path) -> None:
    """Byte code beside the sources, trusted without a look at them: bots may not write any themselves."""
    compileall.compile_dir(
        folder, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH, stripdir=folder
    )


def open_to_all(folder: Path) -> None:
    """Let every user read a folder with all it holds, whatever the umask says."""
    for directory, _names, files in os.walk(folder):
        os.chmod(directory, READABLE_DIRECTORY)
        for name in files:
            path = Path(directory, name)
            if not path.is_symlink():
                executable = path.stat().st_mode & 0o100
                path.chmod(0o755 if executable else 0o644)


def kept_folder(folder: Path, name: str, build: Callable[[Path], None]) -> Path:
    """Give `folder/name`, built aside by the first who needs it and then renamed into place.

    `folder` is the runtime folder, or another of the same standing; `build` fills an empty one.
    """
    final = folder / name
    if not final.is_dir():
        with _locked(folder):
            if not final.is_dir():
                _remove_leftovers(folder)
                aside = folder / f".building-{secrets.token_hex(8)}"
                aside.mkdir()
                aside.chmod(READABLE_DIRECTORY)
                build(aside)
                aside.rename(final)
    os.utime(final)
    return final


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_leftovers(folder: Path) -> None:
    """Under the lock: what a killed builder left, and copies nobody has used for weeks."""
    oldest = time.time() - _UNUSED_DAYS * 86_400
    for path in folder.iterdir():
        unfinished = path.name.startswith(".building-")
        forgotten = path.name.startswith(("python-", "sdk-", "toolchain-")) and path.stat().st_mtime < oldest
        if unfinished or forgotten:
            shutil.rmtree(path, ignore_errors=True)
