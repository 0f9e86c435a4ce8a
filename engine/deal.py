"""One deal from the shuffle to the last card, as integers that move on in place (Rules §2-§9).

This is what plays: the readable face (`engine.match`) moves its states through it, and searches play whole
deals with it (`engine.whole_deal`). What it does is in `engine.opening` and `engine.exchange`, what may be
done in `engine.choices`; the cards are played by `engine.trickplay`.
"""

from typing import Final

from engine.bits import points
from engine.cards import DECK_SIZE, Card
from engine.deal_rules import KINDS, NORMAL, DealRules
from engine.events import Event
from engine.ints import i64
from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import NOBODY, Phase
from engine.trickplay import TrickPlay

PHASES: Final = tuple(Phase)
CUT: Final = 0
BLIND_OR_LOOK: Final = 1
REDEAL_OR_KEEP: Final = 2
AUCTION: Final = 3
WIDOW: Final = 4
BUY_OR_PASS: Final = 5
GIVING: Final = 6
NAMING: Final = 7
PLAYING: Final = 8
OVER: Final = 9
"""Places in `PHASES`."""

QUESTIONS: Final = ("", "hand", "widow", "pass")
NO_QUESTION: Final = 0
ABOUT_HAND: Final = 1
ABOUT_WIDOW: Final = 2
AFTER_PASS: Final = 3

OUTCOMES: Final = ("", "played", "conceded", "thrown")
UNFINISHED: Final = 0
PLAYED: Final = 1
CONCEDED: Final = 2
THROWN: Final = 3


_PACK: Final = list(range(DECK_SIZE))


class Deal:
    """A deal in progress; see `engine.state.DealState` for what the fields mean."""

    def __init__(self, ruleset: Ruleset, standing: Standing) -> None:
        self.ruleset = ruleset
        self.rules: DealRules = ruleset.deal_rules
        self.standing = standing
        """Totals before the deal."""
        self.players: i64 = self.rules.players
        self.size: i64 = self.rules.size
        self.everybody: i64 = (1 << self.players) - 1
        self.seed = b""
        """The match's, from which every pack follows; empty where `random` shuffles."""
        self.number = 0
        """Of the deal in its match."""
        self.random: i64 = 1
        self.log: list[Event] | None = None
        """What happened, where somebody wants to know."""
        self.phase: i64 = OVER
        self.turn: i64 = NOBODY
        self.outcome: i64 = UNFINISHED
        self.pack: list[Card] = _PACK[:]
        self.redeal: i64 = 0
        self.dealer: i64 = 0
        self.forehand: i64 = 0
        self.dealt: tuple[int, ...] = self.rules.zeros
        self.widow: i64 = 0
        self.hands: list[int] = list(self.dealt)
        """By seat; while cards are played `table` holds them."""
        self.bid: i64 = 0
        self.bidder: i64 = NOBODY
        self.passed: i64 = 0
        self.kind: i64 = NORMAL
        self.unseen: i64 = 0
        self.declarer: i64 = NOBODY
        self.contract: i64 = 0
        self.widow_seen: i64 = 0
        self.was_given: i64 = 0
        """Whether cards were passed on, or laid away."""
        self.given: i64 = 0
        """The card passed to each seat: its number + 1, 8 bits a seat."""
        self.given_seen: i64 = 0
        """Who saw the card passed to each seat: 8 bits a seat."""
        self.piles: tuple[int, ...] = ()
        self.dead: i64 = 0
        self.laid: i64 = 0
        self.stock: tuple[int, ...] = ()
        self.question: i64 = NO_QUESTION
        self.cuts: i64 = 0
        self.nines: i64 = 0
        self.cut_fines: i64 = 0
        self.bluffs: i64 = 0
        self.leader: i64 = NOBODY
        self.table = TrickPlay(self.rules.play, self.size)
        """The cards, from the first lead on."""

    def copy_from(self, other: "Deal") -> None:
        """Become equal to another deal of the same ruleset and standing."""
        self.hands = other.hands[:]
        self.pack = other.pack[:]
        self.table.copy_from(other.table)
        self.seed = other.seed
        self.number = other.number
        self.random = other.random
        self.phase = other.phase
        self.turn = other.turn
        self.outcome = other.outcome
        self.redeal = other.redeal
        self.dealer = other.dealer
        self.forehand = other.forehand
        self.dealt = other.dealt
        self.widow = other.widow
        self.bid = other.bid
        self.bidder = other.bidder
        self.passed = other.passed
        self.kind = other.kind
        self.unseen = other.unseen
        self.declarer = other.declarer
        self.contract = other.contract
        self.widow_seen = other.widow_seen
        self.was_given = other.was_given
        self.given = other.given
        self.given_seen = other.given_seen
        self.piles = other.piles
        self.dead = other.dead
        self.laid = other.laid
        self.stock = other.stock
        self.question = other.question
        self.cuts = other.cuts
        self.nines = other.nines
        self.cut_fines = other.cut_fines
        self.bluffs = other.bluffs
        self.leader = other.leader

    def gather(self) -> None:
        """Put the cards together to deal them again; what is counted on goes on."""
        self.redeal += 1
        self.hands = list(self.rules.zeros)
        self.dealt = self.rules.zeros
        self.widow = 0
        self.bid = 0
        self.bidder = NOBODY
        self.passed = 0
        self.kind = NORMAL
        self.unseen = 0
        self.declarer = NOBODY
        self.contract = 0
        self.widow_seen = 0
        self.was_given = 0
        self.piles = ()
        self.dead = 0
        self.laid = 0
        self.stock = ()
        self.question = NO_QUESTION
        self.cuts = 0
        self.nines = 0
        self.bluffs = 0

    def left_of(self, seat: i64) -> i64:
        """Return the next seat that plays, clockwise."""
        following = seat + 1
        if following == self.players:
            following = 0
        # Of four the dealer sits out; the seat after him is forehand.
        return self.forehand if following == self.dealer and self.players == 4 else following

    def seat_of(self, place: i64) -> i64:
        """Return the seat of a place: forehand has place 0."""
        seat = self.forehand + place
        return seat if seat < self.players else seat - self.players

    def place_of(self, seat: i64) -> i64:
        """Return the place of a seat that plays."""
        place = seat - self.forehand
        return place if place >= 0 else place + self.players

    def is_by_opening(self) -> bool:
        """Say whether the declarer holds the forced opening because nobody bid."""
        rules = self.rules
        return bool(rules.forced_opening) and self.kind == NORMAL and self.bid == rules.opening_bid

    def ask(self, phase: i64, seat: i64) -> None:
        """Give the word to a seat."""
        self.phase = phase
        self.turn = seat

    def lead(self, seat: i64) -> None:
        """Begin the play of the cards."""
        self.leader = seat
        self.ask(PLAYING, seat)
        table = self.table
        table.leader = self.place_of(seat)
        hands = self.hands
        table.lead_hand = hands[seat]
        seat = self.left_of(seat)
        table.second_hand = hands[seat]
        if self.size == 3:
            table.third_hand = hands[self.left_of(seat)]
        if table.rules.taker_gets_dead:
            table.last_points += points(self.dead)
        table.lay_stock(self.stock)

    def end(self, outcome: i64) -> None:
        """Nobody is on turn any more."""
        self.outcome = outcome
        self.ask(OVER, NOBODY)


def kind_name(deal: Deal) -> str:
    """`normal`, `golden` or `blind`."""
    return KINDS[deal.kind]
