"""What a page of the viewer shows, as plain values."""

import time
from typing import Any

from playwright.sync_api import Page

_SHOW = """(place) => {
  const { viewer } = document.getElementById("viewer");
  viewer.go({ ...viewer.place, ...place });
  cancelAnimationFrame(viewer.frame);
  viewer.draw(viewer.pending);
}"""

_READ = """() => {
  const stage = document.getElementById("table");
  const card = (node) => node.querySelector(".pcard").dataset.card ?? null;
  const texts = (selector) => [...stage.querySelectorAll(selector)].map((node) => node.textContent);
  return {
    hands: [...stage.querySelectorAll(".hand")].map((hand) => [...hand.children].map(card)),
    trick: [...stage.querySelectorAll(".trick > li")].map(card),
    widow: texts(".widow .vh"),
    passed: texts(".passed .vh"),
    totals: texts(".seat-total"),
    roles: texts(".roles"),
    trump: texts("[data-part=trump]")[0],
    oldTrump: texts(".old-trump")[0] ?? null,
    need: texts("[data-part=need]")[0],
    fault: texts("[data-part=fault]:not([hidden])")[0] ?? null,
    caption: document.querySelector(".v-caption").textContent,
    words: stage.textContent + document.querySelector(".v-caption").textContent,
    codes: [...stage.querySelectorAll("[data-card]")].map((node) => node.dataset.card),
    told: [...stage.querySelectorAll("[title], [alt], [aria-label]")].map(
      (node) => `${node.title} ${node.getAttribute("alt")} ${node.getAttribute("aria-label")}`).join(),
  };
}"""

_READ_ALL = f"""(place) => {{
  const show = {_SHOW}, read = {_READ};
  return document.getElementById("viewer").viewer.deals.map((deal, number) =>
    deal.events.map((_, step) => {{
      show({{ ...place, deal: number, step }});
      return read();
    }}));
}}"""


def show(page: Page, **place: object) -> None:
    """Go to a place and draw it at once."""
    page.evaluate(_SHOW, place)


def read(page: Page) -> dict[str, Any]:
    return dict(page.evaluate(_READ))


def read_all_steps(page: Page, **place: object) -> list[list[dict[str, Any]]]:
    """Read every step of every deal in one view."""
    return list(page.evaluate(_READ_ALL, place))


def place(page: Page) -> tuple[int, int]:
    """Deal and step on show, once the last input has been drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shown = page.evaluate("document.getElementById('viewer').viewer.place")
    return int(shown["deal"]), int(shown["step"])


def wait_until(page: Page, condition: str, seconds: float = 5) -> None:
    """Wait for a JavaScript condition about `viewer`; the page's policy forbids Playwright's own polling."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(
        f"() => {{ const {{ viewer }} = document.getElementById('viewer'); return {condition}; }}"
    ):
        assert time.monotonic() < deadline, f"not within {seconds} s: {condition}"
        page.wait_for_timeout(20)


def animations_of_a_key(page: Page, key: str) -> int:
    """Press a key; return how many animations the viewer started for it."""
    return int(
        page.evaluate(
            """(key) => new Promise((done) => {
              let started = 0;
              const { animate } = Element.prototype;
              Element.prototype.animate = function (...values) {
                started += 1;
                return animate.apply(this, values);
              };
              document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
              requestAnimationFrame(() => requestAnimationFrame(() => done(started)));
            })""",
            key,
        )
    )
