"""The sprite is what the tool draws, inks are readable, words come from the server, files stay small."""

import gzip
import re
import runpy
from pathlib import Path

import pytest

from thousand.web.viewer_texts import viewer_texts

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "platform/thousand/web/static/web"
VIEWER = WEB / "viewer"
SPRITE = WEB / "cards.svg"

KIBIBYTE = 1024
LIGHT_FACE, DARK_FACE = "#ffffff", "#ecefea"


def compressed(*files: Path) -> int:
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)


def source() -> str:
    return "".join(file.read_text(encoding="utf-8") for file in sorted(VIEWER.glob("*.js")))


def luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_stored_sprite_is_what_the_tool_draws() -> None:
    tool = runpy.run_path(str(ROOT / "tools/make_cards.py"))
    assert SPRITE.read_text(encoding="utf-8") == tool["sprite"]()


def test_the_tool_says_when_the_stored_sprite_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = runpy.run_path(str(ROOT / "tools/make_cards.py"))
    other = tmp_path / "cards.svg"
    other.write_text("<svg/>")
    assert tool["main"](["--check", str(other)]) == 1
    assert "run it again" in capsys.readouterr().err
    assert tool["main"]([str(other)]) == 0
    assert tool["main"](["--check", str(other)]) == 0


def test_the_sprite_needs_no_font_and_stays_small() -> None:
    text = SPRITE.read_text(encoding="utf-8")
    assert "<text" not in text
    assert "font" not in text
    assert compressed(SPRITE) <= 4 * KIBIBYTE
    symbols = set(re.findall(r'<symbol id="([^"]+)"', text))
    assert {f"s-{suit}" for suit in "SCDH"} <= symbols
    assert {f"r-{rank}" for rank in ("9", "10", "J", "Q", "K", "A", "Te", "Ka", "De", "Ve")} <= symbols


def test_every_drawing_the_viewer_asks_for_exists() -> None:
    symbols = set(re.findall(r'<symbol id="g-([^"]+)"', SPRITE.read_text(encoding="utf-8")))
    pages = "".join(
        page.read_text(encoding="utf-8") for page in (WEB.parents[1] / "templates/web").glob("replay*.html")
    )
    asked = set(re.findall(r'glyph\("([a-z-]+)"', source()))
    asked |= set(re.findall(r'replay_glyph.html" with name="([a-z]+)"', pages))
    assert asked
    assert asked <= symbols


@pytest.mark.parametrize("ink", ["s", "h", "d", "c"])
def test_card_inks_are_readable_on_both_faces(ink: str) -> None:
    style = (VIEWER / "cards.css").read_text(encoding="utf-8")
    assert f"--card-face: light-dark({LIGHT_FACE}, {DARK_FACE})" in style
    found = re.search(rf"--ink-{ink}: (#[0-9a-f]{{6}})", style)
    assert found
    assert contrast(found[1], LIGHT_FACE) >= 4.5
    assert contrast(found[1], DARK_FACE) >= 4.5


def test_every_word_the_module_writes_comes_from_the_server() -> None:
    known = set(viewer_texts())
    asked = set(re.findall(r'\btext\(\s*"([a-z-]+)"', source()))
    families = set(re.findall(r"\b(?:text|has|known)\([^`;]*`([a-z]+)-\$\{", source()))
    assert len(asked) > 60
    assert asked <= known
    for family in families:
        assert any(key.startswith(f"{family}-") for key in known), family


def test_no_word_is_sent_in_vain() -> None:
    families = set(re.findall(r"`([a-z]+)-\$\{", source()))
    of_results = {"made", "failed", "conceded", "thrown"}
    for_pages = {"deal-heading"}
    for key in set(viewer_texts()) - of_results - for_pages:
        assert f'"{key}"' in source() or key.split("-")[0] in families or f"\n  {key}(" in source(), key


def test_modules_and_style_sheets_keep_their_budget() -> None:
    assert compressed(*VIEWER.glob("*.js")) <= 35 * KIBIBYTE
    assert compressed(*VIEWER.glob("*.css")) <= 13 * KIBIBYTE
    for file in VIEWER.glob("*.js"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 400, file.name


def test_the_module_asks_nobody_else_and_runs_nothing_from_text() -> None:
    assert not re.findall(r"https?://(?!www\.w3\.org)", source())
    assert not re.findall(r"\beval\(|new Function|innerHTML|insertAdjacentHTML", source())
    assert 'setAttribute("style"' not in source()
