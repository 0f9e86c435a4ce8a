"""The pages in Chromium: no sideways scroll at 360 px, nothing from elsewhere, no script error, themes."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.browsers import open_browser
from tests.platform.tournaments.events import in_an_hour, make_tournament, play_round, start
from tests.platform.web.sites import make_site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def addresses() -> list[str]:
    """Pages of a small site; made before the browser starts, whose loop forbids queries."""
    site = make_site()
    running, coming = make_tournament(5, name="Running cup"), make_tournament(2, starts_at=in_an_hour())
    start(running)
    play_round(running)
    tournaments = [reverse("web:tournament", args=[row.pool.slug]) for row in (running, coming)]
    return [
        reverse("web:home"),
        reverse("web:ladder", args=["main"]),
        reverse("web:bots"),
        reverse("web:bot", args=[site.bot.public_id]),
        reverse("web:version", args=[site.rejected.public_id]),
        reverse("web:block", args=[site.complete.public_id]),
        reverse("web:block", args=[site.open.public_id]),
        reverse("web:match", args=[site.match(site.complete).public_id]),
        reverse("web:tournaments"),
        *tournaments,
        reverse("web:rules_index"),
        reverse("web:rules", args=["android_full"]),
        reverse("web:agreement", args=["redeal_points_below_after_pass"]),
        reverse("web:status"),
        reverse("web:bot_guide"),
        reverse("account_signup"),
        "/nothing-here/",
    ]


@pytest.fixture
def browser(addresses: list[str]) -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


def watched(page: Page, host: str) -> list[str]:
    """Return the list in which the page's script errors and foreign requests will be."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: None if host in request.url else problems.append(request.url))
    page.on(
        "console",
        lambda message: problems.append(message.text) if "Content Security" in message.text else None,
    )
    return problems


def test_no_page_scrolls_sideways_or_loads_from_elsewhere(
    live_server: LiveServer, addresses: list[str], browser: Browser
) -> None:
    page = browser.new_page()
    problems = watched(page, live_server.url)
    for address in addresses:
        page.goto(live_server.url + address)
        for width, zoom in ((1280, "100%"), (360, "100%"), (320, "200%")):
            page.set_viewport_size({"width": width, "height": 640})
            page.evaluate("zoom => { document.documentElement.style.fontSize = zoom }", zoom)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{address} at {width} px and {zoom}"
    assert problems == []
    page.close()


def test_the_menu_opens_without_a_script_and_its_targets_are_large(
    live_server: LiveServer, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 640}, java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url)
    assert not page.locator("#site-menu").is_visible()
    page.locator(".menu-button").click()
    links = page.locator("#site-menu a")
    assert links.count() >= 7
    boxes = [link.bounding_box() for link in links.all()]
    assert all(box is not None and box["height"] >= 44 for box in boxes)
    context.close()


def test_the_theme_is_chosen_remembered_and_set_before_paint(
    live_server: LiveServer, addresses: list[str], browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    page = context.new_page()
    page.goto(live_server.url)
    background = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(background) == "rgb(246, 247, 245)"
    page.get_by_role("button", name="Dark theme").click()
    assert page.evaluate(background) == "rgb(18, 22, 20)"
    page.goto(live_server.url + addresses[2], wait_until="commit")
    page.wait_for_selector("html[data-theme=dark]", state="attached")
    assert page.get_by_role("button", name="Light theme").is_visible()
    context.close()


def test_the_rating_graph_is_drawn_and_a_failing_part_says_so(
    live_server: LiveServer, addresses: list[str], browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(live_server.url + addresses[3])
    page.wait_for_selector("#rating-chart canvas")
    page.route(
        "**/live/", lambda route: route.fulfill(status=500, headers={"X-Request-ID": "abc-123-def"}, body="")
    )
    page.goto(live_server.url)
    note = page.wait_for_selector(".live-failure", timeout=10_000)
    assert note is not None
    assert "This part could not be loaded" in note.inner_text()
    assert "abc-123-def" in note.inner_text()
    page.close()


def test_a_start_is_told_in_the_readers_own_zone_with_a_countdown(
    live_server: LiveServer, addresses: list[str], browser: Browser
) -> None:
    context = browser.new_context(timezone_id="Asia/Kathmandu", locale="en-GB")
    page = context.new_page()
    page.goto(live_server.url + reverse("web:tournaments"))
    told = page.locator(".local-time").first
    told.wait_for()
    assert "GMT+5:45 in your time zone, in 59 minutes" in told.inner_text()
    context.close()
