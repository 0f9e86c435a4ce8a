"""Random rulesets: engine, JSON Schema, service, API and the builder's form accept and refuse the same."""

import random
from typing import Any

import jsonschema
import pytest
from django.db import transaction
from django.test import Client

from engine import AGREEMENTS, PLAYABLE_PRESETS, Ruleset, RulesetError
from engine.ruleset import ruleset_schema
from tests.factories import make_organiser
from tests.platform.web.sites import client_of
from tests.strategies import OVERRIDES
from thousand.core.errors import InvalidInputError
from thousand.tournaments.services import create_ladder
from thousand.web.ladder_form import PREFIX, LadderForm, choosable

pytestmark = pytest.mark.django_db

WRONG: tuple[Any, ...] = (-1, 7, 10**9, "nonsense", "", True, None, 0, 1.5, "120", [], {}, {"S": 1})
"""Values that most agreements do not have, of every type that JSON has."""
CHOOSABLE = sorted(row.id for row in choosable())


def random_changes(rng: random.Random) -> dict[str, Any]:
    """Some agreements with values that are right, wrong or contradict each other."""
    changes: dict[str, Any] = {"deal_limit": rng.choice([1, 10, 100, 100, 100])}
    for name in rng.sample(CHOOSABLE, rng.randint(0, 4)):
        wrong = name not in OVERRIDES or rng.random() < 0.3
        changes[name] = rng.choice(WRONG) if wrong else rng.choice(OVERRIDES[name])
    return changes


def refused_by_engine(preset: str, changes: dict[str, Any]) -> str | None:
    """The field the engine objects to, None if it plays the ruleset between bots."""
    try:
        ruleset = Ruleset.from_preset(preset, changes)
        ruleset.require_whole_points()
    except RulesetError as error:
        return error.field
    return None if ruleset.deal_limit else "deal_limit"


def refused_by_service(preset: str, changes: dict[str, Any]) -> str | None:
    try:
        with transaction.atomic():
            create_ladder(name="A ladder", slug="a-ladder", preset=preset, agreements=changes)
            transaction.set_rollback(True)
    except InvalidInputError as error:
        return (error.field or "").removeprefix("agreements.")
    return None


def refused_by_api(client: Client, preset: str, changes: dict[str, Any]) -> str | None:
    body = {"name": "A ladder", "slug": "a-ladder", "preset": preset, "agreements": changes}
    with transaction.atomic():
        answer = client.post("/api/v1/ladders/", body, content_type="application/json")
        transaction.set_rollback(True)
    if answer.status_code == 201:
        return None
    assert answer.status_code == 400, answer.content
    return str(answer.json()["field"]).removeprefix("agreements.")


def refused_by_form(preset: str, changes: dict[str, Any]) -> set[str]:
    """Every field the form objects to; a browser sends text."""
    form = LadderForm(preset)
    data = {name: "" if field.initial is None else field.initial for name, field in form.fields.items()}
    data |= {"name": "A ladder", "slug": "a-ladder", "preset": preset}
    data |= {PREFIX + name: as_typed(value) for name, value in changes.items()}
    form = LadderForm(preset, data)
    if form.is_valid():
        ruleset = form.checked_ruleset()
        if ruleset is not None:
            ruleset.require_whole_points()
    return {name.removeprefix(PREFIX) for name in form.errors}


def as_typed(value: Any) -> str:
    return (
        {True: "true", False: "false"}[value]
        if isinstance(value, bool)
        else ""
        if value is None
        else str(value)
    )


def test_every_way_in_accepts_and_refuses_the_same_rulesets() -> None:
    rng, client = random.Random(3), client_of(make_organiser())
    validator = jsonschema.Draft202012Validator(ruleset_schema())
    answers = {"accepted": 0, "refused": 0}
    for _ in range(60):
        preset, changes = rng.choice(PLAYABLE_PRESETS), random_changes(rng)
        field = refused_by_engine(preset, changes)
        assert refused_by_service(preset, changes) == field, (preset, changes)
        assert refused_by_api(client, preset, changes) == field, (preset, changes)
        wrong = {name for name, value in changes.items() if not AGREEMENTS[name].type.accepts(value)}
        told = {
            str(error.absolute_path[1])
            for error in validator.iter_errors({"preset": preset, "agreements": changes})
        }
        # A schema knows values, not contradictions.
        assert told == wrong, (preset, changes)
        if wrong:
            assert field in wrong
        answers["accepted" if field is None else "refused"] += 1
    assert min(answers.values()) >= 10, answers


def test_the_form_accepts_and_refuses_the_same_rulesets() -> None:
    rng, compared = random.Random(4), 0
    for _ in range(40):
        preset, changes = rng.choice(PLAYABLE_PRESETS), random_changes(rng)
        if any(not isinstance(value, bool | int | str) for value in changes.values()):
            continue
        # As text "120" is 120, and "7" may be meant as a number.
        if any(isinstance(value, str) and value.isdigit() for value in changes.values()):
            continue
        if any(
            isinstance(value, bool) != isinstance(AGREEMENTS[name].default, bool)
            for name, value in changes.items()
        ):
            continue
        if any(value == "" and AGREEMENTS[name].type.accepts(None) for name, value in changes.items()):
            continue
        try:
            refused = refused_by_form(preset, changes)
        except RulesetError as error:
            refused = {error.field}
        field = refused_by_engine(preset, changes)
        assert bool(refused) == (field is not None), (preset, changes, refused)
        assert field is None or field in refused, (preset, changes, refused)
        compared += 1
    assert compared >= 15
