"""`thousand score` and `thousand legal`: one JSON object a line in, one answer a line out."""

import io
import json
import sys
from pathlib import Path
from typing import Any

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
CASE: dict[str, Any] = {
    "preset": "android_classic",
    "overrides": {},
    "before": {"total": [100, 200, 870]},
    "deal": DEAL,
}
BEFORE = CASE["before"]
FOUR: dict[str, Any] = {
    "preset": "club_four",
    "before": {"total": [0, 0, 0, 0]},
    "deal": {
        "declarer": 0, "contract": 120, "forehand": 0, "dealer_out": 3, "widow": ["9S", "9C", "9D"],
        "cards": [77, 23, 20, 0], "marr": [60, 0, 0, 0], "tricks": [4, 4, 0, 0],
    },
}  # fmt: skip
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
    (
        {**CASE, "before": {**BEFORE, "bolts": [0, -1, 0]}},
        "before.bolts is [0, -1, 0]; expected a list of 3 whole",
    ),
    ({**CASE, "before": {**BEFORE, "attempts": [3, 0, 0]}}, "expected a list of 3 whole numbers from 0 to 2"),
    ({**CASE, "before": {**BEFORE, "barrel": [0, 0, 1]}}, "expected a list of 3 flags (true or false)"),
    (
        {**CASE, "before": {**BEFORE, "golden_made": "no"}},
        "before.golden_made is 'no'; expected true or false",
    ),
    ({**CASE, "before": {**BEFORE, "totl": 1}}, "before has no 'totl'; did you mean total? expected only"),
    (
        {**CASE, "before": {"total": [100, 200, 900]}},
        "before.total[2] is 900; expected less than 880, or before.barrel[2] = true and 880",
    ),
    ({**CASE, "before": {"total": [100.5, 0, 0]}}, "before.total[0] is 100.5; expected a whole number"),
    ({**CASE, "before": {"total": [-(10**400), 0, 0]}}, "expected a total from -1000000"),
    (
        json.dumps({**CASE, "before": {"total": [0, 0, 5]}}).replace("5]", "1e999]"),
        "before.total is [0, 0, inf]",
    ),
    (
        {**CASE, "before": {"total": [0, 0, 870], "barrel": [False, False, True]}},
        "before.total[2] is 870; expected 880, where a player on the barrel stands",
    ),
    (
        {**CASE, "before": {"total": [0, 0, 870], "attempts": [0, 0, 1]}},
        "before.attempts[2] is 1; expected 0 for a player who is not on the barrel",
    ),
    (
        {"preset": "tens", "before": {"total": [0, 0, 1000]}, "deal": DEAL},
        "before.total[2] is 1000; expected less than 1000: with that the match is over",
    ),
    (
        {"preset": "tens", "before": {"total": [0, 0, 0], "barrel": [True, False, False]}, "deal": DEAL},
        "before.barrel[0] is true; expected false: this ruleset has no barrel",
    ),
    (
        {**CASE, "deal": {**DEAL, "cards": [77, 23, 30]}},
        "deal.cards is [77, 23, 30]; expected card points that sum to at most 120; these sum to 130",
    ),
    ({**CASE, "deal": {**DEAL, "cards": [130, -10, 0]}}, "deal.cards is [130, -10, 0]; expected a list of 3"),
    ({**CASE, "deal": {**DEAL, "cards": [77.5, 22.5, 20]}}, "expected a list of 3 whole numbers"),
    ({**CASE, "deal": {**DEAL, "tricks": [4, 4, 4]}}, "expected at most 8 tricks in all; these are 12"),
    (
        {**CASE, "deal": {**DEAL, "marr": [60, 60, 0]}},
        "deal.marr is [60, 60, 0]; expected sums of different marriages of 40, 60, 80, 100, each",
    ),
    ({**CASE, "deal": {**DEAL, "marr": [200, 0, 90]}}, "deal.marr is [200, 0, 90]; expected sums"),
    (
        {**CASE, "deal": {**DEAL, "contract": 123}},
        "deal.contract is 123; expected a multiple of 5 from 100 to 400",
    ),
    (
        {**CASE, "deal": {**DEAL, "contract": 405}},
        "deal.contract is 405; expected a multiple of 5 from 100 to 400",
    ),
    ({**CASE, "deal": {**DEAL, "forehand": -1}}, "deal.forehand is -1; expected a whole number from 0 to 2"),
    ({**CASE, "deal": {**DEAL, "nines": 3}}, "deal.nines is 3; expected a whole number from 0 to 2"),
    (
        {**CASE, "deal": {**DEAL, "kind": "golden"}},
        "deal.kind is 'golden'; expected normal: this ruleset has no",
    ),
    ({**CASE, "deal": {**DEAL, "outcome": "thrown"}}, "nobody can throw his cards here"),
    (
        {**CASE, "deal": {**DEAL, "dealer_out": 2}},
        "deal.dealer_out is 2; expected null: with 3 players nobody",
    ),
    ({**CASE, "deal": {**DEAL, "kinds": "blind"}}, "deal has no 'kinds'; did you mean kind? expected only"),
    ({**CASE, "override": {}}, "'override' is no key of a case; did you mean overrides?"),
    ({**CASE, "preset": None}, "preset is null; expected the name of a preset"),
    ({key: CASE[key] for key in ("preset", "deal")}, "before is null; expected an object"),
    ({key: CASE[key] for key in ("preset", "before")}, "deal is null; expected an object"),
    (
        {**CASE, "deal": {key: DEAL[key] for key in DEAL if key != "marr"}},
        "deal.marr is null; expected a list",
    ),
    (
        FOUR | {"deal": {**FOUR["deal"], "dealer_out": None}},
        "deal.dealer_out is null; expected 3, the dealer",
    ),
    (FOUR | {"deal": {**FOUR["deal"], "dealer_out": 2}}, "deal.dealer_out is 2; expected 3, the dealer"),
    (FOUR | {"deal": {**FOUR["deal"], "declarer": 3}}, "deal.declarer is 3; expected a seat that plays"),
    (
        FOUR | {"deal": {**FOUR["deal"], "cards": [77, 23, 0, 20]}},
        "deal.cards[3] is 20; expected 0 for the dealer",
    ),
    (FOUR | {"deal": {**FOUR["deal"], "widow": ["9S"]}}, "deal.widow is ['9S']; expected the three cards"),
    ('{"a": "' + "x" * 1024 * 1024 + '"}', "the line has more than 1048576 bytes"),
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
    ({"preset": "tins"}, "preset='tins' is not possible; did you mean tens?"),
    ({"hand": None}, "hand is null; expected a list of cards"),
    ({"hand": []}, "hand is []; expected the cards of the seat that is to play"),
    ({"hand": [rank + suit for rank in "9JQ" for suit in "SCDH"] + ["AS"]}, "expected at most 12 cards"),
    ({"hand": {"KS": 1}}, "hand is {'KS': 1}; expected a list of cards"),
    ({"hand": ["10S"]}, "hand is ['10S']; expected a list of cards"),
    ({"trick": ["9C", "KS"]}, "trick is ['KS']; expected cards that are not in the hand"),
    ({"trick": ["9C", "9D", "9H"]}, "trick is ['9C', '9D', '9H']; expected at most 2 cards before"),
    ({"preset": "two_player_stock", "trick": ["9C", "9D"]}, "expected at most 1 card before this seat plays"),
    ({"trick": ["9C", "9C"]}, "trick is ['9C', '9C']; expected a list of cards"),
    ({"trick": "9C"}, "trick is '9C'; expected a list of cards"),
    ({"trump": ["S"]}, "trump is ['S']; expected S, C, D, H or null"),
    ({"own_trump": True}, "own_trump is true; expected false where trump is null"),
    ({"own_trump": 1, "trump": "S"}, "own_trump is 1; expected true or false"),
    ({"won": 9}, "won is 9; expected a whole number from 0 to 8"),
    ({"won": True}, "won is true; expected a whole number"),
    ({"won": 10**400}, "won is 1000"),
    ({"phase": None}, "phase is null; expected auction, contract or play"),
    ({"phase": "auction", "bid": 1e300}, "bid is 1e+300; expected a whole number"),
    ({"phase": "contract", "bid": 102}, "bid is 102; expected a multiple of 5 from 100 to 400"),
    ({"phase": "auction", "bid": 600}, "bid is 600; expected a multiple of 5 from 100 to 400"),
    ({"tricks": 2}, "'tricks' is no key of a case; did you mean trick?"),
]


