"""The `view` as JSON text, made from what the one before left: `observation` for a match in progress.

A match asks for a view at every decision, and from one to the next little of it changes. So its text is put
together from integers, and from parts that are kept as long as they stand. The text is that of
`observation(state, seat)`, key by key: a test compares the two at every decision.
"""

from typing import Final

from engine.auction import bid_cap
from engine.cards import CARD_TEXTS, HALF, HALF_MASK, SUITS, card_texts
from engine.course import Course
from engine.deal import CUT, PHASES, PLAYING, REDEAL_OR_KEEP, Deal
from engine.deal_rules import KINDS
from engine.finish import marriage_list
from engine.ints import i64
from engine.standing import Standing
from engine.state import NOBODY
from engine.trickplay import NO_PLACE

_PHASES: Final = [phase.value for phase in PHASES]
_SUITS: Final = ["null", *[f'"{suit}"' for suit in SUITS]]
"""By suit number + 1."""


class Sight:
    """What the seats of one match see, moment after moment."""

    def __init__(self) -> None:
        self._standing: Standing | None = None
        self._standing_text = ""
        self._course: Course | None = None
        self._words: list[str] = []
        """By seat, everything from the bidding to the pass: the same for all the play of a deal."""
        self._announced: i64 = 0
        self._marriages = ""

    def view(self, deal: Deal, course: Course, seat: i64) -> str:
        """Return the observation of a seat as JSON without blanks; `course` is that of the deal."""
        if course is not self._course:
            self._course = course
            self._words = [""] * int(deal.players)
            self._announced = -1
        if deal.standing is not self._standing:
            self._standing = deal.standing
            self._standing_text = _standing_text(deal.standing)
        table = deal.table
        playing = deal.phase == PLAYING
        hand: i64 = 0
        if not playing:
            hand = deal.hands[seat]
        elif deal.place_of(seat) < deal.size:
            hand = table.hand(deal.place_of(seat))
        seen = not deal.unseen >> seat & 1
        if table.announced != self._announced:
            self._announced = table.announced
            lists = [marriage_list(by_seat) for by_seat in course.marriages]
            self._marriages = str(lists).replace(" ", "").replace("'", '"')
        words = self._words[seat]
        if not words:
            words = _words(deal, seat, hand if seen else 0)
            if playing and not deal.stock:
                self._words[seat] = words
        trick = ",".join(course.texts[len(course.texts) - int(table.on_table) :]) if table.on_table else ""
        return (
            f'{{"deal":{deal.number},"phase":"{_PHASES[deal.phase]}","seat":{int(seat)},'
            f'"dealer":{int(deal.dealer)},"forehand":{int(deal.forehand)},"turn":{int(deal.turn)},'
            f'"kind":"{KINDS[deal.kind]}","hand":{_cards_of(int(hand)) if seen else "null"},'
            f'"counts":[{_counts(deal, playing)}],{self._standing_text},{words},'
            f'"trump":{_SUITS[table.trump + 1]},"trump_owner":{_placed(deal, table.trump_owner)},'
            f'"leader":{_placed(deal, table.leader) if playing else "null"},"trick":[{trick}],'
            f'"tricks":[{course.tricks_won()}],"taken":[{course.taken()}],"marriages":{self._marriages},'
            f'"played":[{",".join(course.texts)}]}}'
        )


def _words(deal: Deal, seat: i64, hand: i64) -> str:
    """Write everything from the bidding to the pass; `hand` is empty where the seat does not see it."""
    mine = int(1 << seat)
    passed = ",".join(["true" if deal.passed >> one & 1 else "false" for one in range(deal.players)])
    widow = _cards_of(int(deal.widow)) if deal.widow_seen & mine else "null"
    laid = _cards_of(int(deal.laid)) if deal.laid and deal.declarer == seat else "null"
    bidding = REDEAL_OR_KEEP <= deal.phase < PLAYING
    cap = bid_cap(int(hand), deal.ruleset) if bidding and hand else None
    stock = 0 if deal.phase == CUT else int(deal.table.in_stock) if deal.phase == PLAYING else len(deal.stock)
    return (
        f'"bid":{_or_null(deal.bid)},"bidder":{_seat(deal.bidder)},"passed":[{passed}],'
        f'"cap":{"null" if cap is None else str(cap)},"declarer":{_seat(deal.declarer)},'
        f'"contract":{_or_null(deal.contract)},"widow":{widow},"given":{_given(deal, seat)},'
        f'"laid":{laid},"stock":{stock}'
    )


def _counts(deal: Deal, playing: bool) -> str:
    if not playing:
        return ",".join([str(held.bit_count()) for held in deal.hands])
    table = deal.table
    counts = []
    for seat in range(deal.players):
        place = deal.place_of(seat)
        counts.append(str(int(table.hand(place)).bit_count()) if place < deal.size else "0")
    return ",".join(counts)


def _standing_text(standing: Standing) -> str:
    barrel = ",".join(["true" if sits else "false" for sits in standing.barrel])
    return (
        f'"total":{_numbers(standing.total)},"barrel":[{barrel}],"attempts":{_numbers(standing.attempts)},'
        f'"falls":{_numbers(standing.falls)},"bolts":{_numbers(standing.bolts)},'
        f'"run":{_numbers(standing.run)},"conc":{_numbers(standing.conc)}'
    )


def _given(deal: Deal, seat: i64) -> str:
    if not deal.was_given:
        return "null"
    shown = []
    for other in range(deal.players):
        card = deal.given >> 8 * other & 255
        seen = deal.given_seen >> 8 * other + seat & 1
        shown.append(f'"{CARD_TEXTS[card - 1]}"' if card and seen else "null")
    return f"[{','.join(shown)}]"


_hands: tuple[list[str | None], list[str | None]] = ([None] * (1 << HALF), [None] * (1 << HALF))
"""Cards of every half of a mask as text, made when first asked for: half a hand comes again and again."""


def _cards_of(hand: int) -> str:
    spades_clubs, diamonds_hearts = _half(0, hand & HALF_MASK), _half(1, hand >> HALF)
    if spades_clubs and diamonds_hearts:
        return f"[{spades_clubs},{diamonds_hearts}]"
    return f"[{spades_clubs}{diamonds_hearts}]"


def _half(which: int, cards: int) -> str:
    text = _hands[which][cards]
    if text is None:
        text = ",".join([f'"{card}"' for card in card_texts(cards << HALF * which)])
        _hands[which][cards] = text
    return text


def _numbers(values: tuple[int, ...] | list[int]) -> str:
    return f"[{','.join(map(str, values))}]"


def _or_null(number: i64) -> str:
    return str(int(number)) if number else "null"


def _seat(seat: i64) -> str:
    return "null" if seat == NOBODY else str(int(seat))


def _placed(deal: Deal, place: i64) -> str:
    return "null" if place == NO_PLACE else str(int(deal.seat_of(place)))
