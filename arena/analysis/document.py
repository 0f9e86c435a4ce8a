"""The analysis document, format 1: what is stored, sent and shown. Also the source of its JSON Schema."""

from enum import StrEnum
from typing import Any, Final, Literal

import msgspec

ANALYSIS_FORMAT: Final = "thousand-analysis"


class Mark(StrEnum):
    """What is said of a decision; most have no mark."""

    NONE = ""
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Verdict(StrEnum):
    """What is said of a seat's bidding in one deal."""

    SOUND = "sound"
    BOLD = "bold"
    RASH = "rash"
    FORCED = "forced"
    """Nobody bid, and the opening was forced."""
    PASSED = "passed"
    """Rightly so."""
    TIMID = "timid"


class Threshold(msgspec.Struct, frozen=True):
    """From what a decision is called so: one of the two is enough."""

    chance: float
    """Winning chance given up; of a good one, that every other action would have given up."""
    points: float | None
    """Points given up."""


class Alternative(msgspec.Struct, frozen=True):
    """An action that was possible, by what the seat could know; means over guesses of the hidden cards."""

    action: str
    points: float
    """Change of the seat's total by this deal."""
    chance: float
    """Its winning chance of the match after this deal, 0 … 1."""
    made: float
    """Share of the guesses in which the contract was made, by whoever had it."""
    behind: float
    """Winning chance, with a little of the points in it, by which it is worse than the best action."""
    error: float
    """Standard error of `behind`."""
    open: int | None = None
    """Points the declarer ends with if all cards lie open and everybody plays his best: hindsight."""


class Decision(msgspec.Struct, frozen=True):
    """One decision that left a choice."""

    action: int
    """Index into the replay's actions."""
    step: int
    """Index into the deal's events; where the action has none of its own, the one before it."""
    seat: int
    phase: str
    played: str
    best: str
    advised: str
    """What the strongest house bot would have done with what the seat saw."""
    mark: Mark
    lost_chance: float
    """Winning chance given up; 0 if the difference to the best action is below two standard errors."""
    lost_points: float
    kept_chance: float
    """Winning chance that the second best action would have given up, if the best was played and rules of
    thumb would have played another."""
    chances: list[float]
    """Winning chance of every seat after the action, as far as its seat could know."""
    worlds: int
    """Guesses behind each number."""
    alternatives: list[Alternative]
    """Best first."""


class Bidding(msgspec.Struct, frozen=True):
    """One seat's bidding in one deal."""

    seat: int
    bid: int
    """Its highest bid; 0 if it made none."""
    target: int
    """What its cards are held against: the declarer's bid, or the one that another seat did not make."""
    known: float
    """Share of deals that fit its cards as dealt in which it makes the target."""
    could: int
    """Points it takes at least as declarer with the widow that lay there, all cards open."""
    verdict: Verdict


class AnalysedDeal(msgspec.Struct, frozen=True):
    """One deal; lists are by seat."""

    deal: int
    chances: list[float]
    """Winning chances before it, by the standing alone."""
    gains: list[int] | None
    """Change of the totals; null where the deal was not finished."""
    luck_points: list[float]
    """What the cards alone brought."""
    luck_chance: list[float]
    bidding: list[Bidding]
    """Empty where the deal had no auction of the usual kind."""
    decisions: list[Decision]


class AnalysedSeat(msgspec.Struct, frozen=True):
    """A seat's match in numbers. result = start + luck + play, in winning chance and in points."""

    seat: int
    decisions: int
    """Decisions that left a choice and were judged."""
    good: int
    inaccuracies: int
    mistakes: int
    blunders: int
    lost_chance: float
    lost_points: float
    start: float
    """Winning chance before the first deal."""
    result: float
    """1 for the winner, 0 for the others; shared among equals."""
    luck_chance: float
    play_chance: float
    points: int
    """Final total."""
    luck_points: float
    play_points: float


class Moment(msgspec.Struct, frozen=True):
    """A decision to look at."""

    deal: int
    step: int
    action: int
    seat: int
    chance: float
    """Winning chance it gave up, or that the second best would have."""
    points: float


class Moments(msgspec.Struct, frozen=True):
    """The decisions that counted most: by `chance` from the greatest, and by `points` where that is equal."""

    worst: list[Moment]
    best: list[Moment]


class AnalysisDocument(msgspec.Struct, frozen=True):
    """Shape of an analysis, format 1."""

    format: Literal["thousand-analysis"]
    version: Literal[1]
    analysis: int
    """Version of the method: other numbers for the same replay need another one."""
    code: str
    """First 16 hex digits of SHA-256 over the sources that decide the numbers."""
    engine: str
    rules_version: str
    replay: str
    """SHA-256 of the canonical replay document."""
    adviser: dict[str, str]
    """The house bot that was asked for advice, and the digest of its code."""
    race: dict[str, Any]
    """Where the winning chances come from."""
    thresholds: dict[str, Threshold]
    """By the name of the mark."""
    players: int
    seats: list[AnalysedSeat]
    moments: Moments
    deals: list[AnalysedDeal]