@pytest.mark.parametrize(("change", "reason"), BAD_POSITIONS, ids=range(len(BAD_POSITIONS)))
def test_a_bad_position_names_its_field(command, change: dict[str, object], reason: str) -> None:
    position = {"preset": "tournament_default", "phase": "play", "hand": HAND, "trick": []}
    code, _, err = command("legal", [{**position, **change}])
    assert code == 2
    assert len(err) == 1
    assert reason in err[0]


@pytest.mark.parametrize("name", ["score", "legal"])
@pytest.mark.parametrize(
    "line",
    [
        "null", "true", "7", '"case"', "[]", "{", "{}}", '{"a" 1}', "{'a': 1}", "\x00", "\ufeff{}",
        '{"a": Infinity}',
        '{"preset": "' + "\\ud800" * 200 + '"}', '{"preset": ' + "9" * 5000 + "}", "[" * 100_000,
        '{"preset": "tens", "preset": "tens"}', '{"before": {"total": 1, "total": 2}}',
    ],
)  # fmt: skip
def test_a_hostile_line_is_one_clear_line_and_those_around_it_are_answered(
    command, name: str, line: str
) -> None:
    good = {"score": CASE, "legal": POSITIONS[0][0]}[name]
    code, out, err = command(name, [good, line, good], "--json")
    assert code == 2
    assert len(err) == 1
    assert err[0].startswith(f"thousand {name}: line 2: ")
    assert len(err[0]) < 600
    assert err[0].isprintable()
    first, error, last = map(json.loads, out)
    assert first == last
    assert set(error) == {"error"}
    assert len(out[1]) < 1500


def test_contracts_over_a_thousand_are_scored_where_marriages_are_worth_so_much(command) -> None:
    worth = {"marriage_values": "custom", "marriage_values_map": dict.fromkeys("SCDH", 400)}
    deal = {**DEAL, "contract": 1200, "marr": [1200, 0, 0]}
    code, out, err = command("score", [{**CASE, "overrides": worth, "deal": deal}], "--json")
    assert (code, err) == (0, [])
    assert json.loads(out[0])["result"] == "made"
    position = {"preset": "tens", "phase": "auction", "hand": HAND, "bid": 1100, "overrides": worth}
    code, out, err = command("legal", [position], "--json")
    assert (code, err, json.loads(out[0])) == (0, [], {"legal": [], "cap": 520})


def test_half_points_are_read_and_written_where_the_ruleset_has_them(command) -> None:
    case = {
        "preset": "skill_games",
        "overrides": {"concession_half_rounding": "exact"},
        "before": {"total": [10, 52.5, 0]},
        "deal": {"declarer": 0, "contract": 105, "forehand": 0, "outcome": "conceded"},
    }
    code, out, err = command("score", [case], "--json")
    assert (code, err) == (0, [])
    assert json.loads(out[0])["total"] == [-95, 105, 52.5]
    assert command("score", [case])[1][0] == "line 1: totals -95, 105, 52.5"
