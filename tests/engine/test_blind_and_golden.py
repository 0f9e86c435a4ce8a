"""Blind games and golden deals (Rules §4, §5)."""

import pytest

import engine
from engine import MatchState
from engine.moves import start_deal
from engine.state import Frame
from tests.engine.positions import after, events_of, ruleset, standing, the

SEED = engine.seed_from_int(3)


def blind_rules(preset: str = "tournament_default", **overrides: object) -> engine.Ruleset:
    return ruleset(preset, **{"blind": True, "first_dealer": "fixed_seat0", **overrides})


def opened(rules: engine.Ruleset, before: engine.Standing | None = None) -> MatchState:
    frame = Frame(rules, SEED, 400, 0, before or engine.Standing.at_start(rules.players))
    return start_deal(frame, 0)[0]


def seat_with_marriage(state: MatchState, *, but: int) -> int:
    """A seat that holds a marriage in the state, found by its cap."""
    caps = {seat: engine.bid_cap(state.current.hands[seat], state.ruleset) for seat in range(3)}
    return max((seat for seat in caps if seat != but), key=caps.__getitem__)


def test_forehand_is_asked_before_anybody_sees_a_card() -> None:
    rules = blind_rules()
    state, events = engine.start(rules, SEED)
    assert (state.phase, state.turn, state.legal) == ("blind", 1, ("look", "blind"))
    assert [event.kind for event in events] == ["deal"]
    assert all(events[0].seen_by(seat)["hands"] == [None, None, None] for seat in range(3))
    assert all(engine.observation(state, seat).hand is None for seat in range(3))


def test_whoever_looks_plays_an_ordinary_deal() -> None:
    state, events = engine.step(opened(blind_rules()), "look")
    looks = [event for event in events if event.kind == "look"]
    assert sorted(event.data["seat"] for event in looks) == [0, 1, 2]
    for event in looks:
        shown = [seat for seat in range(3) if event.seen_by(seat)["cards"]]
        assert shown == [event.data["seat"]]
    assert state.phase == "auction"
    assert (state.current.bid, state.current.kind, state.turn) == (100, "normal", 2)


def test_a_blind_player_sees_nothing_until_the_auction_is_over() -> None:
    state = after(opened(blind_rules()), "blind")
    assert (state.phase, state.turn, state.current.bid) == ("auction", 2, 120)
    view = engine.observation(state, 1)
    assert (view.hand, view.cap, view.kind, view.bid, view.bidder) == (None, None, "blind", 120, 1)
    assert engine.observation(state, 2).hand is not None
    happened = events_of(state, "pass", "pass")
    assert the(happened, "look")["seat"] == 1
    state = after(state, "pass", "pass")
    assert (state.phase, state.turn) == ("widow", 1)
    assert engine.observation(state, 1).hand is not None


def test_a_standing_blind_game_is_120_with_widow_and_pass_hidden() -> None:
    state = after(opened(blind_rules(pass_face="up")), "blind", "pass", "pass")
    state, (widow,) = engine.step(state, "take")
    assert widow.seen_by(2)["cards"] is None
    state, (give,) = engine.step(state, state.legal[0])
    assert give.public()["cards"] == [None, None]
    assert state.legal == ("contract 120",)


def test_a_blind_game_may_be_conceded_where_agreed() -> None:
    state = after(opened(blind_rules(blind_concession=True)), "blind", "pass", "pass", "take")
    state = after(state, state.legal[0])
    assert state.legal == ("contract 120", "concede")
    assert the(events_of(state, "concede"), "deal_end")["after"] == [120, -240, 120]


def test_a_bid_of_125_breaks_the_blind_game_and_its_player_looks() -> None:
    rules = blind_rules(bid_cap="none", blind_break_needs_marriage=False, bid_jumps="single_step")
    state = after(opened(rules), "blind")
    assert state.legal[:3] == ("pass", "bid 125", "bid 130")  # jumps are not limited here
    state, events = engine.step(state, "bid 140")
    assert [event.kind for event in events] == ["bid", "look"]
    assert events[1].data["seat"] == 1
    assert (state.current.kind, state.turn) == ("normal", 0)
    assert state.legal == ("pass", "bid 145")
    state = after(state, "pass")
    assert state.turn == 1  # still in the auction
    assert engine.observation(state, 1).hand is not None


def test_a_breaker_may_need_a_marriage_and_may_take_the_widow_at_once() -> None:
    state = after(opened(blind_rules(bid_cap="none")), "blind")
    seat = seat_with_marriage(state, but=1)
    for asked in (2, 0):
        holds = engine.bid_cap(state.current.hands[asked], ruleset()) > 120
        assert (len(state.legal) > 1) == holds
        if asked == seat and holds:
            break
        state = after(state, "pass")
    rules = blind_rules(bid_cap="none", blind_break_needs_marriage=False, blind_break_takes_widow=True)
    state = after(opened(rules), "blind", "bid 125")
    assert (state.phase, state.turn, state.current.declarer) == ("widow", 2, 2)


