"""The main job with nothing replaced: `manage.py up`, a browser, the README's ten-line bot.

Sign up, upload the bot, see it validated, see its first rated block, open a replay, step to the end; the
final totals on screen are the API's.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browsers import open_browser

ROOT = Path(__file__).resolve().parents[2]
FIRST_PAGE_SECONDS = 60
FIRST_BLOCK_SECONDS = 240

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


def readme_bot() -> str:
    """The bot that the README shows, as its reader would copy it."""
    match = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert match, "the README shows no bot"
    return match[1]


def get_json(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running `manage.py up` on a fresh data folder."""
    folder = tmp_path_factory.mktemp("site")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    environment = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
    argv = [sys.executable, "manage.py", "up", "--port", str(port), "--data", str(folder / "data")]
    with (folder / "up.log").open("wb") as log:
        up = subprocess.Popen(argv, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + FIRST_PAGE_SECONDS
            while True:
                try:
                    urllib.request.urlopen(address, timeout=5).close()
                    break
                except OSError:
                    assert up.poll() is None, (folder / "up.log").read_text()
                    assert time.monotonic() < deadline, (folder / "up.log").read_text()
                    time.sleep(0.2)
            yield address
        finally:
            up.send_signal(signal.SIGINT)
            stopped_from = time.monotonic()
            up.wait(timeout=15)
    assert time.monotonic() - stopped_from < 5, "Ctrl-C ends the site and every child within 5 s"
    assert up.returncode == 0, (folder / "up.log").read_text()


@pytest.fixture(scope="module")
def page(site: str) -> Iterator[Page]:
    expect.set_options(timeout=60_000)  # a busy machine paints late
    with open_browser() as browser:
        context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 800})
        page = context.new_page()
        foreign: list[str] = []
        problems: list[str] = []
        page.on("request", lambda request: foreign.append(request.url) if site not in request.url else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        yield page
    assert foreign == [], "no request leaves the host"
    assert problems == [], "no page raised a script error"


def test_a_newcomer_uploads_the_readme_bot_and_watches_it_climb(
    site: str, page: Page, tmp_path: Path
) -> None:
    page.goto("/")
    page.get_by_role("link", name="Sign in").first.click()
    page.get_by_role("link", name=re.compile("sign up", re.IGNORECASE)).first.click()
    page.get_by_label(re.compile("^username", re.IGNORECASE)).fill("marta")
    for field in page.locator("input[type=password]").all():
        field.fill("correct horse battery staple")
    page.locator("main form button[type=submit]").click()

    bot = tmp_path / "bot.py"
    bot.write_text(readme_bot())
    page.goto("/upload/")
    page.get_by_label(re.compile("name", re.IGNORECASE)).first.fill("Ten lines")
    page.locator("input[type=file]").set_input_files(bot)
    page.get_by_role("button", name="Upload and check").click()
    expect(page).to_have_url(re.compile(r"/versions/[0-9a-z]{12}/"))
    version_id = re.search(r"/versions/([0-9a-z]{12})/", page.url)[1]  # type: ignore[index]
    expect(page.get_by_role("heading", name="Accepted", exact=True)).to_be_visible(timeout=120_000)
    assert get_json(f"{site}/api/v1/versions/{version_id}/")["state"] == "ready"

    deadline = time.monotonic() + FIRST_BLOCK_SECONDS
    standing = None
    while standing is None:
        assert time.monotonic() < deadline, "the first rated block took too long"
        time.sleep(0.2)
        rows = get_json(f"{site}/api/v1/ladders/main/standings")["results"]
        standing = next(
            (row for row in rows if row["version"]["id"] == version_id and row["blocks"] > 0), None
        )

    page.goto(f"/bots/{standing['version']['bot_id']}/")
    expect(page.get_by_role("heading", name="Ten lines")).to_be_visible()
    page.locator("tr[data-state=complete] a[href^='/blocks/']").first.click()
    page.locator("a[href^='/replays/']").first.click()
    expect(page).to_have_url(re.compile(r"/replays/[0-9a-z]{12}"))
    replay_id = re.search(r"/replays/([0-9a-z]{12})", page.url)[1]  # type: ignore[index]
    document = get_json(f"{site}/api/v1/replays/{replay_id}/")

    page.wait_for_selector("#viewer.ready")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=1"))
    page.locator("[data-part=stage]").focus()
    page.keyboard.press("Shift+End")
    expect(page).to_have_url(re.compile(f"deal={len(document['deals']) - 1}"))
    for seat, total in enumerate(document["outcome"]["totals"]):
        shown = page.locator(f"[data-seat='{seat}'] [data-part=total]").first
        expect(shown).to_have_text(str(total).replace("-", "\N{MINUS SIGN}"))
