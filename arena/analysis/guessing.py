"""Deals that one seat may be sitting in before cards are played: what it cannot see is dealt anew.

While cards are played `engine.worlds` guesses, which also knows what a seat would have had to play. Nothing
of the true hidden cards gets into a guess: permute them, and the guesses are the same.
"""

from dataclasses import replace
from random import Random
from typing import Final

from engine.cards import FULL_DECK, Mask, cards_of, mask_of
from engine.redeal import hand_redeal_reasons
from engine.state import NOBODY, MatchState, Phase

MOST_TRIES: Final = 50
GUESSED: Final = frozenset(
    (Phase.BLIND, Phase.REDEAL, Phase.AUCTION, Phase.WIDOW, Phase.BUY, Phase.GIVE, Phase.CONTRACT)
)
"""Phases before play in which hands can be guessed."""


class Guesser:
    """Deals the unseen cards of a state again, as the seat on turn may think of them."""

    def __init__(self, state: MatchState) -> None:
        if state.turn is None or not can_guess(state):
            raise ValueError(f"hands cannot be guessed in phase {state.phase.value}")
        self.state = state
        deal, seat = state.current, state.turn
        mine = 1 << seat
        own = 0 if deal.unseen & mine else deal.hands[seat]
        known = own | deal.laid
        if deal.widow_seen & mine:
            known |= deal.widow
        for card, seen in zip(deal.given or (), deal.given_seen, strict=True):
            if card != NOBODY and seen & mine:
                known |= 1 << card
        self._known = known
        self._unknown = list(cards_of(FULL_DECK & ~known))
        held = 0
        for hand in deal.hands:
            held |= hand
        self._widow_lies = not deal.widow & held
        self._seat = seat
        self._strict = state.ruleset.redeal_style == "mandatory" and deal.given is None

    def guess(self, random: Random) -> MatchState:
        """Return the state with other cards where the seat cannot see, and other later deals."""
        for _ in range(MOST_TRIES):
            found = self._deal(random)
            if not self._strict or self._could_be_dealt(found):
                break
        return found

    def _deal(self, random: Random) -> MatchState:
        deal = self.state.current
        cards = self._unknown[:]
        random.shuffle(cards)
        hands = []
        for hand in deal.hands:
            kept = hand & self._known
            missing = hand.bit_count() - kept.bit_count()
            hands.append(kept | mask_of(cards[:missing]))
            cards = cards[missing:]
        widow = deal.widow
        if self._widow_lies and not widow & self._known:
            widow, cards = _take(cards, widow)
        piles = []
        for pile in deal.piles:
            guessed, cards = _take(cards, pile)
            piles.append(guessed)
        dead, cards = _take(cards, deal.dead & ~deal.laid)
        guessed_deal = deal._replace(
            hands=tuple(hands),
            dealt=tuple(hands),
            widow=widow,
            piles=tuple(piles),
            dead=dead | deal.laid,
            stock=tuple(cards[: len(deal.stock)]),
        )
        return replace(self.state, current=guessed_deal, seed=random.randbytes(32))

    def _could_be_dealt(self, state: MatchState) -> bool:
        """Say whether no other hand had to be dealt again."""
        deal = state.current
        if deal.declarer != NOBODY:
            return True
        return not any(
            hand_redeal_reasons(deal.hands[seat], seat == deal.forehand, state.ruleset)
            for seat in deal.active
            if seat != self._seat
        )


def can_guess(state: MatchState) -> bool:
    """Say whether the unseen cards of the seat on turn can be dealt again here."""
    deal = state.current
    if state.phase not in GUESSED or (state.phase is Phase.REDEAL and deal.question != "hand"):
        return False
    held = 0
    for hand in deal.hands:
        held |= hand
    taken_unseen = deal.widow & held and not deal.widow_seen >> (state.turn or 0) & 1
    return not taken_unseen


def _take(cards: list[int], like: Mask) -> tuple[Mask, list[int]]:
    """Take as many cards as a mask has."""
    number = like.bit_count()
    return mask_of(cards[:number]), cards[number:]