def test_where_nobody_may_break_it_the_others_only_pass() -> None:
    state = after(opened(blind_rules(blind_break=False)), "blind")
    assert state.legal == ("pass",)


@pytest.mark.parametrize(
    ("overrides", "total", "barrel", "asked"),
    [
        ({"blind_min_total": 0}, (0, -5, 0), (False,) * 3, False),
        ({"blind_min_total": 0}, (0, 0, 0), (False,) * 3, True),
        ({"blind_barrel_ban": "opponent_on_barrel"}, (880, 0, 0), (True, False, False), False),
        ({"blind_barrel_ban": "opponent_on_barrel"}, (0, 880, 0), (False, True, False), True),
        ({"blind_barrel_ban": "anyone_on_barrel"}, (0, 880, 0), (False, True, False), False),
        ({"silence_below": -120}, (0, -125, 0), (False,) * 3, False),
    ],
)
def test_who_may_play_blind(
    overrides: dict[str, object], total: tuple[int, ...], barrel: tuple[bool, ...], asked: bool
) -> None:
    state = opened(blind_rules(**overrides), standing(total, barrel=barrel))
    assert (state.phase == "blind") == asked


def test_the_dealer_or_anyone_in_order_may_be_the_one_to_ask() -> None:
    assert opened(blind_rules(blind_who="dealer")).turn == 0
    state = opened(blind_rules(blind_who="anyone_in_order"))
    turns = []
    while state.phase == "blind":
        turns.append(state.turn)
        state, events = engine.step(state, "look")
        assert not events or state.phase != "blind"
    assert turns == [1, 2, 0]


def test_golden_deals_are_one_forced_120_for_each_in_turn() -> None:
    rules = ruleset(golden=True, deal_limit=5, first_dealer="fixed_seat0")
    state = engine.initial_state(rules, SEED)
    declarers = []
    while not engine.is_terminal(state):
        if state.phase == "widow" and state.current.kind == "golden":
            declarers.append(state.turn)
            assert state.current.bid == 120
        state = after(state, state.legal[0])
    assert declarers == [1, 2, 0]


def test_a_golden_deal_hides_widow_and_pass_and_keeps_120() -> None:
    rules = ruleset(golden=True, first_dealer="fixed_seat0", pass_face="up")
    state, (widow,) = engine.step(engine.initial_state(rules, SEED), "take")
    assert [widow.seen_by(seat)["cards"] is None for seat in range(3)] == [True, False, True]
    state, (give,) = engine.step(state, state.legal[0])
    assert give.public()["cards"] == [None, None]
    assert state.legal == ("contract 120", "concede")
    assert the(events_of(state, "concede"), "deal_end")["after"] == [120, -240, 120]


def test_a_golden_contract_may_be_raised_where_agreed() -> None:
    rules = ruleset(golden=True, golden_raise=True, bid_cap="none", golden_concession=False)
    state = engine.initial_state(rules, SEED)
    state = after(state, "take")
    state = after(state, state.legal[0])
    assert state.legal[:2] == ("contract 120", "contract 125")
    assert "concede" not in state.legal


@pytest.mark.parametrize(
    ("reset", "then", "total", "golden_index"),
    [
        (True, "normal", (0, 0, 0), 3),
        (True, "repeat", (0, 0, 0), 0),
        (False, "normal", (-140, 220, 300), 3),
        (False, "repeat", (-140, 220, 300), 0),
    ],
)
def test_if_nobody_made_a_golden_contract(
    reset: bool, then: str, total: tuple[int, ...], golden_index: int
) -> None:
    rules = ruleset(golden=True, golden_reset_on_none=reset, golden_on_none_made=then)
    before = standing((100, 100, 200), bolts=(1, 1, 1), conc=(1, 0, 0))._replace(golden_index=2)
    deal = engine.DealResult(0, 120, (10, 60, 50), (0, 0, 0), (1, 4, 3), 0, kind="golden")
    after_it = engine.score_deal(rules, before, deal).after
    assert (after_it.total, after_it.golden_index) == (total, golden_index)
    assert after_it.bolts == ((0, 0, 0) if reset else (1, 1, 1))


def test_one_made_golden_contract_is_enough() -> None:
    before = standing((100, 100, 200))._replace(golden_index=2, golden_made=True)
    deal = engine.DealResult(0, 120, (10, 60, 50), (0, 0, 0), (1, 4, 3), 0, kind="golden")
    score = engine.score_deal(ruleset(golden=True), before, deal)
    assert (score.after.total[0], score.after.golden_index) == (-140, 3)
