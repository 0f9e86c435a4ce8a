"""Local times that do not exist or exist twice are asked about, never guessed."""

from datetime import UTC, datetime

import pytest

from thousand.core.errors import InvalidInputError
from thousand.tournaments.localtime import instant_of, zones


def local(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("there", "zone", "utc"),
    [
        (local("2026-12-01 18:00"), "UTC", datetime(2026, 12, 1, 18, 0, tzinfo=UTC)),
        (local("2026-12-01 18:00"), "Europe/Sofia", datetime(2026, 12, 1, 16, 0, tzinfo=UTC)),
        (local("2026-03-29 01:59"), "Europe/Warsaw", datetime(2026, 3, 29, 0, 59, tzinfo=UTC)),
        (local("2026-03-29 03:00"), "Europe/Warsaw", datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        (local("2026-03-29 02:30"), "Europe/Sofia", datetime(2026, 3, 29, 0, 30, tzinfo=UTC)),
        (local("2026-10-04 01:59"), "Australia/Lord_Howe", datetime(2026, 10, 3, 15, 29, tzinfo=UTC)),
    ],
)  # fmt: skip
def test_a_time_that_exists_once_is_one_instant(there: datetime, zone: str, utc: datetime) -> None:
    assert instant_of(there, zone) == utc


@pytest.mark.parametrize(
    ("there", "zone", "near"),
    [
        (local("2026-03-29 02:30"), "Europe/Warsaw", "03:30"),
        (local("2026-03-29 03:30"), "Europe/Sofia", "04:30"),
        (local("2026-10-04 02:15"), "Australia/Lord_Howe", "02:45"),
    ],
)  # fmt: skip
def test_a_time_that_is_left_out_is_refused_with_times_nearby(there: datetime, zone: str, near: str) -> None:
    with pytest.raises(InvalidInputError, match="clocks go forward") as refused:
        instant_of(there, zone)
    assert refused.value.field == "starts_at"
    assert near in refused.value.message


def test_a_time_that_exists_twice_is_asked_about() -> None:
    twice = local("2026-10-25 02:30")
    with pytest.raises(InvalidInputError, match="00:30 UTC, the later 01:30 UTC") as refused:
        instant_of(twice, "Europe/Warsaw")
    assert refused.value.field == "which"
    assert instant_of(twice, "Europe/Warsaw", which="earlier") == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert instant_of(twice, "Europe/Warsaw", which="later") == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_an_unknown_zone_is_refused() -> None:
    for zone in ("Europe/Nowhere", "", "../etc/passwd", "CET-1"):
        with pytest.raises(InvalidInputError, match="no time zone") as refused:
            instant_of(local("2026-01-01 00:00"), zone)
        assert refused.value.field == "zone"
    assert zones()[0] == "UTC"
    assert "Europe/Sofia" in zones()
