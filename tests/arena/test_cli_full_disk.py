"""The `thousand` command where the disk is full, a stream is closed, or a file is no ordinary one."""

import gzip
import json
import os
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arena.commands.files import WRITER_S, read_file
from tests.viewer.matches import short_match

FULL = Path("/dev/full")


def thousand(*words: object, **options: Any) -> tuple[int, str]:
    """Run a command line in a process of its own; return exit code and errors."""
    argv = [sys.executable, "-m", "arena.cli", *map(str, words)]
    options = {"stdout": subprocess.DEVNULL, **options}
    done = subprocess.run(argv, stderr=subprocess.PIPE, text=True, check=False, **options)
    return done.returncode, done.stderr


def with_room(blocks: int, *words: object) -> tuple[int, str]:
    """Run a command line that can write so many 512 bytes into a file and no more: much like a full disk."""
    argv = shlex.join([sys.executable, "-m", "arena.cli", *map(str, words)])
    script = f"ulimit -f {blocks}; exec {argv}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["presets"], "thousand presets"),
        (["rules", "--json"], "thousand rules"),
        (["--help"], "thousand"),
        (["--version"], "thousand"),
        (["lab", "--help"], "thousand"),
    ],
)
def test_output_that_the_disk_does_not_take_is_one_line_and_no_success(words: list[str], name: str) -> None:
    with FULL.open("w") as full:
        code, err = thousand(*words, stdout=full)
    assert code == 1
    assert err == f"{name}: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(("descriptor", "name"), [(0, "input"), (1, "output")])
def test_a_closed_stream_is_said(descriptor: int, name: str) -> None:
    script = f"{sys.executable} -m arena.cli presets {descriptor}>&-"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"thousand: standard {name} is closed")


def test_a_letter_that_the_output_has_not_is_written_as_an_escape(tmp_path: Path) -> None:
    code, err = thousand("new", tmp_path / "бот", env={"PYTHONIOENCODING": "ascii"})
    assert (code, err) == (0, "")


def test_a_folder_whose_name_is_no_text_gets_a_bot_all_the_same(tmp_path: Path) -> None:
    code, err = thousand("new", tmp_path / "b\udcff")
    assert (code, err) == (0, "")
    assert 'name = "b\ufffd"' in (tmp_path / "b\udcff" / "bot.toml").read_text(encoding="utf-8")


def test_a_link_to_itself_is_no_folder_for_a_bot(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    code, err = thousand("new", tmp_path / "loop")
    assert code == 2
    assert err.startswith(f"thousand new: {tmp_path / 'loop'} cannot be written: ")


def test_where_a_bot_could_not_be_written_nothing_of_it_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    assert with_room(1, "new", folder) == (2, f"thousand new: {folder} cannot be written: File too large\n")
    assert list(folder.iterdir()) == []


def test_a_replay_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "match-1.json").write_text("kept")
    (tmp_path / "match-1.partial").mkdir()
    code, err = thousand(
        *("play", "easy", "easy", "easy", "--unsafe", "--set", "deal_limit=1", "--out", tmp_path)
    )
    assert code == 2
    assert f"{tmp_path / 'match-1.json'} cannot be written: " in err
    assert (tmp_path / "match-1.json").read_text() == "kept"


def test_a_lab_whose_journal_is_full_says_so_and_goes_on_there_later(tmp_path: Path) -> None:
    words = ["lab", "easy", "random", "--jobs", "1", "--state", tmp_path]
    code, err = with_room(8, *words, "--deals", 60)
    assert code == 1
    assert f"thousand lab: the journal {tmp_path}" in err
    assert "cannot be written: " in err
    code, err = thousand(*words, "--deals", 3)
    assert code == 0
    assert "blocks were played before" in err


@pytest.mark.parametrize("packed", [False, True])
def test_a_replay_may_come_out_of_a_pipe(packed: bool) -> None:
    text = json.dumps(short_match()).encode()
    argv = [sys.executable, "-m", "arena.cli", "verify", "/dev/stdin"]
    text = gzip.compress(text) if packed else text
    done = subprocess.run(argv, input=text, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "words",
    [
        ["check", "PIPE"],
        ["play", "easy", "PIPE", "easy"],
        ["lab", "PIPE", "easy"],
        ["verify", "PIPE"],
        ["explain", "PIPE"],
        ["counterfactual", "PIPE", "easy", "--seat", "0"],
    ],
)
def test_a_pipe_that_nobody_writes_into_is_not_waited_for(words: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, err = thousand(*(tmp_path / "pipe" if word == "PIPE" else word for word in words), timeout=60)
    assert code == 2
    assert f"{tmp_path / 'pipe'} cannot be read: the pipe is empty and nobody writes into it" in err


def test_a_named_pipe_is_read_to_its_end_however_slow_its_writer_is(tmp_path: Path) -> None:
    pipe, text = tmp_path / "pipe", json.dumps(short_match())
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("w") as file:
            time.sleep(WRITER_S + 0.2)
            file.write(text[:5000])
            file.flush()
            time.sleep(0.2)
            file.write(text[5000:])

    with ThreadPoolExecutor(1) as writers:
        writing = writers.submit(write)
        assert read_file(pipe, 1 << 20) == text.encode()
        writing.result()


def test_of_a_file_or_pipe_no_more_is_read_than_was_meant(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 100)
    reader, writer = os.pipe()
    os.write(writer, b"x" * 100)
    os.close(writer)
    for path in (tmp_path / "file", Path(f"/dev/fd/{reader}")):
        assert read_file(path, 10) == b"x" * 10
    os.close(reader)


def test_a_bot_without_end_is_too_large() -> None:
    code, err = thousand("check", "/dev/zero")
    assert (code, err) == (2, "thousand check: /dev/zero is larger than 20 MiB, which is the limit\n")
