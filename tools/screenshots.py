#!/usr/bin/env python3
"""Take the README's picture of the replay viewer, and every page at phone and desktop width.

    python tools/screenshots.py [--out build/screenshots] [--blocks 12]

Fills a site of its own with a past (tools/seed_demo.py), serves it, and looks at it in Chromium. The README's
picture goes to docs/images/viewer.png, the others to the folder named by `--out`.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
README_PICTURE = ROOT / "docs/images/viewer.png"
START_SECONDS = 60
LONGEST_NAME = 14

SIZES = {"1280": {"width": 1280, "height": 800}, "360": {"width": 360, "height": 640}}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

Api = Mapping[str, Any]


def main(arguments: list[str]) -> int:
    """Make all pictures; return the exit code."""
    parser = argparse.ArgumentParser(description="Take pictures of every page.")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build/screenshots", help="folder for the pictures"
    )
    parser.add_argument("--blocks", type=int, default=12, help="rated blocks to play first (default 12)")
    options = parser.parse_args(arguments)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        print("There is no Chromium on this machine; `make install` installs it.", file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    README_PICTURE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, served(Path(data), options.blocks) as site:
        pages = addresses(site)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            for name, address in pages.items():
                for size in SIZES:
                    take(browser, site + address, size, options.out / f"{name}-{size}.png")
            take(browser, site + pages["viewer-trick"], "1280", options.out / "viewer-dark.png", dark=True)
            take(browser, site + pages["viewer-trick"], "1280", README_PICTURE)
            browser.close()
    print(f"{len(pages) * len(SIZES) + 1} pictures in {options.out}, the README's in {README_PICTURE}")
    return 0


@contextmanager
def served(data: Path, blocks: int) -> Iterator[str]:
    """Fill a site and serve it; yields its address."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "thousand.settings.embedded",
        "THOUSAND_DATA": str(data),
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "platform"))),
    }
    for command in (
        ["manage.py", "migrate", "--verbosity=0"],
        ["manage.py", "collectstatic", "--verbosity=0", "--no-input"],
        ["tools/seed_demo.py", f"--blocks={blocks}"],
    ):
        subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True)
    port = free_port()
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "uvicorn", "thousand.asgi:application"),
            *("--port", str(port), "--log-level", "warning", "--lifespan", "off"),
        ],
        cwd=ROOT,
        env=environment,
    )
    try:
        site = f"http://127.0.0.1:{port}"
        wait_for(site, server)
        yield site
    finally:
        server.terminate()
        server.wait(timeout=15)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(site: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the site answers; RuntimeError when it does not come up."""
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(site, timeout=5).close()  # noqa: S310 - our own loopback address
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"the site did not start within {START_SECONDS} s")


def get_json(url: str) -> Any:
    """Return what the API answers."""
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - the same
        return json.load(answer)


def addresses(site: str) -> dict[str, str]:
    """Return the pages to look at by name: the site's, and the viewer at telling moments."""
    blocks = get_json(f"{site}/api/v1/blocks/?state=complete")["results"]
    block = next((each for each in blocks if longest_name(each) <= LONGEST_NAME), blocks[0])
    detail = get_json(f"{site}/api/v1/blocks/{block['id']}/")
    match = detail["matches"][0]
    replay = match["replay_id"]
    document = get_json(f"{site}/api/v1/replays/{replay}/")
    viewer = f"/replays/{replay}"
    moments = {
        name: f"{viewer}#deal={deal}&step={step}"
        for name, (deal, step) in {
            "viewer-widow": find(document, lambda event: event["event"] == "widow"),
            "viewer-marriage": find(document, lambda event: bool(event.get("marriage"))),
            "viewer-trick": find(
                document, lambda event: "won" in event and bool(event["trump"]) and event["trick"] > 3
            ),
            "viewer-sheet": find(document, lambda event: event["event"] == "deal_end"),
        }.items()
    }
    return {
        "home": "/",
        "ladder": "/ladders/main/",
        "head-to-head": "/ladders/main/head-to-head/",
        "bot": f"/bots/{detail['entries'][0]['version']['bot_id']}/",
        "block": f"/blocks/{block['id']}/",
        "match": f"/matches/{match['id']}/",
        "rules": f"/rules/{document['ruleset']['preset']}/",
        "guide": "/docs/bots/",
        "status": "/status/",
        "viewer-deal": viewer,
        **moments,
        "viewer-seat": f"{moments['viewer-trick']}&seat=1&view=seat",
        "viewer-static": f"{viewer}?deal=3",
    }


def longest_name(block: Api) -> int:
    """Return the length of the longest bot's name in a block: the README's picture shows names whole."""
    return max(len(entry["version"]["bot_name"]) for entry in block["entries"])


def find(document: Api, wanted: Any) -> tuple[int, int]:
    """Return (deal, step) of the first event from deal 6 on that is wanted; the start where there is none."""
    for number, deal in enumerate(document["deals"]):
        for step, event in enumerate(deal["events"]):
            if number >= 6 and wanted(event):
                return number, step
    return 0, 0


def take(browser: Browser, address: str, size: str, file: Path, *, dark: bool = False) -> None:
    """Take one picture of the first screenful."""
    context = browser.new_context(viewport=SIZES[size], color_scheme="dark" if dark else "light")
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.screenshot(path=file)
    context.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
