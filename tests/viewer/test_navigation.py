"""Stepping, jumping and linking: keys, buttons, taps, sliders, the address."""

import pytest
from playwright.sync_api import Page, expect

from tests.viewer import matches
from tests.viewer.conftest import PHONE, OpenPage
from tests.viewer.reading import place, read, show, wait_until
from thousand.replays.captions import number

pytestmark = pytest.mark.browser


def last_place() -> tuple[int, int]:
    deals = matches.short_match()["deals"]
    return len(deals) - 1, len(deals[-1]["events"]) - 1


def press(page: Page, *keys: str) -> tuple[int, int]:
    for key in keys:
        page.keyboard.press(key)
    return place(page)


def test_a_whole_match_can_be_walked_with_the_right_arrow(open_page: OpenPage) -> None:
    page = open_page("short")
    document = matches.short_match()
    steps = sum(len(deal["events"]) for deal in document["deals"])
    page.evaluate("""() => {
      window.walked = [];
      const { viewer } = document.getElementById("viewer");
      const go = viewer.go.bind(viewer);
      viewer.go = (place, how) => (go(place, how), window.walked.push([place.deal, place.step]));
    }""")
    for _ in range(steps - 1):
        page.keyboard.press("ArrowRight")
    assert place(page) == last_place()
    everything = [
        [number_, step]
        for number_, deal in enumerate(document["deals"])
        for step in range(len(deal["events"]))
    ]
    assert page.evaluate("window.walked") == everything[1:]
    assert read(page)["totals"] == [number(total) for total in document["outcome"]["totals"]]
    assert press(page, "ArrowRight", "ArrowRight") == last_place()
    assert press(page, "ArrowLeft") == (last_place()[0], last_place()[1] - 1)


def test_the_left_arrow_stops_at_the_first_step_and_crosses_deals(open_page: OpenPage) -> None:
    page = open_page("short#deal=1&step=1")
    assert press(page, "ArrowLeft") == (1, 0)
    assert press(page, "ArrowLeft") == (0, len(matches.short_match()["deals"][0]["events"]) - 1)
    page = open_page("short")
    assert press(page, "ArrowLeft", "ArrowLeft") == (0, 0)


def test_keys_jump_by_trick_deal_and_match(open_page: OpenPage) -> None:
    page = open_page("short#deal=1")
    events = matches.short_match()["deals"][1]["events"]
    starts = {
        event["trick"]: step for step, event in reversed(list(enumerate(events))) if event["event"] == "play"
    }
    page.focus("#table")
    show(page, deal=1, step=starts[2] + 1)
    assert press(page, "Shift+ArrowRight") == (1, starts[3])
    assert press(page, "Shift+ArrowLeft") == (1, starts[2])
    assert press(page, "ArrowDown") == (2, 0)
    assert press(page, "PageUp") == (1, 0)
    assert press(page, "End") == (1, len(events) - 1)
    assert press(page, "Home") == (1, 0)
    assert press(page, "Shift+End") == last_place()
    assert press(page, "ArrowDown") == (last_place()[0], 0)
    assert press(page, "Shift+Home") == (0, 0)
    assert press(page, "ArrowUp") == (0, 0)


def test_letters_choose_view_and_seat_only_inside_the_viewer(open_page: OpenPage) -> None:
    page = open_page("short")
    page.locator("header.site-head a").first.focus()
    press(page, "p")
    expect(page.locator("[name=view]:checked")).to_have_value("all")
    page.focus("#table")
    press(page, "p")
    expect(page.locator("[name=view]:checked")).to_have_value("public")
    press(page, "s", "2")
    expect(page.locator("[name=view]:checked")).to_have_value("seat")
    expect(page.locator(".seat.at-bottom")).to_have_attribute("data-seat", "2")
    assert page.evaluate("location.hash") == "#deal=0&step=0&seat=2&view=seat"
    press(page, "a", "0")
    assert page.evaluate("location.hash") == "#deal=0&step=0"


def test_marks_lead_to_faults_and_announcements(open_page: OpenPage) -> None:
    page = open_page("faulty")
    page.focus("#table")
    wanted = [
        (number_, step)
        for number_, deal in enumerate(matches.faulty_match()["deals"])
        for step, event in enumerate(deal["events"])
        if event["event"] == "fault" or event.get("marriage")
    ]
    found = [press(page, "e") for _ in wanted]
    assert found == wanted
    assert press(page, "E") == wanted[-2]


