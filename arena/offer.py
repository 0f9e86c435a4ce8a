"""What this machine offers to bots: languages with their tools, and the libraries of Python.

`python -m arena.offer --tier TIER` prints it as JSON; a worker tells it with every heartbeat, so that the
site takes only what some worker can build and play.
"""

import argparse
import platform
import sys
from collections.abc import Sequence

import msgspec

from arena.languages import LANGUAGES
from arena.libraries import installed_libraries
from arena.sandbox.folders import FolderError
from arena.toolchains import ToolchainError, toolchain

WITHOUT_BUILDS = ("landlock",)
"""Tiers that start no further processes and have nothing writable, as compilers need."""


class Offer(msgspec.Struct, frozen=True):
    """Languages and libraries of a machine."""

    languages: tuple[tuple[str, str], ...]
    """(name, version of its tools), in the order of `LANGUAGES`; without tools of its own the version of
    the machine."""
    libraries: tuple[str, ...] = ()
    """What Python bots may import, as `numpy 2.4.6`."""
    libraries_digest: str = ""

    @property
    def names(self) -> frozenset[str]:
        """The names of the languages."""
        return frozenset(name for name, _version in self.languages)


def offer_of(tier: str) -> Offer:
    """Return what this machine offers where `tier` is its sandbox.

    Raises ToolchainError for a setting of the operator's that cannot be followed.
    """
    languages = []
    for language in LANGUAGES.values():
        if language.built and tier in WITHOUT_BUILDS:
            continue
        version = _tools_version(language.name)
        if version is not None:
            languages.append((language.name, version))
    libraries = installed_libraries()
    return Offer(
        tuple(languages),
        libraries.distributions if libraries else (),
        libraries.digest if libraries else "",
    )


def _tools_version(language: str) -> str | None:
    if language == "python":
        return f"CPython {platform.python_version()}"
    if language == "executable":
        return f"Linux {platform.machine()}"
    try:
        tools = toolchain(language)
    except FolderError:
        return None  # found, but the slots' users cannot be shown them
    return tools.version() if tools else None


def main(argv: Sequence[str] | None = None) -> int:
    """Print the offer as JSON."""
    parser = argparse.ArgumentParser(prog="python -m arena.offer", description=__doc__)
    parser.add_argument("--tier", required=True, help="the sandbox that was proved")
    options = parser.parse_args(argv)
    try:
        sys.stdout.write(msgspec.json.encode(offer_of(options.tier)).decode() + "\n")
    except ToolchainError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
