"""`thousand lab` as its user types it: results, what it refuses, and going on after a kill."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import main
from arena.lab.blocks import Block
from arena.lab.inside import TIER
from arena.lab.journal import Journal, JournalError, UnusableJournalError
from arena.lab.summary import NO_BOUND_MEANS, summary, text_lines
from tests.arena.lab.comparisons import block, comparison

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def lab(capfd: pytest.CaptureFixture[str], tmp_path: Path):  # type: ignore[no-untyped-def] # a small closure
    """Run `thousand lab` with its journals in a folder of the test; return exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        try:
            code = main(["lab", "--state", str(tmp_path), *(str(word) for word in words)])
        except SystemExit as end:
            code = int(end.code or 0)
        output = capfd.readouterr()
        return code, output.out, output.err

    return run


def test_results_become_the_tables_of_the_strength_page(lab, tmp_path: Path) -> None:
    _code, out, _err = lab("easy", "random", "--deals", 3, "--jobs", 1, "--json")
    result = tmp_path / "result.json"
    result.write_text(out)
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "strength_tables.py", result],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    strengths, behaviour, times = (part.splitlines() for part in done.stdout.split("\n\n"))
    assert strengths[2].startswith("| easy – random | tournament_default | 3 of 3 deals |  | **+")
    assert [row.split(" | ")[0] for row in behaviour[2:]] == ["| easy", "| random"]
    assert {row.split(" | ")[2] for row in times[2:]} >= {"auction", "play"}
    for table in (strengths, behaviour, times):
        assert len({row.count("|") for row in table}) == 1


def test_deals_are_measured_kept_and_gone_on_with(lab, tmp_path: Path) -> None:
    code, out, err = lab("easy", "random", "--deals", 6, "--jobs", 1, "--json")
    assert (code, err) == (0, "")
    first = json.loads(out)
    assert (first["blocks"], first["matches"], first["deals"]) == (6, 18, 18)
    assert (first["elo"], first["faults"], first["sandbox"]) == (None, [], TIER)
    assert [side["bot"] for side in first["sides"]] == ["easy", "random"]
    assert first["sides"][0]["cpu_ms"]["play"]["p99"] > 0
    (journal,) = tmp_path.iterdir()
    kept = journal.read_bytes()
    journal.write_bytes(kept[:-40])  # killed while it wrote the last block
    code, out, err = lab("easy", "random", "--deals", 6, "--jobs", 2, "--json")
    assert "5 blocks were played before" in err
    again = json.loads(out)
    for result in (first, again):
        for side in result["sides"]:
            del side["cpu_ms"]
    assert again == first
    code, out, err = lab("easy", "random", "--deals", 4)
    assert "4 blocks of 3 deals, seed 0, in process" in out
    assert "played before" in err


def test_a_test_stops_by_itself_and_says_so(lab) -> None:
    code, out, _ = lab("easy", "random", "--deals", 20, "--sprt", "0,20", "--jobs", 1)
    assert code == 0
    assert "test [0, 20]: stronger after 16 blocks, LLR +" in out
    assert ", 16 blocks of 3 deals, seed 0" in out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["easy"], "the following arguments are required: BASE"),
        (["nope", "easy"], "no bot `nope`; expected a house bot (random, easy,"),
        (["easy:nose=1", "easy"], "easy has no parameter `nose`; known are"),
        (["easy", "easy", "--blocks", "0"], "'0' is not a whole number from 1 to 1000000"),
        (["easy", "easy", "--blocks", "2", "--deals", "2"], "not allowed with argument"),
        (
            ["easy", "easy", "--sprt", "5"],
            "--sprt 5: expected two numbers within ±2000, the lower first, such as 0,15",
        ),
        (["easy", "easy", "--sprt", "15,0"], "--sprt 15,0: expected two numbers"),
        (["easy", "easy", "--preset", "bridge"], "preset='bridge' is not possible"),
        (["easy", "easy", "--state", "/proc/nowhere"], "the journal /proc/nowhere/"),
        (["easy", "easy", "--state", "/dev/null"], "--state /dev/null is a file; expected a folder"),
        (["easy", "easy", "--state", f"{__file__}/x"], "cannot be opened: Not a directory"),
    ],
)
def test_wrong_usage_is_one_line_on_standard_error(lab, words: list[str], reason: str) -> None:
    code, out, err = lab(*words)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert reason in err


def test_a_journal_is_of_one_comparison_and_of_one_process(tmp_path: Path) -> None:
    easy = comparison("easy", "easy-bold")
    with Journal(tmp_path, easy, TIER) as journal:
        journal.add(block(0))
        with (
            pytest.raises(JournalError, match="another lab is playing this comparison"),
            Journal(tmp_path, easy, TIER),
        ):
            pass
    with Journal(tmp_path, easy, TIER) as journal:
        assert journal.blocks == {0: block(0)}
    for other in (comparison("easy:noise=1", "easy-bold"), comparison("easy", "easy-bold", deal_limit=3)):
        with Journal(tmp_path, other, TIER) as journal:
            assert journal.blocks == {}
    with Journal(tmp_path, easy, "none") as journal:
        assert journal.blocks == {}
    shutil.copy(journal.path, tmp_path / "kept")
    journal.path.write_text("{}\n{\n")
    with pytest.raises(UnusableJournalError, match="is damaged"), Journal(tmp_path, easy, "none"):
        pass


@pytest.mark.parametrize("kind", ["damaged", "pipe"])
def test_a_journal_that_is_none_is_wrong_usage(lab, tmp_path: Path, kind: str) -> None:
    assert lab("easy", "random", "--deals", 1, "--jobs", 1)[0] == 0
    (journal,) = tmp_path.iterdir()
    if kind == "damaged":
        journal.write_text("{}\n{\n")
    else:
        journal.unlink()
        os.mkfifo(journal)
    code, _out, err = lab("easy", "random", "--deals", 1, "--jobs", 1)
    assert code == 2
    assert err.startswith(f"thousand lab: the journal {journal} ")


def test_a_bound_that_blocks_do_not_give_is_said_and_explained() -> None:
    won, lost, even = ([block(0, halves=halves)] * 3 for halves in (12, 0, 6))
    for blocks, shown in ((won, ", no bound]"), (lost, "[no bound, ")):
        (line,) = [one for one in _lines(blocks) if one.startswith("Elo ")]
        assert shown in line
        assert "?" not in line
        assert NO_BOUND_MEANS in _lines(blocks)
    assert NO_BOUND_MEANS not in _lines(even)
    assert "points a deal  +0.00 [no bound, no bound]" in "\n".join(_lines(even[:1]))


def _lines(blocks: list[Block]) -> list[str]:
    return text_lines(summary(comparison(), blocks, TIER))


def test_a_bot_at_a_path_plays_as_a_process(lab, tmp_path: Path) -> None:
    bot = tmp_path / "mild.py"
    bot.write_text(
        "from bots_sdk import Bot, run\n\n\nclass Mild(Bot):\n"
        "    def choose(self, request):\n        return request.legal[0]\n\n\nrun(Mild())\n"
    )
    code, out, err = lab(bot, "easy", "--deals", 1, "--jobs", 1, "--unsafe", "--json")
    assert code == 0, err
    result = json.loads(out)
    assert (result["candidate"], result["sandbox"], result["faults"]) == ("mild", "none", [])
    assert result["sides"][0]["cpu_ms"]["play"]["decisions"] > 0
