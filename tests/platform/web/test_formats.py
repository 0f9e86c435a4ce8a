"""How numbers, times and words look on a page."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.utils import timezone as django_timezone

from arena.verdicts import Verdict
from thousand.web.sparklines import draw_sparkline
from thousand.web.templatetags import arena as show

MINUS, THIN, FIXED = "\u2212", "\u2009", "\u00a0"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (9999, "9999"), (12480, f"12{THIN}480"), (-45, f"{MINUS}45"), (-12480, f"{MINUS}12{THIN}480")],
)
def test_counts_are_grouped_from_ten_thousand_on(value: int, text: str) -> None:
    assert show.count(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(6.24, "+6.2"), (-12.84, f"{MINUS}12.8"), (0.0, "0.0"), (-0.04, "0.0")]
)
def test_rating_changes_carry_a_sign_unless_they_are_nothing(value: float, text: str) -> None:
    assert show.signed(value) == text


def test_ratings_round_halves_up() -> None:
    assert show.rating(1500.5) == "1501"
    assert show.rating(1499.49) == "1499"


def test_no_value_is_a_dash_and_never_zero() -> None:
    for form in (
        show.count,
        show.rating,
        show.signed,
        show.share,
        show.milliseconds,
        show.instant,
        show.ago,
    ):
        assert form(None) == "\u2013"


def test_shares_times_and_sizes_have_their_units() -> None:
    assert show.share(0.5432) == f"54.3{FIXED}%"
    assert show.milliseconds(12.4) == f"12{FIXED}ms"
    assert show.milliseconds(0) == show.milliseconds(0.4) == f"under 1{FIXED}ms"
    assert show.milliseconds(1800) == f"1.8{FIXED}s"
    assert show.milliseconds(5000) == f"5{FIXED}s"
    assert show.file_size(133) == "133 bytes"
    assert show.file_size(48 * 1024) == f"48{FIXED}kB"
    assert show.file_size(61 * 1024 * 1024) == f"61{FIXED}MiB"


def test_instants_are_shown_in_utc_whatever_zone_they_come_in() -> None:
    local = datetime(2026, 11, 29, 16, 5, tzinfo=timezone(timedelta(hours=2)))
    shown = show.instant(local)
    assert 'datetime="2026-11-29T14:05:00Z"' in shown
    assert f"2026-11-29 14:05{FIXED}UTC" in shown


@pytest.mark.parametrize(
    ("age", "text"),
    [(timedelta(seconds=12), "12 s ago"), (timedelta(minutes=3), "3 min ago"),
     (timedelta(hours=47), "47 h ago"), (timedelta(days=9), "9 days ago"),
     (timedelta(seconds=-5), "0 s ago")],
)  # fmt: skip
def test_ages_are_told_in_one_unit(age: timedelta, text: str) -> None:
    assert text in show.ago(django_timezone.now() - age)


def test_backticks_become_code_and_markup_stays_text() -> None:
    shown = show.with_code("You answered `play <KH>`.\nSee `legal`. <b>")
    assert shown == ("You answered <code>play &lt;KH&gt;</code>.<br>See <code>legal</code>. &lt;b&gt;")


def test_every_verdict_has_words_and_a_clause() -> None:
    for verdict in Verdict:
        assert "_" not in show.verdict_word(verdict)
        if verdict is not Verdict.OK:
            assert verdict in show.VERDICT_CLAUSES


def test_a_sparkline_stays_in_its_box_and_ends_in_a_dot() -> None:
    line = draw_sparkline([1500.0, 1620.5, 1480.0, 1503.2])
    assert line is not None
    for point in line.points.split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= 96
        assert 0 <= y <= 24
    assert line.points.endswith(f"{line.end_x},{line.end_y}")
    assert (line.first, line.last) == (1500.0, 1503.2)


def test_a_small_change_is_no_cliff_and_one_value_is_no_line() -> None:
    flat = draw_sparkline([1500.0, 1501.0])
    assert flat is not None
    heights = [float(point.split(",")[1]) for point in flat.points.split()]
    assert max(heights) - min(heights) < 2
    assert draw_sparkline([1500.0]) is None
    assert draw_sparkline([]) is None


def test_time_now_is_utc() -> None:
    assert django_timezone.now().tzinfo is UTC
