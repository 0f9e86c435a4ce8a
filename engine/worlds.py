"""Hands that others may hold: guesses that agree with everything one seat has seen in a deal in play.

    worlds = Worlds(view, ruleset)
    position = worlds.position(random.Random(7))    # one guess, all hands open, ready for playouts

What is respected: the own hand, every card played, what a seat would have had to play, marriages announced
and not announced, the widow, cards passed, and that nobody was dealt a hand which is always dealt again.
What a bid says about a hand is not.
"""

from random import Random
from typing import Any, Final

from engine.cards import FULL_DECK, SUITS, Mask, cards_of, mask_of, parse_card
from engine.leads import ANNOUNCED
from engine.marriages import ACES, ALL_ACES, announcing_cards
from engine.position import Position
from engine.redeal import hand_redeal_reasons
from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import NOBODY, DealState
from engine.tables import table_of
from engine.tricks import FOLLOW

MOST_TRIES: Final = 5_000
_MARRIAGES: Final = {**{suit: number for number, suit in enumerate(SUITS)}, "A": ACES}


class Worlds:
    """What one seat knows of a deal in play; `view` is an `Observation`, or a bot's `request.view`."""

    def __init__(self, view: Any, ruleset: Ruleset) -> None:
        if view.phase != "play" or view.hand is None:
            raise ValueError(f"hands are guessed while cards are played, not in phase {view.phase!r}")
        self.view = view
        self.ruleset = ruleset
        players = range(len(view.counts))
        sits_out = view.dealer if len(view.counts) == 4 else NOBODY
        self._active = tuple(
            seat for seat in ((view.forehand + n) % len(view.counts) for n in players) if seat != sits_out
        )
        self._draws = ruleset.two_player_mode in ("stock_draw", "table_four")
        self._played = [(int(seat), parse_card(card)) for seat, card in view.played]
        self._by_seat = [mask_of(card for by, card in self._played if by == seat) for seat in players]
        gone = mask_of(card for _, card in self._played)
        self._known = [self._announced(seat) & ~gone for seat in players]
        """Cards that a seat surely holds."""
        self._read_passed_cards(gone)
        own = mask_of(map(parse_card, view.hand))
        self._known[view.seat] = own
        laid = mask_of(map(parse_card, view.laid or ()))
        known = mask_of(card for hand in self._known for card in cards_of(hand))
        self._unknown = list(cards_of(FULL_DECK & ~gone & ~known & ~laid))
        self._barred = [0 for _ in players]
        """Cards that a seat surely does not hold."""
        self._actions: list[int] = []
        self._read_tricks()

    def position(self, random: Random) -> Position:
        """Guess the hands and set up the position for a search; the order of a stock is guessed too."""
        hands = self.hands(random)
        held = mask_of(card for hand in hands for card in cards_of(hand))
        stock = [card for card in self._unknown if not held >> card & 1]
        random.shuffle(stock)
        return Position(self.ruleset, self._standing(), self._deal(hands, tuple(stock[: self.view.stock])))

    def hands(self, random: Random) -> tuple[Mask, ...]:
        """Guess the hands by seat.

        Raises ValueError where no guess agrees after many tries: then the view is not one of this ruleset.
        """
        for _ in range(MOST_TRIES):
            hands = self._guess(random)
            if hands is not None and self._agrees(hands):
                return hands
        raise ValueError("no hands agree with this view; was it made under this ruleset?")

    def _announced(self, seat: int) -> Mask:
        """Cards a seat held when it announced its marriages."""
        held = 0
        for letter, _value in self.view.marriages[seat]:
            number = _MARRIAGES[letter]
            held |= ALL_ACES if number == ACES else 0b1100 << 6 * number
        return held

    def _read_passed_cards(self, gone: Mask) -> None:
        for seat, text in enumerate(self.view.given or ()):
            if text is not None:
                self._known[seat] |= 1 << parse_card(text) & ~gone

    def _read_tricks(self) -> None:
        """Play the tricks again with the cards known to have been held; bar what would have been due."""
        hands = tuple(by_seat | self._announced(seat) for seat, by_seat in enumerate(self._by_seat))
        table, rules = table_of(self._first_deal(hands), self.ruleset.play), self.ruleset.play
        for seat, card in self._played:
            if table.on_table and not self._draws:
                followed = bool(table.suit >> card & 1)
                if not followed:
                    self._barred[seat] |= table.suit
                    trumps = FOLLOW[6 * table.trump] if table.trump >= 0 and rules.must_trump else 0
                    self._barred[seat] |= trumps if not trumps >> card & 1 else 0
                if rules.must_beat and followed and not table.winning >> card & 1:
                    self._barred[seat] |= table.winning & table.suit
            chosen = rules.optional and not table.on_table and table.may_announce()
            announces = chosen and announcing_cards(self._announced(seat), rules) >> card & 1
            self._actions.append(card + ANNOUNCED if announces else card)
            table.play(self._actions[-1])

    def _guess(self, random: Random) -> tuple[Mask, ...] | None:
        """Deal the unknown cards to those who have room for them; what is left over nobody holds."""
        hands = list(self._known)
        others = [seat for seat in self._active if seat != self.view.seat]
        room = {seat: self.view.counts[seat] - hands[seat].bit_count() for seat in others}
        spare = len(self._unknown) - sum(room.values())
        free = []
        for card in self._unknown:
            allowed = [seat for seat in others if not self._barred[seat] >> card & 1]
            if len(allowed) == len(others) or spare:
                free.append(card)
            elif not allowed or not room[allowed[0]]:
                return None
            else:
                hands[allowed[0]] |= 1 << card
                room[allowed[0]] -= 1
        random.shuffle(free)
        for seat in others:
            fitting = [card for card in free if not self._barred[seat] >> card & 1]
            if len(fitting) < room[seat]:
                return None
            taken = fitting[: room[seat]]
            hands[seat] |= mask_of(taken)
            free = [card for card in free if card not in taken]
        return tuple(hands)

    def _agrees(self, hands: tuple[Mask, ...]) -> bool:
        """Say whether these hands could have been dealt, and everything been played as it was."""
        if self._draws:
            return True
        first = tuple(hand | played for hand, played in zip(hands, self._by_seat, strict=True))
        if not self._agrees_with_pass(first):
            return False
        table = table_of(self._first_deal(first), self.ruleset.play)
        for action in self._actions:
            if not table.legal() >> action & 1:
                return False
            table.play(action)
        announced = sum(
            1 << 8 * place + _MARRIAGES[letter]
            for place, seat in enumerate(self._active)
            for letter, _value in self.view.marriages[seat]
        )
        return bool(table.announced == announced)

    def _agrees_with_pass(self, first: tuple[Mask, ...]) -> bool:
        """Check the widow and the cards passed, and that no hand had to be dealt again."""
        view = self.view
        widow = mask_of(map(parse_card, view.widow or ()))
        always = self.ruleset.redeal_style == "mandatory"
        for seat in self._active:
            if seat in (view.declarer, view.seat):
                continue
            text = view.given[seat] if view.given is not None else None
            passed = 1 << parse_card(text) if text is not None else 0
            if view.given is None or passed:
                dealt = first[seat] & ~passed
                if dealt & widow or (
                    always and hand_redeal_reasons(dealt, seat == view.forehand, self.ruleset)
                ):
                    return False
            elif (first[seat] & widow).bit_count() > 1:
                return False
        return True

    def _first_deal(self, hands: tuple[Mask, ...]) -> DealState:
        """The deal as it was when the first card was led."""
        view, zeros = self.view, (0,) * len(self.view.counts)
        leader = self._played[0][0] if self._played else view.leader
        deal = self._deal(hands, ())
        return deal._replace(
            leader=leader,
            trump=NOBODY,
            trump_owner=NOBODY,
            waiting_aces=NOBODY,
            trick=(),
            tricks=zeros,
            cards=zeros,
            marriages=((),) * len(zeros),
            played=(),
        )

    def _deal(self, hands: tuple[Mask, ...], stock: tuple[int, ...]) -> DealState:
        view = self.view
        marriages = tuple(
            tuple((_MARRIAGES[letter], int(value)) for letter, value in by_seat) for by_seat in view.marriages
        )
        taken = zip(view.taken, marriages, strict=True)
        aces = [seat for seat, own in enumerate(marriages) if any(one == ACES for one, _ in own)]
        waits = self.ruleset.ace_marriage_trump == "last_ace" and view.trump is None and bool(aces)
        trick = tuple(parse_card(card) for _, card in view.trick)
        return DealState(
            redeal=0,
            dealer=view.dealer,
            forehand=view.forehand,
            active=self._active,
            dealt=hands,
            widow=mask_of(map(parse_card, view.widow or ())),
            hands=hands,
            bid=view.bid or 0,
            bidder=NOBODY if view.bidder is None else view.bidder,
            kind=view.kind,
            declarer=NOBODY if view.declarer is None else view.declarer,
            contract=view.contract or 0,
            stock=stock,
            trump=NOBODY if view.trump is None else SUITS.index(view.trump),
            trump_owner=NOBODY if view.trump_owner is None else view.trump_owner,
            waiting_aces=aces[0] if waits else NOBODY,
            leader=view.leader,
            trick=trick,
            tricks=tuple(view.tricks),
            cards=tuple(total - sum(value for _, value in own) for total, own in taken),
            marriages=marriages,
            played=tuple(self._played),
        )

    def _standing(self) -> Standing:
        view = self.view
        return Standing(
            tuple(view.total),
            tuple(view.barrel),
            tuple(view.attempts),
            tuple(view.falls),
            tuple(view.bolts),
            tuple(view.run),
            tuple(view.conc),
        )
