"""Cases from outside: the vocabulary of the worked examples, with errors that name the field."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cases import CaseError, legal_case, score_case

EXAMPLES = Path(__file__).parent / "examples"
SCORES = json.loads((EXAMPLES / "scores.json").read_text(encoding="utf-8"))
HAND_CHECKED = json.loads((EXAMPLES / "hand_checked.json").read_text(encoding="utf-8"))
CASE: dict[str, Any] = SCORES[0]


@pytest.mark.parametrize("case", SCORES, ids=lambda case: f"{case['n']} {case['title']}")
def test_a_worked_example_is_scored_as_the_rule_book_says(case: dict[str, Any]) -> None:
    found = score_case(case)
    assert {name: found[name] for name in case["expect"]} == case["expect"]


@pytest.mark.parametrize("case", HAND_CHECKED, ids=lambda case: str(case["title"]))
def test_a_deal_scored_by_hand_from_the_sources_has_these_totals(case: dict[str, Any]) -> None:
    found = score_case({name: case[name] for name in ("preset", "before", "deal")})
    assert found["total"] == case["total"]
    changes = [
        sum(row["amount"] for row in found["ledger"] if row["seat"] == seat)
        for seat in range(len(found["total"]))
    ]
    assert [old + change for old, change in zip(case["before"]["total"], changes, strict=True)] == case[
        "total"
    ]


def changed(where: str, name: str, value: object) -> dict[str, Any]:
    return {**CASE, where: {**CASE[where], name: value}}


@pytest.mark.parametrize(
    ("case", "field"),
    [
        ({**CASE, "preset": "nobody"}, "preset"),
        ({**CASE, "overrides": {"bid_step": 7}}, "overrides.bid_step"),
        ({**CASE, "overrides": []}, "overrides"),
        ({**CASE, "before": None}, "before"),
        (changed("before", "total", [1, 2]), "before.total"),
        (changed("before", "total", [1, 2, "3"]), "before.total"),
        (changed("before", "barrel", [0, 0, 1]), "before.barrel"),
        (changed("before", "lives", 3), "before.lives"),
        (changed("deal", "declarer", 3), "deal.declarer"),
        (changed("deal", "declarer", None), "deal.declarer"),
        (changed("deal", "contract", "120"), "deal.contract"),
        (changed("deal", "cards", {"a": 1}), "deal.cards"),
        (changed("deal", "kind", "silver"), "deal.kind"),
        (changed("deal", "kind", ["golden"]), "deal.kind"),
        (changed("deal", "outcome", "lost"), "deal.outcome"),
        (changed("deal", "widow", ["9S", 5]), "deal.widow"),
        (changed("deal", "widow", ["9S", "9S"]), "deal.widow"),
    ],
)
def test_a_case_that_cannot_be_read_names_the_field(case: dict[str, Any], field: str) -> None:
    with pytest.raises(CaseError) as caught:
        score_case(case)
    assert caught.value.field == field
    assert caught.value.expected


@pytest.mark.parametrize(
    ("position", "legal", "cap"),
    [
        ({"phase": "play", "hand": ["9S", "AS", "JC"], "trick": ["QH"], "trump": "C"}, ["JC"], 120),
        ({"phase": "play", "hand": ["9H", "AH", "9S"], "trick": ["QH"]}, ["9H", "AH"], 120),
        ({"phase": "contract", "hand": ["9H", "AH"], "bid": 110}, [110, 115, 120], 120),
        ({"phase": "auction", "hand": ["KS", "QS"], "bid": 150}, [155, 160], 160),
        ({"phase": "auction", "hand": ["9S"], "bid": 120}, [], 120),
    ],
)
def test_what_is_legal_in_a_position(position: dict[str, Any], legal: list[Any], cap: int) -> None:
    found = legal_case({"preset": "skill_games", **position})
    assert (sorted(found["legal"], key=str), found["cap"]) == (sorted(legal, key=str), cap)


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ({"phase": "exchange", "hand": []}, "phase"),
        ({"phase": "play", "hand": "9S"}, "hand"),
        ({"phase": "play", "hand": [5]}, "hand"),
        ({"phase": "play", "hand": ["9S"], "trick": ["ZZ"]}, "trick"),
        ({"phase": "play", "hand": ["9S"], "trump": "X"}, "trump"),
        ({"phase": "play", "hand": ["9S"], "won": -1}, "won"),
        ({"phase": "auction", "hand": ["9S"], "bid": "100"}, "bid"),
        ({"phase": "auction", "hand": ["9S"], "bid": 100, "kind": "silver"}, "kind"),
    ],
)
def test_a_position_that_cannot_be_read_names_the_field(position: dict[str, Any], field: str) -> None:
    with pytest.raises(CaseError) as caught:
        legal_case({"preset": "skill_games", **position})
    assert caught.value.field == field
