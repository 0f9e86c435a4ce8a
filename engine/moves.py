"""Between the readable state and the deal that moves on: thawed, moved, and frozen again."""

from engine.actions import DECLARE_TEXTS, PLAY_TEXTS
from engine.cards import Card, Mask, cheapest_first
from engine.choices import legal_codes
from engine.codes import text_of
from engine.deal import CUT, PHASES, PLAYING, QUESTIONS, Deal, kind_name
from engine.deal_rules import KINDS
from engine.events import Event
from engine.ints import i64
from engine.leads import ANNOUNCED
from engine.opening import begin
from engine.ruleset import Ruleset
from engine.standing import Standing
from engine.state import NOBODY, DealState, Frame, MatchState, Phase
from engine.trickplay import TrickPlay
from engine.tricks import FOLLOW, best_of, legal_follows, winning_cards

Moved = tuple[MatchState, list[Event]]
"""The next state, and what happened on the way to it."""


def start_deal(frame: Frame | MatchState, dealer: int) -> Moved:
    """Shuffle, cut and deal."""
    deal = Deal(frame.ruleset, frame.standing)
    deal.seed = frame.seed
    deal.number = frame.deal
    events: list[Event] = []
    deal.log = events
    begin(deal, dealer, NOBODY)
    return state_of(frame, deal), events


def thawed(ruleset: Ruleset, standing: Standing, state: DealState, phase: Phase, turn: int) -> Deal:
    """Set a deal that waits for an action before its first card up as a state tells it."""
    deal = Deal(ruleset, standing)
    thaw(deal, state, phase, turn)
    return deal


def thaw(deal: Deal, state: DealState, phase: Phase, turn: int) -> None:
    """Let a new deal become what a state tells, in which no card was led yet."""
    deal.phase = PHASES.index(phase)
    deal.turn = turn
    deal.redeal = state.redeal
    deal.dealer = state.dealer
    deal.forehand = state.forehand
    deal.dealt = state.dealt
    deal.widow = state.widow
    deal.hands = list(state.hands)
    deal.bid = state.bid
    deal.bidder = state.bidder
    deal.passed = state.passed
    deal.kind = KINDS.index(state.kind)
    deal.unseen = state.unseen
    deal.declarer = state.declarer
    deal.contract = state.contract
    deal.widow_seen = state.widow_seen
    if state.given is not None:
        deal.was_given = 1
        for seat, card in enumerate(state.given):
            deal.given |= card + 1 << 8 * seat
            deal.given_seen |= state.given_seen[seat] << 8 * seat
    deal.piles = state.piles
    deal.dead = state.dead
    deal.laid = state.laid
    deal.question = QUESTIONS.index(state.question)
    deal.cuts = state.cuts
    deal.nines = state.nines
    deal.cut_fines = state.cut_fines
    deal.bluffs = state.bluffs
    deal.leader = state.leader
    if phase is Phase.CUT:
        deal.pack = list(state.stock)
    else:
        deal.stock = state.stock


def frozen(deal: Deal) -> DealState:
    """Write a deal down that has not come to its first card, or was given up before it."""
    players, forehand = int(deal.players), int(deal.forehand)
    zeros = (0,) * players
    return DealState(
        redeal=int(deal.redeal),
        dealer=int(deal.dealer),
        forehand=forehand,
        active=tuple([(forehand + place) % players for place in range(int(deal.size))]),
        dealt=deal.dealt,
        widow=int(deal.widow),
        hands=tuple(deal.hands),
        bid=int(deal.bid),
        bidder=int(deal.bidder),
        passed=int(deal.passed),
        kind=kind_name(deal),
        unseen=int(deal.unseen),
        declarer=int(deal.declarer),
        contract=int(deal.contract),
        widow_seen=int(deal.widow_seen),
        given=tuple([card - 1 for card in _by_seat(deal, deal.given)]) if deal.was_given else None,
        given_seen=_by_seat(deal, deal.given_seen) if deal.was_given else (),
        piles=deal.piles,
        dead=int(deal.dead),
        laid=int(deal.laid),
        stock=tuple(deal.pack) if deal.phase == CUT else deal.stock,
        question=QUESTIONS[deal.question],
        cuts=int(deal.cuts),
        nines=int(deal.nines),
        cut_fines=int(deal.cut_fines),
        bluffs=int(deal.bluffs),
        leader=int(deal.leader),
        tricks=zeros,
        cards=zeros,
        marriages=((),) * players,
    )


def _by_seat(deal: Deal, packed: i64) -> tuple[int, ...]:
    return tuple([int(packed >> 8 * seat & 255) for seat in range(int(deal.players))])


def state_of(frame: Frame | MatchState, deal: Deal) -> MatchState:
    """Write down a deal that waits for an action before its first card, or for that card."""
    state = frozen(deal)
    turn = int(deal.turn)
    if deal.phase == PLAYING:
        return playing(frame, state, deal.table, turn)
    legal = tuple([text_of(code) for code in legal_codes(deal)])
    return _framed(frame, state, PHASES[deal.phase], turn, legal)


def playing(frame: Frame | MatchState, deal: DealState, table: TrickPlay, turn: int) -> MatchState:
    """Go on in a deal in which cards are played."""
    return _framed(frame, deal, Phase.PLAY, turn, play_texts(table))


def _framed(
    frame: Frame | MatchState, deal: DealState, phase: Phase, turn: int, legal: tuple[str, ...]
) -> MatchState:
    return MatchState(
        frame.ruleset, frame.seed, frame.deal_cap, frame.deal, frame.standing, deal, phase, turn, legal
    )


def follows(ruleset: Ruleset, hand: Mask, trick: tuple[Card, ...], trump: int) -> Mask:
    """Cards a follower may play."""
    rules = ruleset.play
    winning = winning_cards(best_of(trick, trump, rules.order), trump, rules.order)
    return legal_follows(hand, FOLLOW[trick[0]], winning, trump, rules.must_trump, rules.must_beat)


def play_texts(table: TrickPlay) -> tuple[str, ...]:
    """List what may be played, cheapest first; silent leads come before announced ones."""
    actions = table.legal()
    texts = [PLAY_TEXTS[card] for card in cheapest_first(int(actions & 0xFFFFFF))]
    if actions >> ANNOUNCED:
        texts += [DECLARE_TEXTS[card] for card in cheapest_first(int(actions >> ANNOUNCED))]
    return tuple(texts)
