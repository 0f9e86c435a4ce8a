"""Where things are: everything needed in the first screenful, nothing cut, nothing too small to touch."""

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.viewer import matches
from tests.viewer.conftest import PHONE, WIDE, OpenPage
from tests.viewer.reading import show

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}
LAPTOP = {"width": 1366, "height": 657}


def first_step(document: dict[str, Any], kind: str) -> tuple[int, int]:
    """First place with an event of that kind; `full` is a complete trick, `announce` a marriage."""
    for number, deal in enumerate(document["deals"]):
        for step, event in enumerate(deal["events"]):
            if event["event"] == kind or (kind == "full" and "won" in event):
                return number, step
            if kind == "announce" and event.get("marriage"):
                return number, step
    raise AssertionError(kind)


def box(page: Page, selector: str) -> dict[str, float]:
    return boxes(page, selector)[selector]


def boxes(page: Page, *selectors: str) -> dict[str, dict[str, float]]:
    """Where the first of each selector is; asked for at once, a question a part is many times as slow."""
    found = page.evaluate(
        "(selectors) => selectors.map((selector) => document.querySelector(selector)?.getClientRects().length"
        " ? document.querySelector(selector).getBoundingClientRect().toJSON() : null)",
        selectors,
    )
    for selector, rectangle in zip(selectors, found, strict=True):
        assert rectangle is not None, selector
    return dict(zip(selectors, found, strict=True))


@pytest.mark.parametrize("size", [WIDE, LAPTOP, PHONE, NARROW], ids=["1280", "1366", "360", "320"])
def test_table_and_controls_are_in_the_first_screenful(open_page: OpenPage, size: dict[str, int]) -> None:
    page = open_page("faulty", size=size)
    for kind in ("deal", "widow", "full", "announce", "fault", "deal_end", "match_end"):
        deal, step = first_step(matches.faulty_match(), kind)
        for seat in range(3):
            show(page, deal=deal, step=step, seat=seat)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (kind, seat)
            parts = boxes(page, ".v-controls", ".v-slider", ".v-caption", ".felt", ".at-bottom .hand")
            for selector, part in parts.items():
                assert part["x"] >= 0, (kind, seat, selector)
                assert part["x"] + part["width"] <= size["width"], (kind, seat, selector)
                assert part["y"] + part["height"] <= size["height"], (kind, seat, selector)


