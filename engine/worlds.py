"""Hands that others may hold: guesses that agree with everything one seat has seen in a deal in play.

    worlds = Worlds(view, ruleset)
    position = worlds.position(random.Random(7))    # one guess, all hands open, ready for playouts

What is respected: the own hand, every card played, what a seat would have had to play, marriages announced
and not announced, the widow, cards passed, and that nobody was dealt a hand which is always dealt again.
What a bid says about a hand is not.
"""

from random import Random
from typing import Any, Final

from engine.bits import choose, count, next_random, points
from engine.cards import FULL_DECK, Mask, cards_of, mask_of, parse_card
from engine.ints import i64
from engine.leads import ANNOUNCED
from engine.marriages import ACES, ALL_ACES, announcing_cards
from engine.position import Position
from engine.redeal import hand_claims
from engine.ruleset import Ruleset
from engine.state import NOBODY, DealState
from engine.tables import table_of
from engine.trickplay import CARD_BITS, TrickPlay
from engine.tricks import FOLLOW
from engine.views import MARRIAGES, active_seats, deal_of_view, mask_of_texts, standing_of

MOST_TRIES: Final = 5_000


class Worlds:
    """What one seat knows of a deal in play; `view` is an `Observation`, or a bot's `request.view`."""

    def __init__(self, view: Any, ruleset: Ruleset) -> None:
        if view.phase != "play" or view.hand is None:
            raise ValueError(f"hands are guessed while cards are played, not in phase {view.phase!r}")
        self.view = view
        self.ruleset = ruleset
        self.rules = ruleset.play
        self.seats: tuple[int, ...] = active_seats(view)
        """Seats that play, by place."""
        self.draws: i64 = int(ruleset.two_player_mode in ("stock_draw", "table_four"))
        """Whether cards come from a stock while tricks are played: then tricks bar nothing."""
        self.actions: list[int] = []
        """Everything played so far, as a table takes it."""
        self.own: i64 = self.seats.index(view.seat)
        self.first: i64 = (self.own + 1) % len(self.seats)
        """The next place that is not ours, and the one after it, or -1."""
        self.second: i64 = (self.own + 2) % len(self.seats) if len(self.seats) == 3 else -1
        self.declarer: i64 = NOBODY if view.declarer is None else self.seats.index(view.declarer)
        """Place of the declarer, or -1."""
        players = len(view.counts)
        taken = [(int(seat), parse_card(card)) for seat, card in view.played]
        self.played = [mask_of([card for by, card in taken if by == seat]) for seat in range(players)]
        """Cards played, by seat."""
        gone = mask_of([card for _, card in taken])
        known = [self._announced_by(seat) & ~gone for seat in range(players)]
        for seat, text in enumerate(view.given or ()):
            if text is not None:
                known[seat] |= 1 << parse_card(text) & ~gone
        known[view.seat] = mask_of_texts(view.hand)
        self.own_hand: i64 = known[view.seat]
        self.own_played: i64 = self.played[view.seat]
        self.known = known
        """Cards that a seat surely holds."""
        self.laid: i64 = mask_of_texts(view.laid)
        surely = mask_of([card for hand in known for card in cards_of(hand)])
        self.unknown: i64 = FULL_DECK & ~gone & ~surely & ~mask_of_texts(view.laid)
        self.barred = [0 for _ in range(players)]
        """Cards that a seat surely does not hold."""
        self.start = self._first_table()
        self._read_tricks(taken)
        self.announced: i64 = self._all_announced()
        self.now = table_of(deal_of_view(view, ruleset, (0,) * players, ()), self.rules)
        self.now.in_stock = view.stock
        self.widow: i64 = mask_of_texts(view.widow)
        self.first_seen = _Seen(self, self.first)
        self.second_seen = _Seen(self, self.second if self.second >= 0 else self.first)
        self.impossible: i64 = self.unknown & self.first_seen.barred & self.second_seen.barred
        """Cards that nobody could hold: then no guess agrees."""
        if self.second < 0:
            self.impossible = 0
        self.hand_first: i64 = 0
        self.hand_second: i64 = 0
        self.spare: i64 = 0
        """The last guess: cards of the two other places, and what nobody holds."""

    def fill(self, table: TrickPlay, random: i64) -> i64:
        """Turn a table into a guess of the deal as it stands; return the generator's state.

        Raises ValueError where no guess agrees after many tries: then the view is not one of this ruleset.
        """
        for _ in range(MOST_TRIES):
            random = self._guess(random)
            if random < 0:
                break
            if self.draws:
                return self._fill_drawing(table, random)
            if self._agrees(table):
                return random
        raise ValueError("no hands agree with this view; was it made under this ruleset?")

    def position(self, random: Random) -> Position:
        """Guess the hands and set up the position for a search; the order of a stock is guessed too."""
        table = TrickPlay(self.rules, len(self.seats))
        self.fill(table, random.getrandbits(32))
        stock = int(table.stock)
        cards = tuple([stock >> CARD_BITS * number & 31 for number in range(table.in_stock)])
        deal = deal_of_view(self.view, self.ruleset, self._hands(), cards)
        position = Position(self.ruleset, standing_of(self.view), deal)
        position.table.copy_from(table)
        return position

    def hands(self, random: Random) -> tuple[Mask, ...]:
        """Guess the hands by seat.

        Raises ValueError where no guess agrees after many tries: then the view is not one of this ruleset.
        """
        self.fill(TrickPlay(self.rules, len(self.seats)), random.getrandbits(32))
        return self._hands()

    def _hands(self) -> tuple[Mask, ...]:
        hands = [0] * len(self.view.counts)
        hands[self.view.seat] = self.known[self.view.seat]
        hands[self.seats[self.first]] = int(self.hand_first)
        if self.second >= 0:
            hands[self.seats[self.second]] = int(self.hand_second)
        return tuple(hands)

    def _announced_by(self, seat: int) -> Mask:
        """Cards a seat held when it announced its marriages."""
        held = 0
        for letter, _value in self.view.marriages[seat]:
            number = MARRIAGES[letter]
            held |= ALL_ACES if number == ACES else 0b1100 << 6 * number
        return held

    def _all_announced(self) -> int:
        return sum(
            [
                1 << 8 * place + MARRIAGES[letter]
                for place, seat in enumerate(self.seats)
                for letter, _value in self.view.marriages[seat]
            ]
        )

    def _first_table(self) -> TrickPlay:
        """Return the table as it was before the first lead, without hands."""
        view, zeros = self.view, (0,) * len(self.view.counts)
        deal: DealState = deal_of_view(view, self.ruleset, zeros, ())._replace(
            leader=int(view.played[0][0]) if view.played else view.leader,
            trump=NOBODY,
            trump_owner=NOBODY,
            waiting_aces=NOBODY,
            trick=(),
            tricks=zeros,
            cards=zeros,
            marriages=((),) * len(zeros),
            played=(),
        )
        return table_of(deal, self.rules)

    def _read_tricks(self, taken: list[tuple[int, int]]) -> None:
        """Play the tricks again with the cards known to have been held; bar what would have been due."""
        table, rules = TrickPlay(self.rules, len(self.seats)), self.rules
        table.copy_from(self.start)
        by_place = [self.played[seat] | self._announced_by(seat) for seat in self.seats]
        deal_out(table, by_place[0], by_place[1], by_place[2] if len(by_place) == 3 else 0)
        for seat, card in taken:
            if table.on_table and not self.draws:
                followed = bool(table.suit >> card & 1)
                if not followed:
                    self.barred[seat] |= table.suit
                    trumps = FOLLOW[6 * table.trump] if table.trump >= 0 and rules.must_trump else 0
                    self.barred[seat] |= trumps if not trumps >> card & 1 else 0
                if rules.must_beat and followed and not table.winning >> card & 1:
                    self.barred[seat] |= table.winning & table.suit
            chosen = rules.optional and not table.on_table and table.may_announce()
            announces = chosen and announcing_cards(self._announced_by(seat), rules) >> card & 1
            self.actions.append(card + ANNOUNCED if announces else card)
            table.play(self.actions[-1])

    def _guess(self, random: i64) -> i64:
        """Deal the unknown cards to those who have room for them; -1 where nobody has room for one."""
        first, second = self.first_seen, self.second_seen
        hand = first.known
        pool = self.unknown & ~first.barred
        if self.second >= 0:
            hand |= self.unknown & second.barred
            pool &= ~second.barred
        room = first.size - count(hand)
        if room < 0 or room > count(pool) or self.impossible:
            return -1
        while room:
            random = next_random(random)
            card = choose(pool, random)
            pool ^= 1 << card
            hand |= 1 << card
            room -= 1
        self.hand_first = hand
        if self.second < 0:
            self.spare = self.unknown & ~hand
            return random
        self.hand_second = second.known | self.unknown & ~hand
        self.spare = 0
        return random

    def _deal_now(self, table: TrickPlay, own: i64, first: i64, second: i64) -> None:
        """Lay the hands on a table, in the order of its trick."""
        if self.own == 0:
            deal_out(table, own, first, second)
        elif self.own == 1:
            deal_out(table, second if self.second >= 0 else first, own, first if self.second >= 0 else 0)
        else:
            deal_out(table, first, second, own)
        if self.rules.taker_gets_dead:
            table.last_points = self.rules.last_trick + points(self.spare | self.laid)

    def _fill_drawing(self, table: TrickPlay, random: i64) -> i64:
        """Guess the order of the stock too: all that nobody holds, or part of it."""
        table.copy_from(self.now)
        self._deal_now(table, self.own_hand, self.hand_first, 0)
        return shuffle_stock(table, self.spare, random)

    def _agrees(self, table: TrickPlay) -> bool:
        """Say whether these hands could have been dealt, and everything been played as it was.

        The table has been played on to the present then.
        """
        first = self.hand_first | self.first_seen.played
        second = self.hand_second | self.second_seen.played if self.second >= 0 else 0
        if not self._dealt(self.first_seen, first):
            return False
        if self.second >= 0 and not self._dealt(self.second_seen, second):
            return False
        table.copy_from(self.start)
        self._deal_now(table, self.own_hand | self.own_played, first, second)
        for action in self.actions:
            card: i64 = action
            if not table.legal() >> card & 1:
                return False
            table.play(card)
        return table.announced == self.announced

    def _dealt(self, seen: "_Seen", first: i64) -> bool:
        """Say whether a seat may have held these cards at the first lead: widow, pass and redeals agree."""
        if seen.free:
            return True
        if seen.unknown_gift:
            widow = first & self.widow
            return not widow & widow - 1
        dealt = first & ~seen.passed
        if dealt & self.widow:
            return False
        return not (seen.redeals and hand_claims(dealt, bool(seen.forehand), self.ruleset.deal_rules))


