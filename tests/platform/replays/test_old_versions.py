"""Replays that other versions recorded open from what is stored, and say so."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arena.replay import engine_version
from engine import RULES_VERSION
from tests.factories import make_complete_block
from tests.platform.web.page_reading import read_page
from thousand.matches.models import Block, Match
from thousand.operations.auditing import audit
from thousand.replays.models import Replay
from thousand.replays.services import publish, store_replay

pytestmark = pytest.mark.django_db

OLD = Path(__file__).resolve().parents[2] / "arena" / "old_replays"
OTHER_RULES = f"Recorded by rules version 0; this site plays version {RULES_VERSION}. Shown as it was stored."
OTHER_ENGINE = f"Recorded by engine 0.0.1, with the same rules as engine {engine_version()} here."


def match_of(name: str) -> Match:
    """A finished match whose replay is the recorded one."""
    document: dict[str, Any] = json.loads((OLD / name).read_text(encoding="utf-8"))
    match = make_complete_block().matches.order_by("seating")[0]
    Block.objects.filter(pk=match.block_id).update(rules_version=document["rules_version"])
    match.replay = store_replay(document=document)
    match.save(update_fields=["replay"])
    publish(Replay.objects.filter(pk=match.replay_id))
    return match


@pytest.mark.parametrize(
    ("name", "notice"), [("rules_0.json", OTHER_RULES), ("engine_0_0_1.json", OTHER_ENGINE)]
)
def test_an_old_replay_opens_everywhere_with_a_notice(client: Client, name: str, notice: str) -> None:
    match = match_of(name)
    assert match.replay is not None
    address = f"/replays/{match.replay.public_id}"
    html = client.get(address).content.decode()
    assert notice in html
    assert ('<b class="warn">Recorded by rules' in html) == (notice == OTHER_RULES)
    for deal in (0, 1):
        page = read_page(client.get(address, {"deal": deal}).content.decode())
        assert page.problems == []
        assert notice in page.text
    assert notice in client.get(address, {"transcript": ""}).content.decode()
    assert client.get(address, {"legal": "0"}).json()["cards"] == {} or notice == OTHER_ENGINE


def test_what_is_shown_is_what_was_stored_and_not_what_todays_rules_would_give(client: Client) -> None:
    match = match_of("rules_0.json")
    assert match.replay is not None
    text = client.get(f"/replays/{match.replay.public_id}", {"transcript": ""}).content.decode()
    # Defenders were rounded to tens; today's rules would round to fives.
    assert "Totals: 0, −60, 50." in text
    assert "Seat 1: knock." in text


def test_the_api_hands_it_out_unchanged_and_says_that_its_rules_are_others(client: Client) -> None:
    match = match_of("rules_0.json")
    assert match.replay is not None
    document = client.get(f"/api/v1/replays/{match.replay.public_id}/").json()
    assert document == json.loads((OLD / "rules_0.json").read_text(encoding="utf-8"))
    row = client.get(f"/api/v1/matches/{match.public_id}/").json()
    assert (row["rules_version"], row["rules_current"]) == ("0", False)
    other = make_complete_block().matches.order_by("seating")[0]
    row = client.get(f"/api/v1/matches/{other.public_id}/").json()
    assert (row["rules_version"], row["rules_current"]) == (RULES_VERSION, True)


def test_the_audit_takes_no_offence_at_other_rules() -> None:
    match = match_of("rules_0.json")
    assert [finding for finding in audit() if "replay" in finding and match.replay.public_id in finding] == []