def test_buttons_stay_where_they_are_while_a_deal_is_stepped_through(open_page: OpenPage) -> None:
    page = open_page("faulty", size=PHONE)
    places = set()
    for deal, events in enumerate(each["events"] for each in matches.faulty_match()["deals"]):
        for step in (0, 1, len(events) // 2, len(events) - 1):
            show(page, deal=deal, step=step)
            places.add(box(page, ".v-controls")["y"])
    fault_deal, fault_step = first_step(matches.faulty_match(), "fault")
    show(page, deal=fault_deal, step=fault_step)
    places.add(box(page, ".v-controls")["y"])
    assert len(places) == 1


@pytest.mark.parametrize(
    ("size", "width"), [(PHONE, 31), (NARROW, 26), (WIDE, 31)], ids=["360", "320", "1280"]
)
def test_ten_cards_show_rank_and_suit(open_page: OpenPage, size: dict[str, int], width: int) -> None:
    document = matches.short_match()
    deal, step = first_step(document, "widow")
    declarer = document["deals"][deal]["events"][step]["seat"]
    page = open_page("short", size=size)
    show(page, deal=deal, step=step, seat=declarer)
    cards = page.locator(".at-bottom .hand > li")
    assert cards.count() == 10
    lefts = [found["x"] for card in cards.all() if (found := card.bounding_box())]
    assert min(right - left for left, right in pairwise(lefts)) >= width
    for card in page.locator(".at-bottom .hand .index:first-child").all():
        assert card.bounding_box()["width"] < width


def test_targets_are_large_enough_for_fingers(open_page: OpenPage) -> None:
    page = open_page("short", size=PHONE, has_touch=True)
    buttons = [button.bounding_box() for button in page.locator(".v-controls button").all()]
    assert all(each["height"] >= 48 and each["width"] >= 44 for each in buttons)
    for left, right in pairwise(buttons):
        assert right["x"] - left["x"] - left["width"] >= 4
    for selector in (".tabs button", ".v-title button", ".v-views label", ".moves a", ".v-slider"):
        for target in page.locator(selector).all():
            assert target.bounding_box()["height"] >= 42, selector


def test_controls_stay_at_hand_while_the_transcript_is_read(open_page: OpenPage) -> None:
    page = open_page("short", size=PHONE)
    page.evaluate("window.scrollTo(0, 700)")
    page.wait_for_selector(".v-controls.stuck")
    controls = box(page, ".v-controls")
    assert controls["y"] + controls["height"] == PHONE["height"]


def test_the_transcript_scrolls_in_its_own_box(open_page: OpenPage) -> None:
    page = open_page("long#deal=3")
    show(page, deal=3, step=30)
    page.wait_for_timeout(50)
    assert page.evaluate("window.scrollY") == 0
    current, panel = box(page, ".moves a[aria-current]"), box(page, ".moves")
    assert panel["y"] <= current["y"] <= panel["y"] + panel["height"] - current["height"]


def test_the_ledger_of_a_hundred_deals_keeps_its_head(open_page: OpenPage) -> None:
    page = open_page("long#deal=99&step=end")
    page.click("#tab-ledger")
    page.wait_for_selector(".ledger tbody tr:nth-child(100)")
    head, scroller = box(page, ".ledger thead th"), box(page, ".ledger-scroll")
    assert head["y"] == scroller["y"]
    totals = [deal["events"] for deal in matches.long_match()["deals"]]
    last = next(event for event in totals[-1] if event["event"] == "deal_end")["after"]
    cells = page.locator(".ledger tbody tr:last-child td.sum").all_text_contents()
    assert cells == [str(total).replace("-", "\u2212") for total in last]
    assert page.locator(".race-chart path").count() == 3


def test_a_long_match_stays_a_small_page(open_page: OpenPage) -> None:
    page = open_page("long#deal=50&step=20")
    assert page.evaluate("document.querySelectorAll('*').length") <= 1500


def test_names_that_are_long_or_run_right_to_left_break_nothing(open_page: OpenPage) -> None:
    page = open_page("short", size=PHONE)
    for name in ("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd v3", "W" * 40, "Тысячелетний " * 3):
        page.evaluate(
            "(name) => document.querySelectorAll('.seat-name').forEach((node) => (node.textContent = name))",
            name,
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert box(page, ".at-bottom .seat-head")["height"] <= 28


def test_the_score_sheet_fits_on_the_felt_however_much_happened(open_page: OpenPage) -> None:
    page = open_page("long", reduced_motion="reduce")
    document = matches.long_match()
    ends = [deal["events"][-1] for deal in document["deals"][:-1]]
    told = sorted(range(len(ends)), key=lambda deal: len(ends[deal]["events"]) + len(ends[deal]["ledger"]))
    for deal in told[-12:]:
        show(page, deal=deal, step=len(document["deals"][deal]["events"]) - 1)
        layer = page.locator(".sheet-layer")
        assert layer.evaluate("(node) => node.scrollHeight - node.clientHeight") <= 0, deal


def test_what_a_seat_on_the_barrel_has_done_does_not_cover_its_pairs(open_page: OpenPage) -> None:
    page = open_page("long", reduced_motion="reduce")
    document = matches.long_match()
    ends = [deal["events"][-1] for deal in document["deals"][:-1]]
    after_barrel = [deal for deal, end in enumerate(ends, start=1) if any(end["barrel"])]
    assert after_barrel
    for deal in after_barrel[:6]:
        for seat in range(3):
            show(page, deal=deal, step=2, seat=seat)
            panels = page.evaluate("""() => [...document.querySelectorAll(".seat:not(.at-bottom)")].map(
              (panel) => [".seat-list", ".hand"].map(
                (part) => panel.querySelector(part).getBoundingClientRect().toJSON()))""")
            assert len(panels) == 2
            for facts, hand in panels:
                assert facts["height"] > 0
                assert facts["bottom"] <= hand["top"] - 8, (deal, seat)


@pytest.mark.parametrize("size", [WIDE, LAPTOP, PHONE], ids=["1280", "1366", "360"])
def test_roles_stay_within_their_seat_at_a_table_of_four(open_page: OpenPage, size: dict[str, int]) -> None:
    page = open_page("four", size=size)
    for number, deal in enumerate(matches.preset_match("club_four")["deals"]):
        plays = [step for step, event in enumerate(deal["events"]) if event["event"] == "play"]
        for step in (*plays[:4], len(deal["events"]) - 1):
            show(page, deal=number, step=step)
            ends = page.evaluate("""() => [...document.querySelectorAll(".seat")].map((seat) => [
              seat.getBoundingClientRect().right,
              ...[...seat.querySelector(".roles").getClientRects()].map((roles) => roles.right)])""")
            assert len(ends) == 4
            for seat, *roles in ends:
                assert all(right <= seat for right in roles), (number, step)
