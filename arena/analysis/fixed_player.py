"""The player that stands in for everybody until cards are played: fixed for good, so that values compare.

It is not strong and need not be: what luck is measured against must be fixed before the data are seen, and
any fixed player leaves the measure without bias. Cards themselves are played by `engine.policy`.

The worth of a hand is linear in what can be counted of it; the weights are rounded least-squares fits to
contracts played, and they never change without a new ANALYSIS_VERSION.
"""

from itertools import permutations
from typing import Final

from engine.actions import parse_action
from engine.cards import CARD_POINTS, CARD_TEXTS, Mask, cards_of, cheapest_first
from engine.ruleset import Ruleset
from engine.state import MatchState, Phase

BARREL_COURAGE: Final = 15.0
"""On the barrel only an own contract wins, and attempts run out."""
SAFETY: Final = 5.0
"""A bid stays so far below the worth of the hand."""
RAISE_MARGIN: Final = 45.0
"""A contract is raised to so many points below the worth of the hand."""
_SUIT: Final = 63
_PAIR: Final = 0b001100
_ACE, _TEN = 0b100000, 0b010000
_DEALT: Final = (7, 6)
"""A hand of so many cards has not taken a widow of three."""


def _tops(suit: int) -> int:
    """Count the cards of a suit that nobody can beat: ace, ten, king … without a gap."""
    tops, bit = 0, 5
    while bit >= 0 and suit >> bit & 1:
        tops, bit = tops + 1, bit - 1
    held = suit.bit_count()
    # Six cards a suit: after two tops of four the small ones are good.
    return held if tops >= 2 and held >= 4 else tops


_TOPS: Final = tuple(_tops(suit) for suit in range(64))
_POINTS: Final = tuple(sum(CARD_POINTS[bit] for bit in range(6) if suit >> bit & 1) for suit in range(64))


def worth(hand: Mask, ruleset: Ruleset) -> float:
    """Points a declarer with these cards takes, about: before the widow if they are as dealt, else after."""
    points = sure = others = best = trumps = 0
    for suit, value in enumerate(ruleset.marriage_points):
        held = hand >> 6 * suit & _SUIT
        points += _POINTS[held]
        sure += _TOPS[held]
        if held & _PAIR == _PAIR:
            if value > best:
                others += best
                best, trumps = value, held.bit_count()
            else:
                others += value
    if hand.bit_count() in _DEALT:
        return 43 + 0.8 * points + 2 * sure + (0.8 if sure else 0.45) * best + 0.4 * others + 3 * trumps
    return 1.1 * points + 3 * sure + (0.9 if sure else 0.05) * best + 0.5 * others + 7 * trumps - 17


def spare_cards(hand: Mask, ruleset: Ruleset) -> list[int]:
    """Return the hand, the cards to give away first: low ones that break no marriage and guard no ten."""
    return sorted(cards_of(hand), key=lambda card: (_keep(card, hand, ruleset), card))


def _keep(card: int, hand: Mask, ruleset: Ruleset) -> float:
    number, rank = divmod(card, 6)
    suit = hand >> 6 * number & _SUIT
    length = suit.bit_count()
    keep = float(CARD_POINTS[card])
    if suit & _PAIR == _PAIR:
        keep += ruleset.marriage_points[number] if _PAIR >> rank & 1 else 18
    if 1 << rank == _ACE:
        keep += 40
    elif 1 << rank == _TEN:
        keep += 25 if length > 1 else 4
    elif rank == 3 and suit & _ACE and suit & _TEN:
        keep += 15
    elif suit & _TEN and not suit & _ACE and length == 2:
        keep += 6  # the ten's only guard
    return keep


def decide(state: MatchState, moods: tuple[float, ...]) -> str:
    """Choose for the seat on turn before cards are played, from its own cards and what was said.

    `moods` are points, by seat, by which each misjudges its cards in this deal.
    """
    legal, seat = state.legal, state.turn
    if len(legal) == 1 or seat is None:
        return legal[0]
    deal, mood = state.current, moods[seat]
    match state.phase:
        case Phase.AUCTION:
            return _bid(state, seat, mood)
        case Phase.GIVE:
            return _give(state, seat)
        case Phase.CONTRACT:
            return _contract(state, seat, mood)
        case Phase.BUY:
            price = parse_action(legal[-1]).number
            cards = deal.hands[seat] | deal.widow
            return (
                legal[-1] if price <= worth(_kept(cards, state), state.ruleset) + mood - SAFETY else legal[0]
            )
        case Phase.REDEAL:
            return legal[-1]
        case _:
            return legal[0]


def _bid(state: MatchState, seat: int, mood: float) -> str:
    deal = state.current
    if deal.unseen >> seat & 1:
        return state.legal[0]
    lowest = next((action for action in state.legal if action.startswith("bid ")), None)
    if lowest is None:
        return state.legal[0]
    points = worth(deal.hands[seat], state.ruleset) + mood - SAFETY
    if state.standing.barrel[seat]:
        points += BARREL_COURAGE
    return lowest if parse_action(lowest).number <= points else state.legal[0]


def _give(state: MatchState, seat: int) -> str:
    deal = state.current
    split = state.ruleset.widow_split == "one_each_from_widow"
    cards = deal.widow if split else deal.hands[seat]
    spare = cheapest_first(cards) if split else spare_cards(cards, state.ruleset)
    number = len(parse_action(state.legal[0]).cards)
    given = permutations([CARD_TEXTS[card] for card in spare[:number]])
    possible = [give for give in (" ".join(("give", *cards)) for cards in given) if give in state.legal]
    return min(possible, key=state.legal.index)


def _contract(state: MatchState, seat: int, mood: float) -> str:
    contracts = [action for action in state.legal if action != "concede"]
    hand = state.current.hands[seat]
    need = 120 if state.standing.barrel[seat] else 0
    wanted = max(worth(_kept(hand, state), state.ruleset) + mood - RAISE_MARGIN, need)
    affordable = [action for action in contracts if parse_action(action).number <= wanted]
    return affordable[-1] if affordable else contracts[0]


def _kept(hand: Mask, state: MatchState) -> Mask:
    """The cards left after the pass, where it is still to come."""
    if state.players == 2 or state.current.given is not None or hand.bit_count() < 10:
        return hand
    for card in spare_cards(hand, state.ruleset)[:2]:
        hand &= ~(1 << card)
    return hand
