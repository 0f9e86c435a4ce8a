"""The one folder of libraries that Python bots may import besides the standard library and the SDK.

`requirements/runtime.lock` says what is in it; `python -m arena.libraries install LOCK` (part of
`make install`) puts it into the runtime folder, for the interpreter that runs it. Every sandbox shows it
read-only at `/runtime/python`; the host's own packages are never shown. Its digest travels with each
heartbeat, so that the site can tell workers apart that would play the same bot differently.
"""

import argparse
import compileall
import hashlib
import json
import os
import platform
import py_compile
import secrets
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from arena.sandbox.base import Bind
from arena.sandbox.folders import FolderError, runtime_folder
from arena.sandbox.runtime import open_to_all

LIBRARIES_DIR = "/runtime/python"
"""Where the folder lies inside every sandbox; on the import path of every Python bot."""

_LISTING = "libraries.json"
_OF_THE_INSTALLER = frozenset(("RECORD", "INSTALLER", "REQUESTED", "direct_url.json"))
"""Files of a distribution that tell about the machine that installed it."""


@dataclass(frozen=True, slots=True)
class Libraries:
    """An installed folder of libraries."""

    folder: Path
    digest: str
    """SHA-256 (hex) over the lock, and name and content of every file."""
    distributions: tuple[str, ...]
    """`name version`, sorted, for example `numpy 2.4.6`."""

    @property
    def bind(self) -> Bind:
        """What a sandbox has to show."""
        return Bind(self.folder, LIBRARIES_DIR)


def installed_libraries() -> Libraries | None:
    """Return the libraries installed for this interpreter; None where there are none."""
    try:
        folder = (runtime_folder() / _link_name()).resolve(strict=True)
        listing = json.loads((folder / _LISTING).read_bytes())
        return Libraries(folder, listing["digest"], tuple(listing["distributions"]))
    except (FolderError, OSError, ValueError, KeyError):
        return None


def install_libraries(lock: Path) -> Libraries:
    """Install what the lock names, every file checked against its hash, unless that is there already.

    Built aside and linked into place: a match that runs keeps the folder it began with. Raises
    CalledProcessError when pip fails (its own words are on standard error), FolderError without a place.
    """
    parent = runtime_folder()
    facts = "\n".join([sys.version, platform.machine()]).encode()
    name = f"libraries-{hashlib.sha256(facts + lock.read_bytes()).hexdigest()[:16]}"
    final, link = parent / name, parent / _link_name()
    if not (final / _LISTING).is_file():
        aside = parent / f".building-{secrets.token_hex(8)}"
        try:
            _install(lock, aside)
            _write_listing(lock, aside)
            open_to_all(aside)
            if final.is_dir():
                shutil.rmtree(final)
            aside.rename(final)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    if not link.is_symlink() or os.readlink(link) != name:
        new = parent / f".link-{secrets.token_hex(8)}"
        new.symlink_to(name)
        new.replace(link)
    libraries = installed_libraries()
    if libraries is None:
        raise FolderError(f"{final} was installed but cannot be read back")
    return libraries


def _link_name() -> str:
    return f"libraries-{sys.implementation.cache_tag}-{platform.machine()}"


def _install(lock: Path, folder: Path) -> None:
    folder.mkdir()
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--no-compile", "--no-deps", "--require-hashes", "--only-binary", ":all:"),
            *("--target", str(folder), "--requirement", str(lock)),
        ],
        check=True,
    )
    for scripts in ("bin", "Scripts"):  # commands are of no use to a bot
        shutil.rmtree(folder / scripts, ignore_errors=True)
    for tests in [path for path in folder.rglob("tests") if path.is_dir()]:
        shutil.rmtree(tests)
    compileall.compile_dir(
        folder, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH, stripdir=folder
    )


def _write_listing(lock: Path, folder: Path) -> None:
    digest = hashlib.sha256(lock.read_bytes())
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc" and path.name not in _OF_THE_INSTALLER:
            content = hashlib.sha256(path.read_bytes()).digest()
            digest.update(f"\0{path.relative_to(folder)}\0".encode() + content)
    found = sorted(f"{one.metadata['Name']} {one.version}" for one in distributions(path=[str(folder)]))
    listing = {"digest": digest.hexdigest(), "distributions": found}
    (folder / _LISTING).write_text(json.dumps(listing, indent=1))


def main() -> int:
    """Install from a lock, or list what is installed."""
    parser = argparse.ArgumentParser(
        prog="python -m arena.libraries", description="The libraries of Python bots."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("install", help="install from a lock file").add_argument("lock", type=Path)
    commands.add_parser("list", help="say what is installed")
    options = parser.parse_args()
    libraries = install_libraries(options.lock) if options.command == "install" else installed_libraries()
    if libraries is None:
        sys.stderr.write("No libraries are installed for this interpreter; `make install` does it.\n")
        return 1
    sys.stdout.write(f"{libraries.folder}: {', '.join(libraries.distributions)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
