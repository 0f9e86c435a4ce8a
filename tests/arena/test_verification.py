"""Replays of other versions: not wrong, not played again where the rules are others, and told as such."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.replay import engine_version
from arena.verification import verify_replay
from engine import RULES_VERSION, RecordError, Ruleset, RulesetError

OLD = Path(__file__).with_name("old_replays")
"""Recorded once and never renewed: what earlier versions wrote must open for ever.

`engine_0_0_1.json` has today's rules and an earlier engine; in `rules_0.json` defenders rounded to tens, one
agreement of today was missing and another one is gone, and there was an event kind that is no more.
"""


@pytest.fixture
def old() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((OLD / "rules_0.json").read_text(encoding="utf-8"))
    return document


def test_a_replay_of_an_earlier_engine_is_played_again_and_says_so() -> None:
    found = verify_replay(json.loads((OLD / "engine_0_0_1.json").read_text(encoding="utf-8")))
    assert (found.problems, found.played_again) == ((), True)
    assert found.notes == (f"recorded by engine 0.0.1, played again by {engine_version()}: the same rules",)


def test_a_replay_of_other_rules_is_read_for_itself_and_never_played_by_todays(old: dict[str, Any]) -> None:
    with pytest.raises((RulesetError, RecordError)):
        Ruleset.from_json(old["ruleset"])
    found = verify_replay(old)
    assert (found.problems, found.played_again) == ((), False)
    (note,) = found.notes
    assert note.startswith(f"recorded by rules version 0; this engine plays {RULES_VERSION}")


def test_a_replay_of_later_rules_is_read_for_itself_too(old: dict[str, Any]) -> None:
    found = verify_replay({**old, "rules_version": "2"})
    assert (found.problems, found.played_again) == ((), False)
    assert "rules version 2" in found.notes[0]


def end_of(document: dict[str, Any], deal: int) -> dict[str, Any]:
    return next(event for event in document["deals"][deal]["events"] if event["event"] == "deal_end")


Change = Callable[[dict[str, Any]], object]
CHANGES: list[tuple[Change, str]] = [
    (
        lambda doc: end_of(doc, 0)["ledger"][0].update(amount=-95),
        "deal 0: the ledger takes seat 0 from 0 to -95",
    ),
    (
        lambda doc: end_of(doc, 1)["before"].reverse(),
        "deal 1 begins at [50,40,-100], but the last one ended at",
    ),
    (lambda doc: doc["outcome"]["totals"].reverse(), "outcome: totals are [50,-60,0]"),
    (lambda doc: doc["outcome"].update(winner=3), "outcome: winner is 3, but there are 3 seats"),
    (lambda doc: doc["outcome"]["places"].pop(), "there are 3 players, but 2 places"),
    (lambda doc: doc["deals"].pop(), "but the last deal ended at [-100,40,50]"),
    (lambda doc: doc["deals"].reverse(), "deal 0 is numbered 1"),
    (lambda doc: doc["actions"].clear(), "there are not as many times as actions"),
    (lambda doc: [doc[key].pop() for key in ("actions", "cpu_us", "wall_us")], "an event tells action"),
    (lambda doc: doc["deals"][0]["events"].reverse(), "actions are not told once each, in order"),
    (lambda doc: end_of(doc, 0)["ledger"][0].pop("amount"), "an event is not as events are: KeyError"),
    (lambda doc: end_of(doc, 0).update(ledger=7), "an event is not as events are: TypeError"),
    (lambda doc: end_of(doc, 0).pop("after"), "deal 0 has no totals before and after it"),
    (lambda doc: doc.pop("seats"), "this is no replay document"),
]


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_a_replay_of_other_rules_that_contradicts_itself_is_found_out(
    old: dict[str, Any], number: int
) -> None:
    change, said = CHANGES[number]
    document = copy.deepcopy(old)
    change(document)
    problems = verify_replay(document).problems
    assert said in " ".join(problems)
    assert len(problems) <= 10


def test_the_command_says_which_comparison_was_possible(
    capsys: pytest.CaptureFixture[str], old: dict[str, Any], tmp_path: Path
) -> None:
    assert main(["verify", str(OLD / "rules_0.json"), str(OLD / "engine_0_0_1.json")]) == 0
    out = capsys.readouterr().out
    assert "rules_0.json: ok as it stands, 2 deals" in out
    assert "did not play it again" in out
    assert "engine_0_0_1.json: ok, 2 deals" in out
    assert "recorded by engine 0.0.1" in out
    wrong = tmp_path / "wrong.json"
    old["outcome"]["totals"].reverse()
    wrong.write_text(json.dumps(old))
    assert main(["verify", str(wrong)]) == 1
    out = capsys.readouterr().out
    assert "wrong.json: not ok" in out
    assert "outcome: totals are [50,-60,0]" in out
