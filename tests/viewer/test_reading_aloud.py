"""What people hear, and what remains without JavaScript, motion or colour."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.viewer.conftest import PHONE, OpenPage
from tests.viewer.pages import replay_path
from tests.viewer.reading import animations_of_a_key, place, show, wait_until

pytestmark = pytest.mark.browser


def live(page: Page) -> Locator:
    return page.locator("[data-viewer=live]")


def test_a_step_is_spoken_as_its_caption_and_a_jump_with_its_place(open_page: OpenPage) -> None:
    page = open_page("short")
    page.focus("#table")
    page.keyboard.press("ArrowRight")
    expect(live(page)).to_have_text("Seat 2 opens with the forced 100.")
    expect(page.locator(".v-caption")).to_have_text("Seat 2 opens with the forced 100.")
    page.keyboard.press("ArrowDown")
    expect(live(page)).to_have_text(re.compile(r"Deal 1, step 0\. Deal 1\. Seat \d deals"))


def test_rapid_steps_are_spoken_once_with_the_last_text(open_page: OpenPage) -> None:
    page = open_page("short")
    page.evaluate("""() => {
      window.heard = [];
      new MutationObserver(() => window.heard.push(document.querySelector("[data-viewer=live]").textContent))
        .observe(document.querySelector("[data-viewer=live]"), { childList: true });
      for (let i = 0; i < 5; i += 1)
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    }""")
    assert place(page) == (0, 5)
    last = page.locator(".v-caption").text_content() or ""
    expect(live(page)).to_have_text(last)
    assert page.evaluate("window.heard") == [last]


def test_autoplay_is_silent(open_page: OpenPage) -> None:
    page = open_page("short")
    page.select_option("[data-viewer=speed]", "8")
    page.click("button[data-do=toggle]")
    wait_until(page, "viewer.place.step >= 4")
    expect(live(page)).to_be_empty()


def test_the_table_is_one_structure_of_named_parts(open_page: OpenPage) -> None:
    page = open_page("won#deal=0&step=1")
    expect(page.get_by_role("region", name="Table")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_contain_text("deal 0")
    expect(page.get_by_role("group", name="Playback").get_by_role("button")).to_have_count(5)
    expect(page.get_by_role("list", name="Hand of seat 0, 7 cards").get_by_role("listitem")).to_have_count(7)
    expect(page.get_by_role("tab")).to_have_count(4)
    for svg in page.locator("#viewer svg").all():
        assert svg.get_attribute("aria-hidden") == "true"
    for control in page.locator("#viewer :is(button, summary, a)").all():
        assert (control.text_content() or "").strip() or control.get_attribute("aria-label")


def test_focus_stays_where_it_is_while_steps_change(open_page: OpenPage) -> None:
    page = open_page("short#deal=3&step=end")
    button = page.locator("button[data-do=step][data-to='1']")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowLeft")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-disabled", "false")


def test_help_opens_with_its_key_and_returns_the_focus(open_page: OpenPage) -> None:
    page = open_page("short")
    page.focus("#table")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    before = place(page)
    page.keyboard.press("ArrowRight")
    assert place(page) == before
    page.keyboard.press("Escape")
    expect(page.locator("#table")).to_be_focused()


def test_nothing_moves_with_reduced_motion(open_page: OpenPage) -> None:
    page = open_page("won#deal=0&step=0")
    assert animations_of_a_key(page, "ArrowRight") > 0
    page = open_page("won#deal=0&step=0", reduced_motion="reduce")
    assert animations_of_a_key(page, "ArrowRight") == 0


def test_without_javascript_the_first_picture_and_the_static_pages_are_there(open_page: OpenPage) -> None:
    page = open_page("won", ready=False, java_script_enabled=False)
    expect(page.locator("[data-card]")).to_have_count(21)
    expect(page.locator(".v-caption")).to_have_text(
        re.compile(r"Deal 0\. Seat \d deals, seat \d is forehand\.")
    )
    page.click("noscript a")
    expect(page.get_by_role("heading", level=1)).to_contain_text("deal 0 of 10")
    expect(page.locator("table.sheet tbody tr")).to_have_count(3)
    page.click("a[rel=next]")
    expect(page.get_by_role("heading", level=1)).to_contain_text("deal 1 of 10")


def test_options_change_suits_and_letters_and_are_remembered(open_page: OpenPage) -> None:
    page = open_page("won#deal=0&step=0")
    page.click("button[data-do=options]")
    page.check("[name=suits][value=two]")
    page.check("[name=ranks][value=cyrillic]")
    page.reload()
    page.wait_for_selector("#viewer.ready")
    inks = {
        suit: page.locator(f".hand [data-suit={suit}]").first.evaluate(
            "(node) => getComputedStyle(node).color"
        )
        for suit in "SCDH"
    }
    assert inks["S"] == inks["C"] != inks["D"] == inks["H"]
    drawn = page.locator(".hand use").evaluate_all("(uses) => uses.map((use) => use.getAttribute('href'))")
    assert any(each.endswith("#r-Ka") for each in drawn)
    assert not any(each.endswith(("#r-K", "#r-Q", "#r-J", "#r-A")) for each in drawn)


def test_legal_cards_are_raised_on_wish(open_page: OpenPage) -> None:
    page = open_page("won#deal=0&step=0")
    page.click("button[data-do=options]")
    page.check("[name=legal]")
    page.keyboard.press("Escape")
    events = page.evaluate("document.getElementById('viewer').viewer.deal.events.map((e) => e.event)")
    show(page, deal=0, step=events.index("play"))
    expect(page.locator(".hand > .legal").first).to_be_visible()
    following = page.evaluate(
        "document.getElementById('viewer').viewer.deal.events.find((e) => e.trick && !e.lead).card"
    )
    assert page.locator(f".hand > .legal [data-card='{following}']").count() == 1


def test_cards_keep_their_edges_in_forced_colours(open_page: OpenPage) -> None:
    page = open_page("won", size=PHONE, forced_colors="active")
    width = page.locator(".at-bottom .face").first.evaluate("(node) => getComputedStyle(node).borderTopWidth")
    assert width == "1px"


def test_a_replay_that_cannot_be_loaded_says_so_and_leaves_the_first_picture(
    browser: Browser, site: str
) -> None:
    page = browser.new_page()
    page.route("**/events.json*", lambda route: route.fulfill(status=503, body="later"))
    page.goto(site + replay_path("won"))
    failed = page.locator("[data-viewer=failed]")
    expect(failed).to_contain_text("The replay could not be loaded.")
    expect(failed).to_contain_text("HTTP 503")
    expect(failed.get_by_role("link", name="Read it deal by deal")).to_have_attribute("href", "?deal=0")
    expect(page.locator("[data-card]")).to_have_count(21)
    page.close()
