"""Put the engine's answers beside the second opinion's.

The engine is given as two plain functions (its adapter lives elsewhere: nothing here knows the engine):

- `engine_score(preset, overrides, before, deal) -> dict`: the vocabulary of `scoring.score`, both ways;
- `engine_legal(position) -> dict`: the vocabulary of `legal.answer`, both ways.

An exception they raise is a difference like any other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from tests.engine.second_opinion.bidding import UNCAPPED_LIST_ENDS_AT
from tests.engine.second_opinion.legal import answer
from tests.engine.second_opinion.random_deals import random_score_case
from tests.engine.second_opinion.random_positions import random_positions
from tests.engine.second_opinion.scoring import score
from tests.engine.second_opinion.values import GAMES_OF_THOUSAND, Values, values_of

EngineScore = Callable[[str, dict[str, Any], dict[str, Any], dict[str, Any]], dict[str, Any]]
EngineLegal = Callable[[dict[str, Any]], dict[str, Any]]

ALWAYS_COMPARED = ["total", "winner", "barrel", "attempts", "falls", "bolts", "run", "conc"]


@dataclass(frozen=True)
class Difference:
    """One answer that is not the second opinion's; `case` is all that is needed to ask again."""

    key: str
    ours: Any
    theirs: Any
    case: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.key}: second opinion {self.ours!r}, engine {self.theirs!r}, case {self.case!r}"


def score_cases(
    n: int, seed: int, presets: Sequence[str] = GAMES_OF_THOUSAND, *, overrides: bool = True
) -> Iterator[dict[str, Any]]:
    """The same `n` cases for the same seed."""
    rng = Random(seed)
    for _ in range(n):
        yield random_score_case(rng, presets, overrides=overrides)


def positions(
    n: int, seed: int, presets: Sequence[str] = GAMES_OF_THOUSAND, *, overrides: bool = True
) -> Iterator[dict[str, Any]]:
    """The same `n` positions for the same seed."""
    rng = Random(seed)

    def endless() -> Iterator[dict[str, Any]]:
        while True:
            yield from random_positions(rng, presets, overrides=overrides)

    return islice(endless(), n)


def compare_scores(
    engine_score: EngineScore,
    n: int,
    seed: int,
    presets: Sequence[str] = GAMES_OF_THOUSAND,
    *,
    overrides: bool = True,
) -> list[Difference]:
    """Every difference among `n` random deals."""
    return compare_score_cases(engine_score, score_cases(n, seed, presets, overrides=overrides))


def compare_score_cases(engine_score: EngineScore, cases: Iterable[dict[str, Any]]) -> list[Difference]:
    differences = []
    for case in cases:
        values = values_of(case["preset"], case["overrides"])
        ours = score(values, case["before"], case["deal"])
        try:
            theirs = engine_score(case["preset"], case["overrides"], case["before"], case["deal"])
        except Exception as error:
            differences.append(Difference("error", None, repr(error), case))
            continue
        for key, our_value, their_value in score_items(values, case, ours, theirs):
            if our_value != their_value:
                differences.append(Difference(key, our_value, their_value, case))
    return differences


def score_items(
    values: Values, case: dict[str, Any], ours: dict[str, Any], theirs: dict[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """What is compared of two answers: (key, ours, theirs)."""
    winner = ours["winner"]
    for key in ALWAYS_COMPARED:
        our_value, their_value = ours[key], theirs.get(key)
        # No rule says what the flags of a player who has won are worth.
        if key in ("barrel", "attempts") and winner is not None and isinstance(their_value, list):
            our_value = [value for seat, value in enumerate(our_value) if seat != winner]
            their_value = [value for seat, value in enumerate(their_value) if seat != winner]
        yield key, our_value, their_value
    # The rules fix which events there are, and the examples the order of only a few of them.
    yield "events", sorted(ours["events"]), sorted(theirs.get("events", []))
    # "entries sum to the totals"
    if "ledger" in theirs:
        changes = [
            after - before for before, after in zip(case["before"]["total"], ours["total"], strict=True)
        ]
        yield "ledger", changes, ledger_sums(theirs["ledger"], len(changes))
    # When the cycle is over, or the match, nothing asks for these counters again.
    if values["golden"] and case["deal"].get("kind") == "golden" and ours["over"] is None:
        index, made = ours["golden_index"], ours["golden_made"]
        yield "golden_index", index, theirs.get("golden_index")
        if 0 < index < values["players"]:
            yield "golden_made", made, theirs.get("golden_made")
    for key in ("over", "places", "settlement"):
        if key in theirs:
            yield key, ours[key], theirs[key]


def ledger_sums(ledger: list[dict[str, Any]], players: int) -> list[Any]:
    return [sum(entry["amount"] for entry in ledger if entry["seat"] == seat) for seat in range(players)]


def compare_positions(
    engine_legal: EngineLegal,
    n: int,
    seed: int,
    presets: Sequence[str] = GAMES_OF_THOUSAND,
    *,
    overrides: bool = True,
) -> list[Difference]:
    """Every difference among `n` random positions."""
    differences = []
    for position in positions(n, seed, presets, overrides=overrides):
        ours = answer(position)
        try:
            theirs = engine_legal(dict(position))
        except Exception as error:
            differences.append(Difference("error", None, repr(error), position))
            continue
        for key in ("cap", "legal"):
            our_value, their_value = ours[key], theirs.get(key)
            if key == "legal":
                our_value, their_value = listed(our_value), listed(their_value or [])
            elif position["phase"] == "play":
                continue
            if our_value != their_value:
                differences.append(Difference(key, our_value, their_value, position))
    return differences


def listed(legal: list[Any]) -> list[Any]:
    """A legal list without its order, and without the numbers beyond which an uncapped list ends anyhow."""
    numbers = [number for number in legal if isinstance(number, int) and number <= UNCAPPED_LIST_ENDS_AT]
    return sorted(numbers) + sorted(card for card in legal if isinstance(card, str))
