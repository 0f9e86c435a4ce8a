"""The data folder: named before settings are read, locked by one process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from thousand.operations.datalock import DataFolderInUseError, DataLock
from thousand.settings.data_option import take_data_option
from thousand.settings.secret import read_or_create_secret_key


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["manage.py", "up", "--data", "/d", "--port", "1"], ["manage.py", "up", "--port", "1"]),
        (["manage.py", "--data=/d", "migrate"], ["manage.py", "migrate"]),
        (["manage.py", "audit", "--data", "/d"], ["manage.py", "audit"]),
    ],
)
def test_the_data_option_is_taken_anywhere(
    monkeypatch: pytest.MonkeyPatch, given: list[str], kept: list[str]
) -> None:
    monkeypatch.delenv("THOUSAND_DATA", raising=False)
    assert take_data_option(given) == kept
    assert os.environ["THOUSAND_DATA"] == "/d"


def test_words_after_two_dashes_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THOUSAND_DATA", "/before")
    assert take_data_option(["manage.py", "x", "--", "--data", "y"]) == [
        "manage.py",
        "x",
        "--",
        "--data",
        "y",
    ]
    assert os.environ["THOUSAND_DATA"] == "/before"


@pytest.mark.parametrize("given", [["manage.py", "up", "--data"], ["manage.py", "--data="]])
def test_a_data_option_without_a_folder_is_refused(given: list[str]) -> None:
    with pytest.raises(SystemExit, match="--data needs a folder"):
        take_data_option(given)


def test_a_folder_is_taken_once_and_the_refusal_names_the_process(tmp_path: Path) -> None:
    lock = DataLock(tmp_path / "data")
    lock.take()
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    with pytest.raises(DataFolderInUseError, match=f"process {os.getpid()}") as refusal:
        DataLock(tmp_path / "data").take()
    assert refusal.value.pid == os.getpid()
    lock.release()
    DataLock(tmp_path / "data").take()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from thousand.operations.datalock import DataLock; "
        "DataLock(Path(sys.argv[1])).take(); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    DataLock(tmp_path).take()


def test_the_secret_key_is_made_once_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    key = read_or_create_secret_key(tmp_path / "data")
    assert read_or_create_secret_key(tmp_path / "data") == key
    assert len(key) >= 50
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_a_data_folder_that_cannot_be_used_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "data", Path("/proc/data")):
        with pytest.raises(SystemExit, match=f"The data folder {folder} cannot be used: .*--data"):
            read_or_create_secret_key(folder)
