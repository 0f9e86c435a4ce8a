"""What the viewer makes a browser fetch, in bytes of gzip; and that nothing is lost on the way."""

import gzip
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from tests.viewer import matches
from tests.viewer.conftest import PRESETS, OpenPage
from thousand.replays.transfer import transfer_form
from thousand.web.bundles import SOURCES, bundle

KILOBYTE = 1000


def sent(body: bytes) -> int:
    return len(gzip.compress(body, mtime=0))


def packed(document: dict[str, Any]) -> int:
    return sent(msgspec.json.encode(transfer_form(document)))


@pytest.mark.parametrize(
    ("name", "most"), [("web/viewer.js", 25), ("web/viewer.css", 10)], ids=["script", "style sheet"]
)
def test_script_and_style_sheet_stay_small(name: str, most: int) -> None:
    assert sent(bundle(name).encode()) <= most * KILOBYTE


def test_the_sprite_stays_small() -> None:
    assert sent((SOURCES / "cards.svg").read_bytes()) <= 4 * KILOBYTE


def test_a_match_of_26_deals_and_one_of_100_stay_small() -> None:
    long = matches.long_match()
    assert len(long["deals"]) == 100
    deals = long["deals"][:26]
    actions = [event["action"] for deal in deals for event in deal["events"] if "action" in event]
    usual = {**long, "deals": deals, "cpu_us": long["cpu_us"][: 1 + max(actions)]}
    assert packed(usual) <= 10 * KILOBYTE
    assert packed(long) <= 20 * KILOBYTE


def unpacked(page: Page) -> list[Any]:
    return page.evaluate("document.getElementById('viewer').viewer.deals.map(({events}) => events)")


@pytest.mark.browser
@pytest.mark.parametrize("name", ["won", "faulty", "long", "redealt", *PRESETS])
def test_what_arrives_is_what_is_stored(open_page: OpenPage, name: str) -> None:
    documents = {
        "won": matches.won_match, "faulty": matches.faulty_match, "long": matches.long_match,
        "redealt": matches.redealt_match,
    }  # fmt: skip
    document = documents[name]() if name in documents else matches.preset_match(PRESETS[name])
    arrived = unpacked(open_page(name))
    assert [len(events) for events in arrived] == [len(deal["events"]) for deal in document["deals"]]
    for events, deal in zip(arrived, document["deals"], strict=True):
        assert events == msgspec.json.decode(msgspec.json.encode(deal["events"]))


@pytest.mark.browser
def test_cpu_times_arrive_as_they_are_shown(open_page: OpenPage) -> None:
    document = matches.won_match()
    used = open_page("won").evaluate("document.getElementById('viewer').viewer.table.facts.used")
    seats = {
        event["action"]: event["seat"]
        for deal in document["deals"]
        for event in deal["events"]
        if "action" in event
    }
    for seat in range(3):
        spent = sum(us for action, us in enumerate(document["cpu_us"]) if seats.get(action) == seat)
        assert used[seat][-1] == round(spent / 10_000)
        assert used[seat] == sorted(used[seat])
