"""Contrast of the site's colours, recomputed from the style sheet (WCAG 2.2, relative luminance)."""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).resolve().parents[3] / "platform/thousand/web/static/web/tokens.css"
PAIR = re.compile(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall(TOKENS.read_text(encoding="utf-8"))}
SURFACES = ("surface", "page", "sunken")
THEMES = ("light", "dark")
TEXT, LARGE = 4.5, 3.0
"""Least ratio for text, and for shapes, borders and focus rings."""


def colour(name: str, theme: str) -> str:
    return COLOURS[name][THEMES.index(theme)]


def luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_ratio_of_black_and_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    "name",
    ["text", "muted", "faint", "accent", "link", "good", "bad", "warn",
     "suit-s", "suit-h", "suit-d", "suit-c", "seat-0", "seat-1", "seat-2", "seat-3"],
)  # fmt: skip
def test_every_ink_is_readable_on_every_surface(name: str, theme: str) -> None:
    for surface in SURFACES:
        assert contrast(colour(name, theme), colour(surface, theme)) >= TEXT, surface


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["control", "focus"])
def test_borders_of_controls_and_the_focus_ring_are_seen(name: str, theme: str) -> None:
    for surface in SURFACES:
        assert contrast(colour(name, theme), colour(surface, theme)) >= LARGE, surface
    assert contrast(colour("focus", theme), colour("table", theme)) >= LARGE


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["chip-neutral", "chip-warn", "chip-bad", "chip-good"])
def test_chips_are_readable(name: str, theme: str) -> None:
    assert contrast(colour(f"{name}-ink", theme), colour(name, theme)) >= 7


@pytest.mark.parametrize("theme", THEMES)
def test_buttons_and_card_backs_are_readable(theme: str) -> None:
    assert contrast(colour("accent-ink", theme), colour("accent", theme)) >= TEXT
    assert contrast(colour("accent-ink", theme), colour("pico-primary-hover-background", theme)) >= TEXT
    assert contrast(colour("back", theme), colour("table", theme)) >= LARGE


def test_the_figures_of_the_design_are_kept() -> None:
    assert contrast(colour("text", "light"), colour("surface", "light")) == pytest.approx(17.3, abs=0.06)
    assert contrast(colour("muted", "light"), colour("sunken", "light")) == pytest.approx(6.1, abs=0.06)
    assert contrast(colour("link", "dark"), colour("page", "dark")) == pytest.approx(9.6, abs=0.06)
    assert contrast(colour("focus", "dark"), colour("table", "dark")) == pytest.approx(11.6, abs=0.06)
