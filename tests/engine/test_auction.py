"""The auction (Rules §6): the forced opening, caps by marriages, passes."""

import pytest

import engine
from engine.cards import parse_mask
from tests.engine.positions import after, auction, events_of, ruleset, standing, the

# Forehand is seat 0; seat 1 (A) holds the marriage of hearts, seat 2 none.
HANDS = ("AS TS 9S JC JD 9D QC", "KH QH AC TC 9C JS KS", "AD TD KD AH TH JH 9H")
WIDOW = "QS KC QD"


def cap(hand: str, preset: str, **overrides: object) -> int:
    rules = engine.Ruleset.from_preset(preset, overrides, score_only=True)
    return engine.bid_cap(parse_mask(hand), rules)


@pytest.mark.parametrize(
    ("hand", "preset", "expected"),
    [
        ("AS TS KH JH 9D QC JD", "skill_games", 120),  # a lone king or queen gives nothing
        ("KS QS AH TH 9D 9C JD", "livegames", 160),
        ("KC QC AH TH 9D 9S JD", "livegames", 180),
        ("KD QD AH TH 9D 9S JD", "livegames", 200),
        ("KH QH AH TH 9D 9S JD", "livegames", 220),
        ("KS QS KC QC AH 9S 9C", "livegames", 220),
        ("KH QH KD QD 9C 9S JD", "livegames", 300),
        ("KH QH KD QD KS QS 9S JD AC TC", "two_player_piles", 300),  # 340 without the absolute limit
        ("AS AC AD AH TS KH 9D", "hilyada_bg", 320),
        ("QH AH TH KS QS 9D 9S JD", "skill_games", 160),  # eight cards, the king of hearts was given away
        ("KS QS KC QC KD QD KH QH", "tournament_default", 400),
    ],
)
def test_a_hand_may_bid_120_and_its_marriages(hand: str, preset: str, expected: int) -> None:
    assert cap(hand, preset) == expected


def test_other_marriage_values_move_the_cap() -> None:
    assert cap("KC QC 9S JS AD TD 9H", "home_rules", marriage_values="clubs_high") == 220


def test_an_unlimited_cap_ends_where_no_deal_can_reach() -> None:
    hand = "9S JS 9C JC 9D JD 9H"
    assert cap(hand, "tournament_default", bid_cap="none") == 120 + 280
    assert cap(hand, "tournament_default", bid_cap="marriage_unlocks") == 120
    assert cap("KS QS 9C JC 9D JD 9H", "tournament_default", bid_cap="marriage_unlocks") == 400
    assert cap(hand, "tournament_default", bid_cap="none", bid_absolute_max=303) == 300


def test_forehand_opens_at_100_and_his_left_neighbour_speaks() -> None:
    state, events = engine.start(ruleset(first_dealer="fixed_seat0"), engine.seed_from_int(3))
    assert events[-1].full() == {"event": "bid", "seat": 1, "bid": 100, "forced": True}
    assert (state.turn, state.current.bidder, state.phase) == (2, 1, "auction")


def test_a_bid_is_any_multiple_of_five_above_the_last_up_to_the_cap() -> None:
    state = auction(HANDS, WIDOW)
    assert state.turn == 1
    assert state.legal == ("pass", *[f"bid {points}" for points in range(105, 225, 5)])
    state = after(state, "bid 200")
    assert (state.turn, state.legal) == (2, ("pass",))  # asked although only a pass is legal


def test_where_jumps_are_forbidden_a_bid_is_exactly_one_step_higher() -> None:
    state = auction(HANDS, WIDOW, rules=ruleset(bid_jumps="single_step"))
    assert state.legal == ("pass", "bid 105")
    with pytest.raises(engine.IllegalActionError, match="exactly 105"):
        engine.step(state, "bid 110")


def test_the_opener_may_bid_again_after_he_was_outbid() -> None:
    state = after(auction(HANDS, WIDOW), "bid 105", "pass")
    assert (state.turn, state.phase) == (0, "auction")
    state = after(state, "bid 110", "pass")
    assert (state.phase, state.turn, state.current.bid) == ("widow", 0, 110)


def test_a_pass_is_final_for_the_deal() -> None:
    state = after(auction(HANDS, WIDOW), "bid 105", "bid 110", "pass", "bid 115")
    assert state.turn == 2
    state = after(state, "bid 120")
    assert state.turn == 1  # forehand passed and is not asked again


def test_the_forced_opening_stands_if_both_others_pass() -> None:
    state = after(auction(HANDS, WIDOW), "pass", "pass")
    assert (state.phase, state.turn, state.current.declarer) == ("widow", 0, 0)
    assert the(events_of(state, "take"), "widow")["by_opening"] is True


def test_a_contract_won_by_bidding_is_not_by_opening() -> None:
    state = after(auction(HANDS, WIDOW), "bid 105", "pass", "pass")
    assert the(events_of(state, "take"), "widow")["by_opening"] is False


def test_a_silenced_seat_only_passes_but_its_forced_opening_stands() -> None:
    rules = ruleset(silence_below=-120)
    state = auction(HANDS, WIDOW, rules=rules, before=standing((-125, -125, -120)))
    assert state.legal == ("pass",)
    state = after(state, "pass")
    assert state.legal == ("pass", "bid 105", "bid 110", "bid 115", "bid 120")  # -120 is not below -120
    state = after(state, "bid 105")
    assert (state.turn, state.legal) == (0, ("pass",))


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("bid 100", "not_higher"),
        ("bid 95", "not_higher"),
        ("bid 107", "not_a_step"),
        ("bid 225", "over_cap"),
        ("take", "wrong_phase"),
        ("play AC", "wrong_phase"),
        ("contract 120", "wrong_phase"),
    ],
)
def test_an_illegal_bid_is_refused_with_its_reason(action: str, reason: str) -> None:
    state = auction(HANDS, WIDOW)
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, action)
    error = caught.value
    assert (error.reason, error.seat, error.phase, error.action) == (reason, 1, "auction", action)
    assert error.legal == state.legal
    assert "legal: pass, bid 105" in str(error)
