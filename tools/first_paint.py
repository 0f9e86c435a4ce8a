#!/usr/bin/env python3
"""Measure how soon a replay's first picture shows on a slow phone: 4 times slower CPU, 1.6 Mbit/s.

    python tools/first_paint.py [--rounds 9]

Fills and serves a site of its own (tools/screenshots.py) and opens a replay in Chromium with nothing cached.
Tells the median and the best first contentful paint, and what was fetched until the viewer was ready. The
budget is one second; a busy machine shows more.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from screenshots import FLAGS, SIZES, addresses, served

SLOWER = 4
BYTES_A_SECOND = 200_000
BUDGET_MS = 1000
ASKED = """({
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  bytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
  files: performance.getEntriesByType("resource").length,
})"""


def main(arguments: list[str]) -> int:
    """Measure and print; 1 where the median is over the budget."""
    parser = argparse.ArgumentParser(description="Measure the viewer's first paint.")
    parser.add_argument("--rounds", type=int, default=9, help="how often to open the replay (default 9)")
    rounds = parser.parse_args(arguments).rounds
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        print("There is no Chromium on this machine; `make install` installs it.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as data, served(Path(data), blocks=2) as site:
        address = site + addresses(site)["viewer-deal"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            found = [opened(browser, address) for _ in range(rounds)]
            browser.close()
    paints = [each["paint"] for each in found]
    median = statistics.median(paints)
    print(f"first paint {median:.0f} ms (best {min(paints):.0f}), budget {BUDGET_MS} ms")
    print(f"fetched {found[-1]['bytes'] / 1000:.1f} kB in {found[-1]['files'] + 1} files")
    return int(median > BUDGET_MS)


def opened(browser: Browser, address: str) -> dict[str, Any]:
    """Open the address once and return what the page's own clock says."""
    context = browser.new_context(viewport=SIZES["360"])
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    devtools.send("Network.enable")
    devtools.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": 0,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
    page.goto(address)
    page.wait_for_selector("#viewer.ready")
    told: dict[str, Any] = page.evaluate(ASKED)
    context.close()
    return told


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
