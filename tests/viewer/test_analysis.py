"""The analysis panel: asked for, waited for, told; and nothing in it that the view hides."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.analysis.match import analyse
from tests.viewer import matches
from tests.viewer.pages import replay_path, serve
from thousand.web.analysis_texts import analysis_texts
from thousand.web.bundles import SOURCES

PANEL = (SOURCES / "analysis/panel.js").read_text(encoding="utf-8")
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


def test_every_word_that_the_panel_names_is_there() -> None:
    texts = analysis_texts()
    named = set(re.findall(r'text\("([a-z-]+)"', PANEL))
    assert named
    assert {f"analysis-{key}" for key in named} <= texts.keys()
    built = {"state": ["none", "waiting", "running", "done", "failed"],
             "mark": ["good", "inaccuracy", "mistake", "blunder"],
             "bid": ["sound", "bold", "rash", "forced", "passed", "timid"]}  # fmt: skip
    for state in built["state"]:
        assert f"analysis-{state}" in texts
    for kind in ("mark", "bid"):
        for word in built[kind]:
            assert f"analysis-{kind}-{word}" in texts


@cache
def short_analysis() -> dict[str, Any]:
    return analyse(matches.short_match())


@pytest.fixture(scope="module")
def analysed_site() -> Iterator[str]:
    replays = {"short": matches.short_match(), "faulty": matches.faulty_match()}
    with serve(replays, {"short": short_analysis()}) as address:
        yield address


def opened(browser: Browser, site: str, name: str, size: dict[str, int] = WIDE) -> Page:
    page = browser.new_page(viewport=size, reduced_motion="reduce")
    page.goto(site + replay_path(name))
    page.wait_for_selector("#viewer.ready")
    page.get_by_role("tab", name="Analysis").click()
    return page


def told(page: Page) -> None:
    """Ask, where nobody has yet, and wait until it is told."""
    page.wait_for_selector(".analysis-ask:not([hidden]), .analysis-now")
    if page.locator(".analysis-ask:not([hidden])").count():
        page.locator(".analysis-ask").click()
    page.wait_for_selector(".analysis-now")


@pytest.mark.browser
def test_a_reader_asks_waits_with_a_place_in_line_and_is_told(browser: Browser, analysed_site: str) -> None:
    page = opened(browser, analysed_site, "short")
    expect(page.get_by_role("status").filter(has_text="Nobody has had this match analysed")).to_be_visible()
    page.get_by_role("button", name="Analyse this match").focus()
    page.keyboard.press("Enter")
    waiting = page.get_by_text("Being analysed: place 2 in line.")
    expect(waiting).to_be_visible()
    assert waiting.evaluate("said => said.scrollWidth <= said.clientWidth"), "the words are cut off"
    page.wait_for_selector(".analysis-now", timeout=15_000)
    moment = short_analysis()["moments"]["worst"][0]
    page.locator(".analysis-moments.of-worst a").first.focus()
    page.keyboard.press("Enter")
    assert page.url.endswith(f"#deal={moment['deal']}&step={moment['step']}")
    decision = next(
        one for one in short_analysis()["deals"][moment["deal"]]["decisions"] if one["step"] == moment["step"]
    )
    expect(page.locator(".analysis-verdict")).to_contain_text(decision["mark"])
    rows = page.locator(".analysis-alternatives tbody tr")
    assert rows.count() == len(decision["alternatives"])
    expect(page.locator(".analysis-alternatives .is-played")).to_contain_text("what was done")
    page.get_by_role("tab", name="Moves").click()
    expect(page.locator(f".moves a[data-step='{moment['step']}'] .analysis-mark")).to_contain_text(
        decision["mark"]
    )
    page.close()


@pytest.mark.browser
def test_a_view_that_hides_cards_hides_them_in_the_analysis_too(browser: Browser, analysed_site: str) -> None:
    page = opened(browser, analysed_site, "short")
    told(page)
    moments = short_analysis()["moments"]["worst"]
    played = next(one for one in moments if one["action"] is not None)
    page.evaluate(f"location.hash = 'deal={played['deal']}&step={played['step']}&view=public'")
    expect(page.locator(".analysis-now")).to_contain_text("this view hides")
    assert page.locator(".analysis-alternatives").count() == 0
    assert page.locator(".analysis-moments .mini:not(.hidden)").count() == 0
    page.evaluate(
        f"location.hash = 'deal={played['deal']}&step={played['step']}&view=seat&seat={played['seat']}'"
    )
    expect(page.locator(".analysis-alternatives")).to_be_visible()
    page.close()


@pytest.mark.browser
def test_it_fits_a_phone(browser: Browser, analysed_site: str) -> None:
    page = opened(browser, analysed_site, "short", PHONE)
    told(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    heights = page.locator(".analysis-moments a").evaluate_all(
        "links => links.map((link) => link.getBoundingClientRect().height)"
    )
    assert heights
    assert min(heights) >= 44
    page.close()


@pytest.mark.browser
def test_a_failure_is_told_and_may_be_tried_again(browser: Browser, analysed_site: str) -> None:
    page = opened(browser, analysed_site, "faulty")
    page.get_by_role("button", name="Analyse this match").click()
    expect(page.get_by_text("The analysis failed: it broke off")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_enabled()
    page.close()
