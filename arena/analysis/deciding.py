"""What each legal action of one decision is worth to the seat that had to take it, by what it could know.

Hidden hands are guessed, the same guesses for every action, and every guess is played to its end; so the
differences between actions are far more certain than the values themselves. Nothing is read of the state but
what the seat on turn may see (`engine.observation`), and the seed is the caller's: a pure function.

The best action is the one of the highest
`winning chance + 0.0003 × (own points − mean points of the others)`: points speak where the race hardly does.
"""

from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from arena.analysis.endings import Ending, Endings
from arena.analysis.guessing import Guesser, can_guess
from engine import MatchState, observation, step
from engine.actions import parse_action
from engine.position import action_text
from engine.state import Phase
from engine.worlds import Worlds

POINT: Final = 0.0003
"""Winning chance that a point more than the others counts for, beside what it does to the race."""
CARD_WORLDS: Final = 40
BID_WORLDS: Final = 48
PASS_WORLDS: Final = 32
FIRST_WORLDS: Final = 6
"""Guesses for every action where there are many; those that look best get `PASS_WORLDS` fresh ones."""
MANY: Final = 12
KEPT: Final = 5
STEPS: Final = (0, 1, 2, 4, 6, 8, 12)
"""Of the numbers that may be named, so many steps above the lowest are looked at."""
CERTAIN: Final = 2.0
"""A difference counts from so many standard errors."""


class Alternative(NamedTuple):
    """One action that was possible; means over the guesses."""

    action: str
    points: float
    """Change of the seat's total by the deal."""
    chances: tuple[float, ...]
    """Winning chance of every seat after the deal."""
    made: float
    """Share of the guesses in which the contract is made, by whoever has it."""
    behind: float
    """By how much it is worse than the best action, in the value by which that is chosen; 0 for the best."""
    error: float
    """Standard error of `behind`."""


class Evaluation(NamedTuple):
    """A decision's alternatives, best first."""

    alternatives: tuple[Alternative, ...]
    worlds: int
    """Guesses behind every number."""

    @property
    def best(self) -> Alternative:
        """The action of the highest value."""
        return self.alternatives[0]

    def of(self, action: str) -> Alternative:
        """Return what is known of one action; KeyError if it was not looked at."""
        for alternative in self.alternatives:
            if alternative.action == action:
                return alternative
        raise KeyError(action)


def evaluate(state: MatchState, endings: Endings, played: str, seed: int) -> Evaluation | None:
    """Evaluate the decision of the seat on turn; `played` is always among what is looked at.

    None where there was no choice, or where the unseen cards cannot be guessed.
    """
    seat = state.turn
    if seat is None or len(state.legal) < 2:
        return None
    random = Random(seed)  # noqa: S311 - guesses, not secrets
    if state.phase is Phase.PLAY:
        return _evaluate_cards(state, endings, random)
    if not can_guess(state):
        return None
    guesser = Guesser(state)
    actions = candidates(state, played)
    if len(actions) > MANY:
        first = _outcomes(guesser, endings, actions, FIRST_WORLDS, random)
        ranked = sorted(first, key=lambda action: -fmean(_values(first[action], seat)))
        actions = [action for action in actions if action in ranked[:KEPT] or action == played]
    worlds = BID_WORLDS if state.phase is Phase.AUCTION else PASS_WORLDS
    return _ranked(_outcomes(guesser, endings, actions, worlds, random), seat)


def candidates(state: MatchState, played: str) -> list[str]:
    """Return the actions that are looked at: all, but of numbers that may be named some, up to a jump."""
    if state.phase not in (Phase.AUCTION, Phase.CONTRACT):
        return list(state.legal)
    named = [action for action in state.legal if parse_action(action).number]
    chosen = {named[number] for number in STEPS if number < len(named)}
    if state.phase is Phase.AUCTION:
        chosen = set(named[:2])
    return [action for action in state.legal if action in chosen or action not in named or action == played]


def _evaluate_cards(state: MatchState, endings: Endings, random: Random) -> Evaluation | None:
    seat = state.turn or 0
    worlds = Worlds(observation(state, seat), state.ruleset)
    found: dict[int, list[Ending]] = {}
    for _ in range(CARD_WORLDS):
        try:
            position = worlds.position(random)
        except ValueError:  # no guess agrees with all that was seen: then nothing is said
            return None
        for action in position.legal():
            after = position.copy()
            after.play(action)
            found.setdefault(action, []).append(endings.play_cards(after))
    return _ranked({action_text(action): ends for action, ends in found.items()}, seat)


def _outcomes(
    guesser: Guesser, endings: Endings, actions: Sequence[str], worlds: int, random: Random
) -> dict[str, list[Ending]]:
    found: dict[str, list[Ending]] = {action: [] for action in actions}
    for _ in range(worlds):
        guess = guesser.guess(random)
        dice = random.getrandbits(32)
        for action in actions:
            found[action].append(endings.after(step(guess, action).state, guess.deal, dice))
    return found


def _values(ends: Sequence[Ending], seat: int) -> list[float]:
    return [value_of(end, seat) for end in ends]


def value_of(end: Ending, seat: int) -> float:
    """What an ending is worth to a seat: the number by which actions are compared."""
    own = end.gains[seat]
    others = (sum(end.gains) - own) / (len(end.gains) - 1)
    return end.chances[seat] + POINT * (own - others)


def _ranked(found: dict[str, list[Ending]], seat: int) -> Evaluation:
    values = {action: _values(ends, seat) for action, ends in found.items()}
    best = max(values, key=lambda action: (fmean(values[action]), action))
    alternatives = [
        Alternative(
            action=action,
            points=fmean(end.gains[seat] for end in ends),
            chances=tuple(_means(end.chances for end in ends)),
            made=fmean(end.made for end in ends),
            behind=fmean(values[best]) - fmean(values[action]),
            error=_error(values[best], values[action]),
        )
        for action, ends in found.items()
    ]
    alternatives.sort(key=lambda one: (one.behind, one.action != best, one.action))
    return Evaluation(tuple(alternatives), len(values[best]))


def _means(rows: Iterator[tuple[float, ...]]) -> Iterator[float]:
    for column in zip(*rows, strict=True):
        yield fmean(column)


def _error(best: Sequence[float], other: Sequence[float]) -> float:
    """Standard error of the mean difference of paired values."""
    differences = [one - two for one, two in zip(best, other, strict=True)]
    mean = fmean(differences)
    number = len(differences)
    return sqrt(sum((one - mean) ** 2 for one in differences) / (number * (number - 1)))