def test_arrow_keys_belong_to_a_focused_slider(open_page: OpenPage) -> None:
    page = open_page("short#deal=0&step=3")
    page.focus("input[aria-label='Deal of the match']")
    assert press(page, "ArrowRight") == (1, 0)
    page.focus("input[aria-label='Step of the deal']")
    assert press(page, "ArrowRight") == (1, 1)
    words = page.locator("input[aria-label='Step of the deal']").get_attribute("aria-valuetext")
    assert words is not None
    assert words.startswith("Step 1 of ")
    assert "opens with the forced 100" in words


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("deal=2&step=5", (2, 5)),
        ("deal=1&step=end", (1, -1)),
        ("deal=2&nonsense=1&view=odd&seat=9", (2, 0)),
        ("deal=1&step=9999", (1, -1)),
        ("step=-4&deal=x", (0, 0)),
    ],
)
def test_links_lead_to_their_moment(open_page: OpenPage, address: str, shown: tuple[int, int]) -> None:
    deal, step = shown
    last = len(matches.short_match()["deals"][deal]["events"]) - 1
    assert place(open_page(f"short#{address}")) == (deal, last if step == -1 else step)


def test_a_deal_that_does_not_exist_is_named(open_page: OpenPage) -> None:
    page = open_page("short#deal=900")
    assert place(page) == (3, 0)
    expect(page.locator("[data-viewer=note]")).to_have_text("Deal 900 does not exist; showing the last one.")


def test_back_returns_to_the_deal_before(open_page: OpenPage) -> None:
    page = open_page("short#deal=1&step=4")
    page.focus("#table")
    press(page, "ArrowDown")
    page.wait_for_timeout(300)
    page.go_back()
    assert place(page) == (1, 4)
    page.evaluate("location.hash = '#deal=3&step=2'")
    wait_until(page, "viewer.place.deal === 3")
    assert place(page) == (3, 2)


def test_steps_replace_the_address_a_few_times_a_second(open_page: OpenPage) -> None:
    page = open_page("short")
    before = page.evaluate("history.length")
    press(page, *["ArrowRight"] * 6)
    wait_until(page, "location.hash === '#deal=0&step=6'")
    assert page.evaluate("history.length") == before


def test_a_link_to_the_step_can_be_copied(open_page: OpenPage) -> None:
    page = open_page("short#deal=1&step=4&seat=1", permissions=["clipboard-read", "clipboard-write"])
    page.click("button[data-do=copy]")
    expect(page.locator("[data-viewer=note]")).to_have_text("Link to deal 1, step 4 copied.")
    assert page.evaluate("navigator.clipboard.readText()").endswith(
        "/replays/short0000000#deal=1&step=4&seat=1"
    )


def test_transcript_and_ledger_are_links_that_keep_the_view(open_page: OpenPage) -> None:
    page = open_page("short#deal=1&view=seat&seat=1")
    page.click(".moves a[data-step='6']")
    assert place(page) == (1, 6)
    expect(page.locator(".moves a[aria-current=step]")).to_have_attribute("data-step", "6")
    page.click("#tab-ledger")
    page.click(".ledger a[href^='#deal=3']")
    assert place(page)[0] == 3
    expect(page.locator("[name=view]:checked")).to_have_value("seat")
    expect(page.locator(".ledger tr[aria-current=true] th")).to_have_text("3")


def test_autoplay_starts_by_hand_and_stops_at_an_input_and_at_the_end(open_page: OpenPage) -> None:
    page = open_page("short")
    page.wait_for_timeout(300)
    assert place(page) == (0, 0)
    page.select_option("[data-viewer=speed]", "8")
    page.click("button[data-do=toggle]")
    wait_until(page, "viewer.place.step >= 3")
    page.keyboard.press("ArrowRight")
    stopped = place(page)
    page.wait_for_timeout(600)
    assert place(page) == stopped
    page.focus("#table")
    press(page, "Shift+End", "ArrowLeft")
    press(page, " ")
    wait_until(page, "!viewer.playback.playing")
    assert place(page) == last_place()
    expect(page.locator("[data-viewer=play]")).to_have_text("Again")


def test_the_speed_is_remembered(open_page: OpenPage) -> None:
    page = open_page("short")
    page.select_option("[data-viewer=speed]", "deals")
    page.reload()
    page.wait_for_selector("#viewer.ready")
    expect(page.locator("[data-viewer=speed]")).to_have_value("deals")


def test_taps_on_the_felt_step_and_a_swipe_does_not(open_page: OpenPage) -> None:
    page = open_page("short#deal=1", size=PHONE, has_touch=True)
    box = page.locator(".felt").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, middle)
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, middle)
    assert place(page) == (1, 2)
    page.touchscreen.tap(box["x"] + box["width"] * 0.2, middle)
    assert place(page) == (1, 1)
    page.mouse.move(box["x"] + 200, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, middle - 60)
    page.mouse.up()
    assert place(page) == (1, 1)


def test_holding_a_key_draws_the_last_state_of_each_frame(open_page: OpenPage) -> None:
    page = open_page("short")
    page.evaluate("""() => {
      const key = { key: "ArrowRight", bubbles: true, repeat: true };
      for (let i = 0; i < 20; i += 1) document.dispatchEvent(new KeyboardEvent("keydown", key));
    }""")
    assert place(page) == (0, 20)
