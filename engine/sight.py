"""The `view` as JSON text, made from what the one before left: `observation` for a match in progress.

A match asks for a view at every decision, and from one to the next little of it changes. So its text is put
together from parts that are kept as long as what they were made from is the same values. The text is that of
`observation(state, seat)`, key by key: a test compares the two at every decision.
"""

from typing import Any

from engine.auction import bid_cap
from engine.cards import CARD_TEXTS, SUITS, card_texts
from engine.finish import marriage_list
from engine.observation import BEFORE_PLAY
from engine.play import taken
from engine.standing import Standing
from engine.state import NOBODY, DealState, MatchState, Phase

_HALF = 12
_LOW = (1 << _HALF) - 1
_CARDS = tuple(f'"{text}"' for text in CARD_TEXTS)
_SEATED = tuple(tuple(f"[{seat},{card}]" for card in _CARDS) for seat in range(4))
"""`[seat,"QS"]`, by seat and card."""


class Sight:
    """What the seats of one match see, state after state; a state of another match is welcome too."""

    def __init__(self) -> None:
        self._standing: Standing | None = None
        self._standing_text = ""
        self._words: dict[int, tuple[tuple[Any, ...], str]] = {}
        self._played: tuple[tuple[int, int], ...] = ()
        self._played_parts: list[str] = []
        self._marriages: tuple[tuple[tuple[int, int], ...], ...] | None = None
        self._marriages_text = ""

    def view(self, state: MatchState, seat: int) -> str:
        """Return `observation(state, seat)` as JSON without blanks."""
        deal = state.current
        seen = not deal.unseen >> seat & 1
        hand = deal.hands[seat]
        if state.standing is not self._standing:
            self._standing = state.standing
            self._standing_text = _standing_text(state.standing)
        parts = self._cards_played(deal)
        trick = ",".join(parts[len(parts) - len(deal.trick) :]) if deal.trick else ""
        counts = ",".join([str(held.bit_count()) for held in deal.hands])
        return (
            f'{{"deal":{state.deal},"phase":"{state.phase.value}","seat":{seat},"dealer":{deal.dealer},'
            f'"forehand":{deal.forehand},"turn":{_or_null(state.turn)},"kind":"{deal.kind}",'
            f'"hand":{_cards_of(hand) if seen else "null"},"counts":[{counts}],{self._standing_text},'
            f"{self._auction(state, deal, seat, hand if seen else 0)},"
            f'"trump":{_suit(deal.trump)},"trump_owner":{_seat(deal.trump_owner)},'
            f'"leader":{_seat(deal.leader)},"trick":[{trick}],"tricks":{_numbers(deal.tricks)},'
            f'"taken":{_numbers(taken(deal))},"marriages":{self._announced(deal)},'
            f'"played":[{",".join(parts)}]}}'
        )

    def _auction(self, state: MatchState, deal: DealState, seat: int, hand: int) -> str:
        """Everything from the bidding to the pass: the same to a seat for all the play of a deal."""
        bidding = state.phase in BEFORE_PLAY
        stock = len(deal.stock) if state.phase is not Phase.CUT else 0
        made_from = (
            *(deal.bid, deal.bidder, deal.passed, deal.declarer, deal.contract, stock, deal.widow),
            *(deal.widow_seen, deal.given, deal.given_seen, deal.laid, hand if bidding else 0),
        )
        kept = self._words.get(seat)
        if kept is not None and kept[0] == made_from:
            return kept[1]
        mine = 1 << seat
        passed = ",".join(["true" if deal.passed >> one & 1 else "false" for one in range(state.players)])
        widow = _cards_of(deal.widow) if deal.widow_seen & mine else "null"
        laid = _cards_of(deal.laid) if deal.laid and deal.declarer == seat else "null"
        text = (
            f'"bid":{deal.bid or "null"},"bidder":{_seat(deal.bidder)},"passed":[{passed}],'
            f'"cap":{bid_cap(hand, state.ruleset) if bidding and hand else "null"},'
            f'"declarer":{_seat(deal.declarer)},"contract":{deal.contract or "null"},"widow":{widow},'
            f'"given":{_given(deal, mine)},"laid":{laid},"stock":{stock}'
        )
        self._words[seat] = (made_from, text)
        return text

    def _cards_played(self, deal: DealState) -> list[str]:
        """Each card of the deal as `[seat,"QS"]`, in order; mostly one more than the last time."""
        parts, known, played = self._played_parts, len(self._played), deal.played
        if played[:known] != self._played:
            parts, known = [], 0
            self._played_parts = parts
        parts += [_SEATED[seat][card] for seat, card in played[known:]]
        self._played = played
        return parts

    def _announced(self, deal: DealState) -> str:
        if deal.marriages != self._marriages:
            self._marriages = deal.marriages
            lists = [marriage_list(by_seat) for by_seat in deal.marriages]
            self._marriages_text = str(lists).replace(" ", "").replace("'", '"')
        return self._marriages_text


def _standing_text(standing: Standing) -> str:
    barrel = ",".join(["true" if sits else "false" for sits in standing.barrel])
    return (
        f'"total":{_numbers(standing.total)},"barrel":[{barrel}],"attempts":{_numbers(standing.attempts)},'
        f'"falls":{_numbers(standing.falls)},"bolts":{_numbers(standing.bolts)},'
        f'"run":{_numbers(standing.run)},"conc":{_numbers(standing.conc)}'
    )


def _given(deal: DealState, mine: int) -> str:
    if deal.given is None:
        return "null"
    shown = [
        _CARDS[card] if card != NOBODY and seen & mine else "null"
        for card, seen in zip(deal.given, deal.given_seen, strict=True)
    ]
    return f"[{','.join(shown)}]"


_hands: tuple[list[str | None], list[str | None]] = ([None] * (1 << _HALF), [None] * (1 << _HALF))
"""Cards of every half of a mask as text, made when first asked for: half a hand comes again and again."""


def _cards_of(hand: int) -> str:
    spades_clubs, diamonds_hearts = _half(0, hand & _LOW), _half(1, hand >> _HALF)
    if spades_clubs and diamonds_hearts:
        return f"[{spades_clubs},{diamonds_hearts}]"
    return f"[{spades_clubs}{diamonds_hearts}]"


def _half(which: int, cards: int) -> str:
    text = _hands[which][cards]
    if text is None:
        text = ",".join([f'"{card}"' for card in card_texts(cards << _HALF * which)])
        _hands[which][cards] = text
    return text


def _numbers(values: tuple[int, ...] | list[int]) -> str:
    return f"[{','.join(map(str, values))}]"


def _or_null(value: int | None) -> str:
    return "null" if value is None else str(value)


def _seat(seat: int) -> str:
    return "null" if seat == NOBODY else str(seat)


def _suit(suit: int) -> str:
    return "null" if suit == NOBODY else f'"{SUITS[suit]}"'
