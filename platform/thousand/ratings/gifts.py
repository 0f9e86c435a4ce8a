"""What a bot gave away, read from the records of a block: points on a declarer's tricks, and auctions.

A *chance* is a card that a defender plays on a trick which the declarer holds and wins, when it could choose
between a card of ten points or more and a cheaper one; a *gift* is that it chose the dear one. *Shading* is
how much lower it gave up the auction when one opponent outbid it than when another one did, holding the same
hand in another seating of the block: positive is lower.

Pure: the engine plays the records again, and says what was legal and who won.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from engine import Ruleset, start, step
from thousand.ratings.collusion import Defence

DEAR = frozenset("TA")
"""Ranks that count ten points or more."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match of the block: its record and who sat where."""

    ruleset: Ruleset
    seed: bytes
    actions: Sequence[str]
    versions: tuple[int, ...]
    """By seat."""


@dataclass(slots=True)
class _Counts:
    chances: Counter[tuple[int, int]] = field(default_factory=Counter)
    gifts: Counter[tuple[int, int]] = field(default_factory=Counter)
    outbid: dict[tuple[int, tuple[str, ...]], dict[int, list[int]]] = field(default_factory=dict)
    """By version and hand: at which bids it gave up, by who played the deal."""


def defences(matches: Iterable[Played]) -> list[Defence]:
    """Return one row for every ordered pair of versions of a block."""
    counts = _Counts()
    versions: set[int] = set()
    for match in matches:
        versions |= set(match.versions)
        _read(match, counts)
    shading, hands = _shading(counts.outbid)
    return [
        Defence(*pair, counts.chances[pair], counts.gifts[pair], hands[pair], shading[pair])
        for pair in permutations(sorted(versions), 2)
    ]


def _read(match: Played, counts: _Counts) -> None:
    deal = _Deal(match.versions, counts)
    now = start(match.ruleset, match.seed)
    for event in now.events:
        deal.take(event.full())
    for action in match.actions:
        if action.startswith("play "):
            deal.options[action.split()[1]] = [legal.split()[1] for legal in now.state.legal]
        now = step(now.state, action)
        for event in now.events:
            deal.take(event.full())


class _Deal:
    """Follows the events of one match and counts."""

    def __init__(self, versions: Sequence[int], counts: _Counts) -> None:
        self._versions = versions
        self._counts = counts
        self._hands: list[list[str]] = []
        self._bids: dict[int, int] = {}
        self._declarer: int | None = None
        self.options: dict[str, list[str]] = {}
        """By card of the trick: what else could have been played."""

    def take(self, event: Mapping[str, Any]) -> None:
        match event["event"]:
            case "deal":
                self._hands, self._bids, self._declarer = event["hands"], {}, None
                self.options = {}
            case "bid":
                self._bids[event["seat"]] = event["bid"]
            case "contract":
                self._declarer = event["seat"]
                self._note_auction()
            case "trick":
                if event["seat"] == self._declarer:
                    self._note_trick(event["cards"])
                self.options = {}

    def _note_auction(self) -> None:
        for seat, version in enumerate(self._versions):
            if seat != self._declarer and self._declarer is not None and self._hands[seat]:
                hand = (version, tuple(sorted(self._hands[seat])))
                by_winner = self._counts.outbid.setdefault(hand, {})
                winner = self._versions[self._declarer]
                by_winner.setdefault(winner, []).append(self._bids.get(seat, 0))

    def _note_trick(self, cards: Sequence[tuple[int, str]]) -> None:
        won = False
        for seat, card in cards:
            if seat == self._declarer:
                won = True
                continue
            options = self.options.get(card, [])
            dear = [option for option in options if option[0] in DEAR]
            if won and dear and len(dear) < len(options):
                pair = (self._versions[seat], self._versions[self._declarer or 0])
                self._counts.chances[pair] += 1
                self._counts.gifts[pair] += card[0] in DEAR


def _shading(
    outbid: Mapping[tuple[int, tuple[str, ...]], Mapping[int, Sequence[int]]],
) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Compare, hand by hand, the bids at which one opponent and the others outbid a version."""
    shading: Counter[tuple[int, int]] = Counter()
    hands: Counter[tuple[int, int]] = Counter()
    for (version, _hand), by_winner in outbid.items():
        for winner, bids in by_winner.items():
            others = [bid for other, theirs in by_winner.items() if other != winner for bid in theirs]
            if others:
                hands[version, winner] += 1
                shading[version, winner] += round(sum(others) / len(others) - sum(bids) / len(bids))
    return shading, hands
