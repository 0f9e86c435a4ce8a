"""The Chromium that tests look at pages with."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
"""The first that is there. The shell is the same engine without a window's tabs and menus, which cost more
than our pages: with them a page that is opened takes three times the CPU time."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
"""An imitated GPU would cost more than none."""


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start one; while it is there Django lets no test of this process ask a database."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program, "no Chromium; `make install` installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()
