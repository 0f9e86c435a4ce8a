"""The folders Python bots run on: made once, whole or not at all, readable by all and changed by none."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.sandbox.folders import FolderError, reachable_by_others, runtime_folder
from arena.sandbox.runtime import python_runtime

CHECKOUT = Path(__file__).parents[3]

MAKE = "from arena.sandbox.runtime import python_runtime; r = python_runtime(); print(r.python, r.sdk)"


@dataclass(frozen=True)
class FirstUse:
    """A folder for runtimes that four processes came to at once, and what each of them said."""

    folder: Path
    answers: list[str]
    codes: list[int]


@pytest.fixture(scope="module")
def first_use() -> Iterator[FirstUse]:
    with tempfile.TemporaryDirectory() as parent, pytest.MonkeyPatch.context() as patch:
        Path(parent).chmod(0o755)  # every user can reach it
        patch.setenv("THOUSAND_RUNTIME", f"{parent}/runtime")
        (runtime_folder() / ".building-0123456789abcdef" / "left").mkdir(parents=True)
        running = [
            subprocess.Popen([sys.executable, "-c", MAKE], stdout=subprocess.PIPE, cwd=CHECKOUT, text=True)
            for _ in range(4)
        ]
        answers = [process.communicate()[0].strip() for process in running]
        yield FirstUse(Path(parent, "runtime"), answers, [process.returncode for process in running])


def test_first_use_by_many_at_once_gives_all_the_same(first_use: FirstUse) -> None:
    assert first_use.codes == [0, 0, 0, 0]
    assert len(set(first_use.answers)) == 1
    names = sorted(path.name for path in first_use.folder.iterdir())
    assert [name.split("-")[0] for name in names] == [".lock", "python", "sdk"], "nor what a killed one left"


def test_what_is_made_is_whole_and_never_made_again(first_use: FirstUse) -> None:
    before = {path: path.stat().st_ino for path in first_use.folder.iterdir()}
    runtime = python_runtime()
    assert f"{runtime.python} {runtime.sdk}" == first_use.answers[0]
    assert {path: path.stat().st_ino for path in first_use.folder.iterdir()} == before
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
