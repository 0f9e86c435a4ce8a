"""What each seat did in a match, counted from the `deal_end` events of its replay or its states. Pure."""

from collections.abc import Mapping
from typing import Any

COUNTS = (
    "deals",
    "declared",
    "made",
    "conceded",
    "bids",
    "contracts",
    "declarer_points",
    "defender_points",
    "marriages",
    "marriage_points",
    "bolts",
    "barrels",
    "falls",
)
"""Whole numbers of a seat: deals it took part in; deals as declarer, those made and conceded; sums of the
winning bids and of the contracts named; what the deals changed on its total as declarer and as defender;
marriages announced and their value; bolts; times it took its place on the barrel and fell off it."""

SeatPlay = dict[str, Any]
"""`COUNTS` and `named`: by contract, as a decimal text, how often it was named and made."""


def play_of(document: Mapping[str, Any]) -> tuple[SeatPlay, ...]:
    """Return the counts of every seat."""
    seats = new_play(document["players"])
    for deal in document["deals"]:
        for event in deal["events"]:
            if event["event"] == "deal_end":
                count_deal(seats, event)
    return seats


def new_play(players: int) -> tuple[SeatPlay, ...]:
    """Return counts at the start of a match."""
    return tuple({**dict.fromkeys(COUNTS, 0), "named": {}} for _seat in range(players))


def count_deal(seats: tuple[SeatPlay, ...], end: Mapping[str, Any]) -> None:
    """Count a deal by its `deal_end` event."""
    declarer = end["declarer"]
    for seat, play in enumerate(seats):
        change = end["after"][seat] - end["before"][seat]
        play["deals"] += 1
        play["marriages"] += len(end["marriages"][seat])
        play["marriage_points"] += sum(value for _suit, value in end["marriages"][seat])
        play["bolts"] += f"bolt{seat}" in end["events"]
        play["barrels"] += f"sit{seat}" in end["events"]
        play["falls"] += f"fall{seat}" in end["events"]
        play["declarer_points" if seat == declarer else "defender_points"] += change
    if declarer is not None and end["contract"] is not None:
        _count_contract(seats[declarer], end)


def _count_contract(play: SeatPlay, end: Mapping[str, Any]) -> None:
    made = end["result"] == "made"
    play["declared"] += 1
    play["made"] += made
    play["conceded"] += end["result"] == "conceded"
    play["bids"] += end["bid"] or 0
    play["contracts"] += end["contract"]
    named = play["named"].setdefault(str(end["contract"]), [0, 0])
    named[0] += 1
    named[1] += made
