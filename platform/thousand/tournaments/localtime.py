"""From what a clock on the wall says to an instant: times that do not exist, and times that exist twice.

When clocks go forward an hour of local time is left out, when they go back one is there twice. Neither is
guessed at. Pure.
"""

from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext as _

from thousand.core.errors import InvalidInputError

EARLIER, LATER = "earlier", "later"

_REGIONS = (
    "Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/",
    "Europe/", "Indian/", "Pacific/",
)  # fmt: skip


@cache
def zones() -> tuple[str, ...]:
    """Return the names of all time zones, UTC first."""
    return ("UTC", *sorted(name for name in available_timezones() if name.startswith(_REGIONS)))


def instant_of(local: datetime, zone: str, *, which: str = "") -> datetime:
    """Return the UTC instant of a local time without offset.

    `which` is `earlier` or `later`, for a time that exists twice. Raises InvalidInputError: field `zone`
    for an unknown one, `starts_at` for a time that is left out, `which` for one that exists twice and no word
    which of them.
    """
    if zone not in zones():
        raise InvalidInputError(
            _("There is no time zone “{zone}”. A zone is called like Europe/Sofia, or UTC.").format(
                zone=zone
            ),
            field="zone",
            value=zone,
            expected="Europe/Sofia",
        )
    local = local.replace(tzinfo=None)
    first, second = (local.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first.astimezone(UTC)
    # In a gap the offset before it leads behind it, and the one after it before it.
    after, before = (
        moment.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) for moment in (first, second)
    )
    if after != local:
        raise InvalidInputError(
            _(
                "In {zone} there is no {time}: the clocks go forward over it. "
                "Nearby there are {before} and {after}."
            ).format(zone=zone, time=_minutes(local), before=_minutes(before), after=_minutes(after)),
            field="starts_at",
            value=_minutes(local),
            expected=_minutes(after),
        )
    if which == EARLIER:
        return first.astimezone(UTC)
    if which == LATER:
        return second.astimezone(UTC)
    raise InvalidInputError(
        _(
            "In {zone} it is {time} twice: the clocks go back. Say which: the earlier is {first} UTC, "
            "the later {second} UTC."
        ).format(
            zone=zone,
            time=_minutes(local),
            first=f"{first.astimezone(UTC):%H:%M}",
            second=f"{second.astimezone(UTC):%H:%M}",
        ),
        field="which",
        value=which,
        expected=[EARLIER, LATER],
    )


def _minutes(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
