"""One Chromium and one small site for every browser test of the viewer."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browsers import open_browser
from tests.viewer import matches
from tests.viewer.pages import replay_path, serve
from tests.viewer.reading import read_all_steps

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 640}

PRESETS = {
    "widows": "two_player_widows_2x3",
    "piles": "two_player_piles",
    "dummy": "two_player_dummy",
    "stock": "two_player_stock",
    "table": "two_player_table_four",
    "blind": "android_full",
    "golden": "hilyada_bg",
    "buying": "mixed_agreements",
    "cut": "blog_basic",
    "four": "club_four",
}
"""Replays of other games by their names here."""

OpenPage = Callable[..., Page]
ReadAll = Callable[..., list[list[dict[str, Any]]]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for a file and no longer: while it is there Django lets no test of this process ask a database."""
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of a site with the replays `won`, `short`, `faulty`, `long`, `redealt`, and PRESETS."""
    replays = {
        "won": matches.won_match(),
        "short": matches.short_match(),
        "faulty": matches.faulty_match(),
        "long": matches.long_match(),
        "redealt": matches.redealt_match(),
        **{name: matches.preset_match(preset) for name, preset in PRESETS.items()},
    }
    with serve(replays) as address:
        yield address


@pytest.fixture
def open_page(browser: Browser, site: str) -> Iterator[OpenPage]:
    """Open `short#deal=1` and wait for the viewer; the test fails if the page complained about anything."""
    contexts = []
    complaints: list[str] = []

    def open_replay(replay: str, *, size: dict[str, int] = WIDE, ready: bool = True, **options: Any) -> Page:
        context = browser.new_context(viewport=size, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(site + replay_path(replay))
        if ready:
            page.wait_for_selector("#viewer.ready")
        return page

    yield open_replay
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def read_all(browser: Browser, site: str) -> Iterator[ReadAll]:
    """Read all steps of a replay in a view, `read_all("short", view="seat", seat=1)`; readings are kept.

    A replay has one page for all its views: to load it costs as much as to show hundreds of steps.
    """
    pages: dict[str, Page] = {}
    kept: dict[tuple[str, str, int], list[list[dict[str, Any]]]] = {}

    def read_replay(replay: str, view: str = "all", seat: int = 0) -> list[list[dict[str, Any]]]:
        key = (replay, view, seat)
        if key not in kept:
            if replay not in pages:
                pages[replay] = browser.new_page(viewport=WIDE, reduced_motion="reduce")
                pages[replay].goto(site + replay_path(replay))
                pages[replay].wait_for_selector("#viewer.ready")
            kept[key] = read_all_steps(pages[replay], view=view, seat=seat)
        return kept[key]

    yield read_replay
    for page in pages.values():
        page.close()
