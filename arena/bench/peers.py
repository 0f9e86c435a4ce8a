"""What we are measured beside, each in a throw-away environment of its own.

The environments lie in the user's cache folder and may be deleted at any time; the next run makes them anew.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from arena.cache_folder import cache_folder

PEERS: Final = {
    "open_spiel": ("open_spiel==2.0.2",),
    "endplay": ("endplay==0.5.12",),
    "chess": ("chess==1.11.2",),
    "kaggle": ("kaggle-environments==1.33.2",),
}
"""What pip installs, by peer."""
INSTALL_S: Final = 900


class NoPeerError(Exception):
    """A peer cannot be had on this machine; the text says why."""


def interpreter_of(peer: str, say: Callable[[str], None] = lambda line: None) -> Path:
    """Return the interpreter of a peer's environment, which is made if need be; NoPeerError if it cannot."""
    wanted = PEERS[peer]
    folder = cache_folder("bench") / f"{'-'.join(wanted)}-{sys.implementation.cache_tag}"
    python = folder / "bin" / "python"
    if (folder / "complete").is_file():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    say(f"installing {' '.join(wanted)}")
    _run([sys.executable, "-m", "venv", str(folder)], peer)
    _run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *wanted], peer)
    (folder / "complete").touch()
    return python


def _run(argv: list[str], peer: str) -> None:
    try:
        subprocess.run(argv, check=True, capture_output=True, text=True, timeout=INSTALL_S)
    except subprocess.CalledProcessError as error:
        last = [line for line in f"{error.stdout}{error.stderr}".splitlines() if line.strip()][-1:]
        raise NoPeerError(f"{peer} cannot be installed: {''.join(last)}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoPeerError(f"{peer} cannot be installed: {error}") from error
