"""Plays a deal to its end by the fixed player and the engine's policy, and says what that did to the race."""

from dataclasses import replace
from typing import Final, NamedTuple

from arena.analysis.fixed_player import decide
from bots_sdk.race import Race, shares
from engine import MatchState, step
from engine.bits import next_random
from engine.finish import next_dealer, termination_after
from engine.playouts import play_by_policy, play_sensibly
from engine.position import Position
from engine.scoring import score_deal
from engine.standing import DealScore, Standing
from engine.state import Phase

MOODS: Final = 20.0
"""The fixed player misjudges a hand by up to so many points."""
_WORD: Final = 1 << 32


class Ending(NamedTuple):
    """What a deal came to; tuples are by seat."""

    gains: tuple[int, ...]
    """Change of the totals."""
    chances: tuple[float, ...]
    """Winning chance of the match after it: of those who won, 1 shared among them."""
    made: bool
    """Whether the declarer made the contract."""
    declarer: int
    """Seat, or -1 where the deal had none."""


class Endings:
    """Ends deals that begin at one standing; what equal results are worth is worked out once."""

    def __init__(self, first: MatchState, race: Race, *, careless: bool = False) -> None:
        """`first` is any state of the deal."""
        self.first = first
        self.ruleset = first.ruleset
        self.standing = first.standing
        self.race = race
        self.careless = careless
        """Whether one card in eight is played at random."""
        self._known: dict[tuple[object, ...], Ending] = {}
        self._keeps_nines = bool(self.ruleset.four_nines_bonus)

    def play_on(self, state: MatchState, random: int) -> Ending:
        """End the deal of a state; `random` seeds the moods. Hidden cards are taken as they are."""
        number = state.deal
        moods = []
        for _seat in range(state.players):
            random = int(next_random(random))
            moods.append((2 * random / _WORD - 1) * MOODS)
        return self._play_on(state, number, tuple(moods), random)

    def after(self, state: MatchState, number: int, random: int) -> Ending:
        """End deal `number`, which the state may have left already: by a concession, or the last card."""
        if state.deal != number or state.turn is None:
            return self._over(state)
        return self.play_on(state, random)

    def _play_on(self, state: MatchState, number: int, moods: tuple[float, ...], random: int) -> Ending:
        while state.phase is not Phase.PLAY:
            state = step(state, decide(state, moods)).state
            if state.deal != number or state.turn is None:
                return self._over(state)
        position = Position.of_state(state)
        if not self.careless:
            return self.play_cards(position)
        play_sensibly(position.table, random, position.declarer)
        return self.ending(position)

    def play_cards(self, position: Position) -> Ending:
        """Play a position to its end by the policy; it is used up."""
        play_to_end(position)
        return self.ending(position)

    def ending(self, position: Position) -> Ending:
        """Score a position whose cards are all played."""
        table, deal = position.table, position.deal
        key = (
            int(table.points), int(table.marriage_points), int(table.tricks), deal.declarer, deal.contract,
            deal.kind, deal.bid, deal.bluffs, deal.widow if position.ruleset.players == 4 else 0,
        )  # fmt: skip
        ending = self._known.get(key)
        # Who kept four nines, or won a card of a pair, is not in the key: such rulesets score every deal.
        if ending is None or self._keeps_nines or table.rules.needs_won_card or deal.stock:
            score = score_deal(self.ruleset, self.standing, position.result())
            chances = self._chances_after(score)
            gains = self._gains(score.after)
            ending = Ending(gains, chances, score.result == "made", deal.declarer)
            self._known[key] = ending
        return ending

    def _over(self, state: MatchState) -> Ending:
        """A deal that was conceded, or thrown in."""
        standing = state.standing
        if state.turn is None:
            chances = shares(standing.total, state.winner)
        else:
            chances = self.race.chances(standing, state.current.dealer)
        return Ending(self._gains(standing), chances, False, -1)

    def _gains(self, after: Standing) -> tuple[int, ...]:
        return tuple([now - before for now, before in zip(after.total, self.standing.total, strict=True)])

    def _chances_after(self, score: DealScore) -> tuple[float, ...]:
        """The race after a deal whose cards were played."""
        if termination_after(self.first, score) is not None:
            return shares(score.after.total, score.winner)
        return self.race.chances(score.after, next_dealer(self.first, self.first.current.dealer, "played"))


def play_to_end(position: Position) -> None:
    """Play every card that is left by the policy."""
    play_by_policy(position.table, position.declarer)


def with_seed(state: MatchState, seed: bytes) -> MatchState:
    """Return the state with another seed: what may be dealt later in it is not what was."""
    return replace(state, seed=seed)
