"""The benchmark's own arithmetic, its programs and its command; nothing here is timed."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import engine
from arena.bench import comparing, peers, registry
from arena.bench.comparing import Compared, Rate, measure_compared, targets_of
from arena.bench.measuring import Bench, BenchError, interleaved, program
from arena.bench.peers import NoPeerError, interpreter_of
from arena.bench.rows import Row, exit_code, ratio, wanted
from arena.cli import main
from arena.commands import bench as command
from arena.commands.bench import line_of

ONCE = Bench(rounds=1)


@pytest.mark.parametrize(
    ("target", "value", "met"),
    [(">= 0.22", 0.22, True), (">= 0.22", 0.21, False), ("<= 2", 2.0, True), ("<= 2", 3.0, False),
     ("<= 2", None, None)],
)  # fmt: skip
def test_a_row_is_met_missed_or_neither(target: str, value: float | None, met: bool | None) -> None:
    row = Row("W1", "something", target, ratio=value)
    assert row.met is met
    assert row.to_json()["met"] is met


def test_the_exit_code_tells_missed_before_unmeasured() -> None:
    good, bad, none = (Row("W", "", ">= 1", ratio=value) for value in (1.0, 0.5, None))
    assert exit_code([good]) == 0
    assert exit_code([good, none]) == 3
    assert exit_code([none, bad, good]) == 1


def test_a_ratio_is_of_medians() -> None:
    assert ratio([10, 1000, 20], [40, 40, 1]) == 0.5


def test_rows_are_named_whole_or_by_their_beginning() -> None:
    ids = ["W1a", "W1b", "W2a", "W3"]
    assert wanted(ids, ["W1"]) == ["W1a", "W1b"]
    assert wanted(ids, ["W2a", "W3"]) == ["W2a", "W3"]
    assert wanted(ids, []) == ids


def test_a_row_is_json_and_back() -> None:
    row = Row("W3", "a / b", ">= 3", ratio=4.1, samples={"a": [1.0]})
    written = json.loads(json.dumps(row.to_json()))
    assert written == {
        "id": "W3", "what": "a / b", "ratio": 4.1, "target": ">= 3", "met": True, "unit": "", "why": "",
        "samples": {"a": [1.0]},
    }  # fmt: skip
    assert Row.from_json(written) == row


def test_every_row_has_one_id_and_a_target_that_can_be_read() -> None:
    assert len(registry.all_ids()) == len(set(registry.all_ids()))
    for group in registry.GROUPS:
        for name, (what, target) in group.targets.items():
            assert Row(name, what, target, ratio=1.0).met in (True, False)


def test_all_cells_are_asked_in_turn_and_the_first_round_is_thrown_away() -> None:
    asked = []

    def cell(name: str) -> Callable[[], float]:
        def measure() -> float:
            asked.append(name)
            return len(asked)

        return measure

    assert interleaved({"a": cell("a"), "b": cell("b")}, 2) == {"a": [3, 5], "b": [4, 6]}
    assert asked == ["a", "b"] * 3


def test_our_cells_run_in_the_form_they_are_asked_for() -> None:
    with program("engine", print) as ours, program("pure", print) as pure:
        assert ours.ask("form") == ("compiled" if engine.COMPILED else "pure")
        assert pure.ask("form") == "pure"


def test_a_program_that_ends_is_an_error_that_names_the_cell() -> None:
    with program("engine", print) as ours, pytest.raises(BenchError, match=r"cell nothing .*exit code 1"):
        ours.ask("nothing")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(peers, "PEERS", {"open_spiel": ("./there-is-no-such-package",)})
    monkeypatch.setattr(sys, "executable", "/bin/false")


@pytest.mark.usefixtures("no_network")
def test_a_peer_that_cannot_be_installed_is_missing_and_says_why() -> None:
    with pytest.raises(NoPeerError, match="open_spiel cannot be installed"):
        interpreter_of("open_spiel")


def test_a_row_without_its_peer_is_neither_met_nor_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(peer: str, say: object) -> Path:
        raise NoPeerError(f"no {peer} here")

    monkeypatch.setattr("arena.bench.measuring.interpreter_of", nowhere)
    rows = {
        "A": Compared("ours / theirs", ">= 1", Rate("engine", "fast"), (Rate("open_spiel", "slow"),)),
        "B": Compared("ours / ours", ">= 1", Rate("engine", "fast"), (Rate("engine", "slow"),)),
    }
    monkeypatch.setattr(comparing, "interleaved", lambda cells, rounds: {name: [len(name)] for name in cells})
    assert targets_of(rows)["A"] == ("ours / theirs", ">= 1")
    without, ours = measure_compared(rows, ["A", "B"], ONCE)
    assert (without.met, without.why) == (None, "no open_spiel here")
    assert (ours.ratio, ours.met) == (1, True)
    assert exit_code([without, ours]) == 3


def test_the_best_of_several_is_held_against() -> None:
    row = Compared("", ">= 1", Rate("a", "x"), (Rate("b", "x"), Rate("c", "x")))
    assert comparing.row_of("A", row, {"a x": [6.0], "b x": [2.0], "c x": [3.0]}, {}).ratio == 2


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """No measuring: one row that is met, and one without its peer."""
    asked: list[Sequence[str]] = []

    def measure_all(only: Sequence[str], bench: Bench) -> list[Row]:
        asked.append(only)
        return [Row("P1a", "a / b", ">= 1", 2.0), Row("P1b", "a / c", ">= 1", why="no c")]

    monkeypatch.setattr(command, "measure_all", measure_all)
    monkeypatch.setattr(command, "pin", lambda: 0)
    return asked


def test_the_command_prints_json(measured: list[Sequence[str]], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "P1", "--json"]) == 3
    report = json.loads(capsys.readouterr().out)
    assert measured == [["P1"]]
    assert set(report) == {"machine", "versions", "rows"}
    assert [row["met"] for row in report["rows"]] == [True, None]
    assert report["machine"]["engine"] in ("compiled", "pure")
    assert report["versions"]["chess"]


def test_the_command_prints_a_table(
    measured: list[Sequence[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench"]) == 3
    first, second = capsys.readouterr().out.splitlines()
    assert measured == [[]]
    assert first.split() == ["P1a", "2", ">=", "1", "met", "a", "/", "b"]
    assert "not measured" in second
    assert second.endswith("(no c)")
    assert "missed" in line_of(Row("P1a", "a / b", ">= 3", 2.0))


def test_rows_that_are_not_there_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "P1", "Q9"]) == 2
    assert "no row is called Q9; there are P1a" in capsys.readouterr().err


def test_the_c_reference_comes_to_the_engines_sums() -> None:
    with program("c", print) as reference:
        assert reference.ask("w_batch") > 0
        assert reference.ask("solve") > 0
