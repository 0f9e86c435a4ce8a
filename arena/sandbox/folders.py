"""Folders on the host that every slot's user can reach: runtimes to show to bots, and staged bots.

They lie outside any home and outside the site's data, both of which are closed to the slots' users.
"""

import fcntl
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.cache_folder import cache_folder

READABLE_DIRECTORY = 0o755


class FolderError(Exception):
    """A folder the sandbox needs cannot be made or trusted; the text says which, why and what to do."""


def runtime_folder() -> Path:
    """Where runtimes are kept between matches: `$THOUSAND_RUNTIME`, else a usual place. Created if missing.

    As root `/var/lib/thousand/runtime`; otherwise the user's cache folder, or one in the temporary folder for
    users without a home.
    """
    return _first_usable(_runtime_candidates())


def stage_folder() -> Path:
    """Where bots are staged for a match; always on a file system of the host, never in a home."""
    return _first_usable([Path(tempfile.gettempdir()) / f"thousand-stage-{os.geteuid()}"])


@contextmanager
def new_stage() -> Iterator[Path]:
    """Give an empty folder with an opaque name for one match's bots, and remove it with all it holds.

    Folders left by killed runners are removed on the way: a living owner holds a lock on its own.
    """
    folder = stage_folder()
    _sweep(folder)
    stage = folder / secrets.token_hex(16)
    stage.mkdir(mode=0o700)
    handle = os.open(stage, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        stage.chmod(READABLE_DIRECTORY)
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        os.close(handle)


def _sweep(folder: Path) -> None:
    for stage in folder.iterdir():
        try:
            handle = os.open(stage, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            # A stage that its owner has made but not locked yet is still 0700.
            if stat.S_IMODE(os.fstat(handle).st_mode) == READABLE_DIRECTORY:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(stage, ignore_errors=True)
        except BlockingIOError:
            continue
        finally:
            os.close(handle)


def _runtime_candidates() -> list[Path]:
    chosen = os.environ.get("THOUSAND_RUNTIME")
    if chosen:
        return [Path(chosen).absolute()]
    temporary = Path(tempfile.gettempdir()) / f"thousand-runtime-{os.geteuid()}"
    if os.geteuid() == 0:
        return [Path("/var/lib/thousand/runtime"), temporary]
    return [cache_folder("runtime"), temporary]


def _first_usable(candidates: list[Path]) -> Path:
    problems = []
    for folder in candidates:
        try:
            _make(folder)
            _check_ours(folder)
        except (OSError, FolderError) as error:
            problems.append(f"{folder}: {error}")
        else:
            return folder
    raise FolderError("; ".join(problems) + ". Set THOUSAND_RUNTIME to a folder this user may write to.")


def _make(folder: Path) -> None:
    """Make the folder and what is missing above it readable by all, whatever the umask says."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(exist_ok=True)
        missing.chmod(READABLE_DIRECTORY)


def _check_ours(folder: Path) -> None:
    """What bots run as must not be anybody else's to change (the temporary folder is open to all)."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise FolderError("is not a directory")
    if found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise FolderError("belongs to, or can be changed by, another user")
    if not os.access(folder, os.W_OK):
        raise FolderError("cannot be written to")
    if os.geteuid() == 0 and not reachable_by_others(folder):
        raise FolderError("the slots' users cannot reach it")


def reachable_by_others(path: Path) -> bool:
    """May a user who owns nothing walk to `path` and read it? Judged by the mode bits on the way."""
    resolved = path.resolve()
    try:
        parents_open = all(os.stat(parent).st_mode & 0o001 for parent in resolved.parents)
        mode = os.stat(resolved).st_mode
    except OSError:
        return False
    return parents_open and bool(mode & 0o004) and (bool(mode & 0o001) or not stat.S_ISDIR(mode))
