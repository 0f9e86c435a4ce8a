"""`thousand score` and `thousand legal`: one JSON object a line in, one answer a line out."""

import io
import json
import sys
from pathlib import Path

import pytest

from arena.cli import main

CASES = json.loads(
    (Path(__file__).resolve().parents[1] / "engine" / "examples" / "scores.json").read_text(encoding="utf-8")
)
COUNTERS = {"total", "barrel", "attempts", "falls", "bolts", "run", "conc"}

DEAL = {
    "declarer": 0, "contract": 120, "forehand": 0,
    "cards": [77, 23, 20], "marr": [60, 0, 0], "tricks": [4, 4, 0],
}  # fmt: skip
CASE = {"preset": "android_classic", "overrides": {}, "before": {"total": [100, 200, 870]}, "deal": DEAL}
HAND = ["KS", "QS", "9S", "AH"]


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Feed lines (objects or text) to a command; return exit code, output lines and error lines."""

    def run(name: str, lines: list[object], *options: str) -> tuple[int, list[str], list[str]]:
        text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines)
        monkeypatch.setattr(
            sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogateescape")))
        )
        code = main([name, *options])
        output = capfd.readouterr()
        return code, output.out.splitlines(), output.err.splitlines()

    return run


def test_every_worked_example_is_answered_with_totals_events_winner_and_counters(command) -> None:
    code, out, err = command("score", CASES, "--json")
    assert (code, err) == (0, [])
    for case, line in zip(CASES, out, strict=True):
        answer = json.loads(line)
        assert set(answer) >= COUNTERS | {"events", "winner", "ledger"}
        for name, expected in case["expect"].items():
            found = sorted(answer[name]) if name == "events" else answer[name]
            assert found == (sorted(expected) if name == "events" else expected), (case["n"], name)
        for seat, total in enumerate(answer["total"]):
            changes = sum(row["amount"] for row in answer["ledger"] if row["seat"] == seat)
            assert total == case["before"]["total"][seat] + changes, case["n"]


def test_a_deal_is_told_as_the_paper_score_sheet_does(command) -> None:
    code, out, _ = command("score", [CASE])
    assert code == 0
    assert out == [
        "line 1: totals 220, 225, 880",
        "  seat 0: 100 -> 220: +120 the contract, made or failed",
        "  seat 1: 200 -> 225: +25 card points of a defender, rounded",
        "  seat 2: 870 -> 880: +20 card points of a defender, rounded; "
        "-10 points above the barrel's threshold on sitting down",
        "  seat 2 gets a bolt",
        "  seat 2 sits down on the barrel",
    ]


BAD_SCORES = [
    ("{", "line 2: line is '{'; expected one JSON object"),
    ("[1]", "line 2: line is [1]; expected one JSON object"),
    ('{"a": NaN}', "NaN is no number"),
    ('{"a": 1, "a": 2}', "the key 'a' is there twice"),
    ('{"a": ' + "[" * 5000 + "]" * 5000 + "}", "expected one JSON object"),
    ("\udcff", "expected one JSON object"),
    ({**CASE, "preset": "bridge"}, "line 2: preset='bridge' is not possible; expected one of"),
    ({**CASE, "overrides": {"bid_step": 7}}, "line 2: bid_step=7 is not possible; expected one of 1, 5, 10"),
    ({**CASE, "overrides": [1]}, "line 2: overrides is [1]; expected an object"),
    ({**CASE, "before": {"total": [1, 2]}}, "line 2: before.total is [1, 2]; expected a list of 3 numbers"),
    ({**CASE, "deal": {**DEAL, "contract": "x"}}, "line 2: deal.contract is 'x'; expected a whole number"),
    (
        {**CASE, "deal": {**DEAL, "declarer": 3}},
        "line 2: deal.declarer is 3; expected a whole number from 0 to 2",
    ),
    (
        {**CASE, "deal": {**DEAL, "cards": [True, 1, 2]}},
        "line 2: deal.cards is [True, 1, 2]; expected a list",
    ),
    ({**CASE, "before": 5}, "line 2: before is 5; expected an object"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD_SCORES, ids=range(len(BAD_SCORES)))
def test_a_bad_line_is_named_and_the_others_are_answered(command, bad: object, reason: str) -> None:
    code, out, err = command("score", [CASE, bad, CASE], "--json")
    assert code == 2
    assert len(err) == 1
    assert err[0].startswith("thousand score: line 2: ")
    assert reason in err[0]
    first, error, last = map(json.loads, out)
    assert first == last
    assert first["total"] == [220, 225, 880]
    assert set(error) == {"error"}
    assert set(error["error"]) == {"line", "field", "value", "expected", "message"}
    assert error["error"]["line"] == 2


def test_blank_lines_are_skipped_and_counted(command) -> None:
    code, out, err = command("score", ["", CASE, "  ", "nope"])
    assert code == 2
    assert out[0] == "line 2: totals 220, 225, 880"
    assert err[0].startswith("thousand score: line 4: line is 'nope'")


POSITIONS = [
    ({"preset": "tournament_default", "phase": "play", "hand": HAND, "trick": ["TS"]}, ["9S", "QS", "KS"]),
    ({"preset": "tens", "phase": "play", "hand": HAND, "trick": ["JS"]}, ["QS", "KS"]),
    ({"preset": "tournament_default", "phase": "play", "hand": HAND, "trick": ["TC"], "trump": "H"}, ["AH"]),
    (
        {
            "preset": "home_rules", "phase": "play", "hand": HAND, "trick": [], "trump": "H",
            "own_trump": False, "won": 1,
        },
        ["9S", "QS", "KS"],
    ),
    ({"preset": "tournament_default", "phase": "auction", "hand": HAND, "bid": 150}, [155, 160]),
    ({"preset": "tens", "phase": "contract", "hand": ["9S", "9H"], "bid": 100}, [100, 110, 120]),
]  # fmt: skip


@pytest.mark.parametrize(("position", "legal"), POSITIONS, ids=range(len(POSITIONS)))
def test_what_is_legal_in_a_position(command, position: dict[str, object], legal: list[object]) -> None:
    code, out, err = command("legal", [position], "--json")
    assert (code, err) == (0, [])
    answer = json.loads(out[0])
    assert set(answer) == {"legal", "cap"}
    assert sorted(answer["legal"], key=str) == sorted(legal, key=str)


def test_positions_in_words(command) -> None:
    auction = {"preset": "tournament_default", "phase": "auction", "hand": HAND, "bid": 150}
    play = {"preset": "tournament_default", "phase": "play", "hand": ["9S"], "trick": []}
    assert command("legal", [auction, play]) == (0, ["line 1: 155, 160 (cap 160)", "line 2: 9S"], [])


BAD_POSITIONS = [
    ({"hand": [5]}, "hand is [5]; expected a list of cards"),
    ({"hand": ["KS", "KS"]}, "hand is ['KS', 'KS']; expected a list of cards"),
    ({"trick": ["ZZ"]}, "trick is ['ZZ']; expected a list of cards"),
    ({"phase": "tea"}, "phase is 'tea'; expected auction, contract or play"),
    ({"trump": "X"}, "trump is 'X'; expected S, C, D, H or null"),
    ({"won": -1}, "won is -1; expected a whole number"),
    ({"phase": "auction", "bid": "x"}, "bid is 'x'; expected a whole number"),
    ({"preset": {}}, "preset={} is not possible"),
]


@pytest.mark.parametrize(("change", "reason"), BAD_POSITIONS, ids=range(len(BAD_POSITIONS)))
def test_a_bad_position_names_its_field(command, change: dict[str, object], reason: str) -> None:
    position = {"preset": "tournament_default", "phase": "play", "hand": HAND, "trick": []}
    code, _, err = command("legal", [{**position, **change}])
    assert code == 2
    assert len(err) == 1
    assert reason in err[0]
