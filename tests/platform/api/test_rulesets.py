"""Rulesets over the API: what the engine declares, and nothing else."""

import jsonschema
import pytest
from django.test import Client

from engine import AGREEMENTS, GROUPS, PLAYABLE_PRESETS, PRESETS, Ruleset


def get(path: str) -> object:
    answer = Client().get(f"/api/v1/{path}")
    assert answer.status_code == 200
    return answer.json()


def test_every_preset_is_listed_and_says_why_it_is_not_played() -> None:
    rows = {row["preset"]: row for row in get("rulesets/")}  # type: ignore[attr-defined]
    assert list(rows) == list(PRESETS)
    assert {name for name, row in rows.items() if row["playable"]} == set(PLAYABLE_PRESETS)
    assert all((row["reason"] is None) == row["playable"] for row in rows.values())
    assert "another game" in rows["mariage_chips"]["reason"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_ruleset_is_complete_and_counts_its_differences(preset: str) -> None:
    ruleset = Ruleset.from_preset(preset, score_only=True)
    row = get(f"rulesets/{preset}/")
    assert isinstance(row, dict)
    assert row["preset"] == preset
    assert row["agreements"] == ruleset.to_json()["agreements"]
    assert row["digest"] == ruleset.digest
    assert set(row["differences"]) == set(ruleset.changes("tournament_default"))
    for agreement, values in row["differences"].items():
        assert values["value"] == row["agreements"][agreement]
        assert values["base"] != values["value"]
    first = "Another game" if preset == "mariage_chips" else "Cards"
    assert row["explanation"][0]["title"] == first


def test_a_preset_that_does_not_exist_is_a_problem_that_lists_those_that_do() -> None:
    answer = Client().get("/api/v1/rulesets/bridge/")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert "tournament_default" in answer.json()["detail"]


def test_agreements_carry_all_that_is_declared() -> None:
    answer = get("agreements/")
    assert isinstance(answer, dict)
    rows = {row["id"]: row for row in answer["agreements"]}
    assert list(rows) == list(AGREEMENTS)
    assert rows["bolts_per_match"]["schema"] == {"enum": [0, 3, 5]}
    assert rows["bolts_per_match"]["group"] == "Bolts"
    assert rows["bolts_per_match"]["type"] == "choice"
    assert {row["group"] for row in rows.values()} == set(GROUPS)
    assert all(row["meaning"] and row["sources"] for row in rows.values())


def test_the_schema_accepts_every_preset_and_refuses_what_the_engine_refuses() -> None:
    answer = get("agreements/")
    assert isinstance(answer, dict)
    validator = jsonschema.Draft202012Validator(answer["ruleset_schema"])
    for preset in PLAYABLE_PRESETS:
        validator.validate(Ruleset.from_preset(preset).to_json())
    wrong = (
        {"preset": "bridge"},
        {"preset": "mariage_chips"},
        {"agreements": {"bid_step": 7}},
        {"agreements": {"sleep": True}},
        {"agreements": {"golden": 1}},
        {"colour": "red"},
    )
    assert not [ruleset for ruleset in wrong if validator.is_valid(ruleset)]