class _Seen:
    """What is known of another place's cards."""

    def __init__(self, worlds: Worlds, place: int) -> None:
        view, seat = worlds.view, worlds.seats[place]
        self.size: i64 = view.counts[seat]
        """Cards in the hand."""
        self.known: i64 = worlds.known[seat]
        self.barred: i64 = worlds.barred[seat]
        self.played: i64 = worlds.played[seat]
        text = view.given[seat] if view.given is not None else None
        self.passed: i64 = 1 << parse_card(text) if text is not None else 0
        """The card passed to it, as far as we know."""
        self.free: i64 = int(seat == view.declarer)
        """The declarer's hand is what he made of it."""
        self.unknown_gift: i64 = int(view.given is not None and not self.passed)
        self.redeals: i64 = int(worlds.ruleset.redeal_style == "mandatory")
        self.forehand: i64 = int(seat == view.forehand)


def deal_out(table: TrickPlay, forehand: i64, middle: i64, last: i64) -> None:
    """Give every place its cards; the third place of a table of two gets none."""
    if table.leader == 0:
        table.lead_hand, table.second_hand, table.third_hand = forehand, middle, last
    elif table.size == 2:
        table.lead_hand, table.second_hand, table.third_hand = middle, forehand, 0
    elif table.leader == 1:
        table.lead_hand, table.second_hand, table.third_hand = middle, last, forehand
    else:
        table.lead_hand, table.second_hand, table.third_hand = last, forehand, middle


def shuffle_stock(table: TrickPlay, left: i64, random: i64) -> i64:
    """Lay as many of the cards as the table draws down at random; return the generator's state."""
    table.stock = 0
    for number in range(table.in_stock):
        random = next_random(random)
        card = choose(left, random)
        left ^= 1 << card
        table.stock |= card << CARD_BITS * number
    return random
