"""`make test-sandbox`: attacks every sandbox tier of this machine, as root and as an ordinary user.

Runs the tests marked `attacks` (`--thorough`: the long ones too) and then looks for what they left behind:
processes, zombies, mounts, control groups, files. Root runs them a second time as a user made for it, from a
copy of what the tests need, because others may not be able to read this checkout.
"""

import argparse
import ctypes
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SELECTION = "attacks and not thorough"
THOROUGH = "attacks"
SUITE = (
    "tests/arena/sandbox",
    "tests/arena/test_referee_hostile.py",
    "tests/arena/test_referee_processes.py",
)
INSTALLED_SUITE = ("tests/arena/test_no_arena_fault.py",)
"""Starts runners, which find the arena only where it is installed: not in a copy."""

COPIED = ("arena", "engine", "bots_sdk", "tests", "tools")
COPIED_FILES = ("pyproject.toml", "hatch_build.py")
PACKAGES = (
    "pytest",
    "_pytest",
    "pluggy",
    "iniconfig",
    "packaging",
    "msgspec",
    "hypothesis",
    "sortedcontainers",
    "pygments",
)
PACKAGE_FILES = ("py.py", "pytest_timeout.py", "_hypothesis_*")

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_S = 30.0
"""The kernel takes a moment to end what was killed last, on a crowded machine a longer one."""


@dataclass(frozen=True)
class User:
    """Who the suite is run as besides root."""

    name: str
    uid: int
    gid: int


def main() -> int:
    """Run the suite and say what it left; 0 when all passed and nothing is left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thorough", action="store_true", help="the long tests too")
    parser.add_argument("arguments", nargs="*", help="passed on to pytest")
    options = parser.parse_args()
    selection = THOROUGH if options.thorough else SELECTION
    # Whatever a test orphans becomes our child, and so is seen.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before = _outside()
    failures = []
    with tempfile.TemporaryDirectory(prefix="thousand-suite-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        # Both at once: the tests mostly wait. The second one's output comes when the first has ended.
        if os.geteuid() == 0:
            with _new_user() as user, _started_as(user, place, selection, options.arguments) as second:
                failures += _run_here(place, selection, options.arguments)
                failures += second()
        else:
            failures += _run_here(place, selection, options.arguments)
    failures += _left(before)
    for failure in failures:
        print(f"test-sandbox: {failure}", file=sys.stderr)
    return 1 if failures else 0


def _run_here(place: Path, selection: str, arguments: list[str]) -> list[str]:
    home = place / "here"
    home.mkdir()
    home.chmod(0o755)
    command = [sys.executable, "-m", "pytest", "-m", selection, *SUITE, *INSTALLED_SUITE, *arguments]
    code = subprocess.run(command, cwd=ROOT, env={**os.environ, "TMPDIR": str(home)}, check=False).returncode
    who = "root" if os.geteuid() == 0 else f"user {os.geteuid()}"
    return ([f"the tests failed as {who}"] if code else []) + _files_left(home)


@contextmanager
def _started_as(
    user: User, place: Path, selection: str, arguments: list[str]
) -> Iterator[Callable[[], list[str]]]:
    """Start the suite as that user; give what waits for its end, prints its output and lists its failures."""
    sys.path.insert(0, str(ROOT))
    from arena.sandbox.runtime import python_runtime

    copy, home = place / "copy", place / "user"
    _copy_checkout(copy)
    home.mkdir()
    os.chown(home, user.uid, user.gid)
    python = python_runtime().python
    command = [str(python / "bin" / "python3"), "-m", "pytest", "-c", str(copy / "suite.ini")]
    command += [f"--rootdir={copy}", "-p", "no:cacheprovider", "-p", "pytest_timeout", "-m", selection]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "TMPDIR": str(home),
        "LD_LIBRARY_PATH": str(python / "lib"),
        "PYTHONPATH": f"{copy}:{copy / 'packages'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(home / "hypothesis"),
    }
    with (
        tempfile.TemporaryFile("w+") as output,
        subprocess.Popen(
            [*command, *SUITE, *arguments],
            cwd=copy,
            env=environment,
            user=user.uid,
            group=user.gid,
            extra_groups=[],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as process,
    ):

        def finish() -> list[str]:
            code = process.wait()
            output.seek(0)
            print(f"test-sandbox: as user {user.name} ({user.uid})\n{output.read()}", flush=True)
            return ([f"the tests failed as user {user.name}"] if code else []) + _files_left(home)

        try:
            yield finish
        finally:
            process.kill()


def _copy_checkout(copy: Path) -> None:
    """What the tests need, readable by everybody: sources, the packages they import, pytest's settings."""
    unwanted = shutil.ignore_patterns("__pycache__", "node_modules", "snapshots")
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=unwanted)
    for name in COPIED_FILES:
        shutil.copy2(ROOT / name, copy / name)
    packages = Path(__import__("pytest").__file__).parents[1]
    for name in PACKAGES:
        shutil.copytree(packages / name, copy / "packages" / name, ignore=unwanted)
    for path in packages.glob("*.dist-info"):  # versions are asked for by name, pytest's own too
        shutil.copytree(path, copy / "packages" / path.name)
    for pattern in PACKAGE_FILES:
        for path in packages.glob(pattern):
            shutil.copy2(path, copy / "packages" / path.name)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    lines = ["[pytest]"]
    for name in ("addopts", "markers", "filterwarnings", "timeout", "xfail_strict"):
        value = settings[name]
        lines.append(f"{name} = " + ("\n    ".join(["", *value]) if isinstance(value, list) else str(value)))
    (copy / "suite.ini").write_text("\n".join(lines) + "\n")
    for directory, _folders, files in os.walk(copy):
        Path(directory).chmod(0o755)
        for name in files:
            path = Path(directory, name)
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


