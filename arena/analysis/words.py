"""An analysis as text that a card player understands; nothing here computes anything."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.actions import parse_action
from engine.cards import RANK_OF, SUIT_OF

_RANKS: Final = ("nine", "jack", "queen", "king", "ten", "ace")
_SUITS: Final = ("spades", "clubs", "diamonds", "hearts")
VERDICTS: Final = {
    "sound": "a sound bid",
    "bold": "a bold bid",
    "rash": "a rash bid",
    "forced": "the opening was forced",
    "passed": "rightly passed",
    "timid": "passed too soon",
}
EQUAL: Final = 0.002
"""Less than this is no difference worth a word."""
SHOWN: Final = 4
"""Alternatives of a decision that are told."""


def action_words(action: str) -> str:
    """Say an action: `play QS` → `the queen of spades`."""
    read = parse_action(action)
    cards = " and ".join(card_words(card) for card in read.cards)
    match read.kind:
        case "play":
            return f"{cards}, announced" if read.declare else cards
        case "give":
            return f"giving {cards}"
        case "bid":
            return f"bidding {read.number}"
        case "contract":
            return f"contract {read.number}"
        case "pass":
            return "passing"
        case "concede":
            return "conceding"
        case _:
            return action


def card_words(card: int) -> str:
    """Say a card: 2 → `the queen of spades`."""
    return f"the {_RANKS[RANK_OF[card]]} of {_SUITS[SUIT_OF[card]]}"


def percent(chance: float) -> str:
    """Write a winning chance: 0.0717 → `7.2 %`."""
    return f"{100 * chance:.1f} %"


def seat_rows(document: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """One row a seat: where its result came from, and its decisions."""
    return [
        (
            str(seat["seat"]), percent(seat["result"]), percent(seat["start"]), percent(seat["luck_chance"]),
            percent(seat["play_chance"]), str(seat["points"]), f"{seat['luck_points']:+.0f}",
            f"{seat['play_points']:+.0f}", str(seat["decisions"]), str(seat["good"]),
            str(seat["inaccuracies"]), str(seat["mistakes"]), str(seat["blunders"]),
            percent(seat["lost_chance"]),
        )
        for seat in document["seats"]
    ]  # fmt: skip


SEAT_HEAD: Final = (
    "seat", "won", "start", "luck", "play", "total", "luck", "play", "choices", "good", "inacc.", "mistakes",
    "blunders", "given up",
)  # fmt: skip


def moment_lines(document: Mapping[str, Any], kind: str, most: int, seats: Sequence[int]) -> Iterator[str]:
    """Tell the worst or the best moments of some seats, a paragraph each."""
    decisions = {one["action"]: one for deal in document["deals"] for one in deal["decisions"]}
    shown = [moment for moment in document["moments"][kind] if moment["seat"] in seats]
    for moment in shown[:most]:
        decision = decisions[moment["action"]]
        yield f"  deal {moment['deal']}, step {moment['step']}: " + decision_words(decision)


def decision_words(decision: Mapping[str, Any]) -> str:
    """Tell one decision: what was done, what was better or would have been worse, and by how much."""
    played, best = action_words(decision["played"]), action_words(decision["best"])
    start = f"seat {decision['seat']} chose {played}"
    if decision["mark"] == "good":
        second = action_words(decision["alternatives"][1]["action"])
        return f"{start}. Good: the next best, {second}, costs {percent(decision['kept_chance'])}."
    if decision["mark"]:
        points = decision["lost_points"]
        more = f" and {points:.0f} points" if points >= 1 else ""
        word = decision["mark"].capitalize()
        return f"{start}. {word}: {best} was better by {percent(decision['lost_chance'])}{more}."
    if decision["played"] == decision["best"]:
        return f"{start}, the best there was."
    if decision["lost_chance"]:
        return f"{start}; {best} was a little better ({percent(decision['lost_chance'])})."
    behind = next(one["behind"] for one in decision["alternatives"] if one["action"] == decision["played"])
    if behind < EQUAL:
        return f"{start}, as good as any."
    return f"{start}; {best} looks better, but not for certain."


def alternative_rows(decision: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """What was possible, best first; what was played is always among it."""
    alternatives = decision["alternatives"]
    shown = [
        one for place, one in enumerate(alternatives) if place < SHOWN or one["action"] == decision["played"]
    ]
    return [
        (
            "*" if one["action"] == decision["played"] else "", action_words(one["action"]),
            percent(one["chance"]), f"{one['points']:+.0f}", f"{100 * one['made']:.0f} %",
            "–" if one["open"] is None else str(one["open"]),
        )
        for one in shown
    ]  # fmt: skip


ALTERNATIVE_HEAD: Final = ("", "action", "wins", "points", "made", "open")


def bidding_lines(deal: Mapping[str, Any]) -> Iterator[str]:
    """Tell every seat's bidding of a deal."""
    for one in deal["bidding"]:
        said = f"bid {one['bid']}" if one["bid"] else "did not bid"
        yield (
            f"  seat {one['seat']} {said}: {VERDICTS[one['verdict']]}. Of the deals that fit its cards "
            f"{100 * one['known']:.0f} % make {one['target']}; "
            f"as the cards lay it could take {one['could']}."
        )


def luck_line(deal: Mapping[str, Any]) -> str:
    """Tell what the cards of a deal brought each seat."""
    parts = [
        f"seat {seat} {points:+.0f} points ({100 * chance:+.1f} %)"
        for seat, (points, chance) in enumerate(zip(deal["luck_points"], deal["luck_chance"], strict=True))
    ]
    return "  the cards alone: " + ", ".join(parts)
