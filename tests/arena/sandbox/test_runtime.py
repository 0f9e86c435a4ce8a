"""The folders Python bots run on: made once, whole or not at all, readable by all and changed by none."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox.folders import FolderError, reachable_by_others, runtime_folder
from arena.sandbox.runtime import python_runtime

CHECKOUT = Path(__file__).parents[3]

MAKE = "from arena.sandbox.runtime import python_runtime; r = python_runtime(); print(r.python, r.sdk)"


@pytest.fixture
def new_folder() -> Iterator[Path]:
    """A folder for runtimes, not made yet, in a place that every user can reach."""
    with tempfile.TemporaryDirectory() as parent, pytest.MonkeyPatch.context() as patch:
        Path(parent).chmod(0o755)
        patch.setenv("THOUSAND_RUNTIME", f"{parent}/runtime")
        yield Path(parent, "runtime")


def test_first_use_by_many_at_once_gives_all_the_same(new_folder: Path) -> None:
    (runtime_folder() / ".building-0123456789abcdef" / "left").mkdir(parents=True)
    commands = [[sys.executable, "-c", MAKE] for _ in range(4)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, cwd=CHECKOUT) for command in commands]
    answers = {process.communicate(timeout=60)[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0, 0]
    assert len(answers) == 1
    names = sorted(path.name for path in new_folder.iterdir())
    assert [name.split("-")[0] for name in names] == [".lock", "python", "sdk"], "nor what a killed one left"


def test_what_is_made_is_whole_and_never_made_again(new_folder: Path) -> None:
    runtime = python_runtime()
    before = {path: path.stat().st_ino for path in new_folder.iterdir()}
    assert python_runtime() == runtime
    assert {path: path.stat().st_ino for path in new_folder.iterdir()} == before
    everything = [path for folder in (runtime.python, runtime.sdk) for path in (folder, *folder.rglob("*"))]
    for path in everything:
        mode = path.lstat().st_mode
        assert path.is_symlink() or (mode & 0o004 and not mode & 0o022), path
    assert not {"site-packages", "test", "idlelib", "tkinter"} & {path.name for path in everything}
    sdk = runtime.sdk
    assert sorted(path.name for path in sdk.iterdir()) == ["bots_sdk", "engine"]
    assert (sdk / "engine" / "__init__.py").read_bytes() == (CHECKOUT / "engine/__init__.py").read_bytes()
    assert list((sdk / "engine" / "__pycache__").glob("*.pyc"))


def test_a_folder_anybody_may_change_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setenv("THOUSAND_RUNTIME", str(folder))
    with pytest.raises(FolderError, match="can be changed by"):
        runtime_folder()


@pytest.mark.skipif(os.geteuid() != 0, reason="other users' bots run only as root")
def test_a_folder_the_slots_users_cannot_reach_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    monkeypatch.setenv("THOUSAND_RUNTIME", str(closed / "runtime"))
    with pytest.raises(FolderError, match="cannot reach it"):
        runtime_folder()
    assert not reachable_by_others(closed / "runtime")