@contextmanager
def _new_user() -> Iterator[User]:
    """Make a user who owns nothing, and remove him afterwards."""
    name = f"thousand-suite-{os.getpid()}"
    command = [
        "/usr/sbin/useradd",
        "--system",
        "--no-create-home",
        "--user-group",
        "--shell",
        "/usr/sbin/nologin",
        name,
    ]
    subprocess.run(command, check=True)
    try:
        entry = pwd.getpwnam(name)
        yield User(name, entry.pw_uid, entry.pw_gid)
    finally:
        subprocess.run(["/usr/sbin/userdel", name], check=True)


def _outside() -> dict[str, set[str]]:
    """What must be after the suite as it was before."""
    return {
        "mount": set(Path("/proc/self/mountinfo").read_text().splitlines()),
        "control group": {str(path) for path in _control_groups()},
        "child process": set(_children()),
    }


def _left(before: dict[str, set[str]]) -> list[str]:
    """What was not there before and stays, after a moment of patience."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        left = [
            f"left behind: {kind} {thing}"
            for kind, things in _outside().items()
            for thing in things - before[kind]
        ]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.2)


def _children() -> Iterator[str]:
    """Our children, running or not: what pytest left became ours."""
    for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        with suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            yield f"{pid} {Path(f'/proc/{pid}/comm').read_text().strip()} ({state})"


def _control_groups() -> Iterator[Path]:
    """Groups that the arena makes are called `thousand-…`."""
    for top in Path("/sys/fs/cgroup").glob("*"):
        if top.is_dir():
            yield from top.glob("**/thousand-*")


def _files_left(home: Path) -> list[str]:
    """Staged bots and scratch folders; runtimes are kept on purpose, and pytest's own folders by pytest."""
    left = [path for stage in home.glob("thousand-stage-*") for path in stage.iterdir()]
    left += home.glob("thousand-build-*")
    return [f"left behind: {path}" for path in left]


if __name__ == "__main__":
    sys.exit(main())
