"""Widow, pass, contract and concession (Rules §7, §8)."""

import pytest

import engine
from tests.engine.positions import after, auction, cards_in, events_of, ruleset, standing, the

HANDS = ("AS TS 9S JC JD 9D QC", "KH QH AC TC 9C JS KS", "AD TD KD AH TH JH 9H")
WIDOW = "QS KC QD"
BY_OPENING = ("pass", "pass")
BY_BIDDING = ("bid 105", "pass", "pass")


def test_the_declarer_takes_the_widow_and_everybody_sees_it() -> None:
    state = after(auction(HANDS, WIDOW), *BY_BIDDING)
    assert state.legal == ("take",)
    before = engine.observation(state, 0)
    assert before.widow is None
    state, (event,) = engine.step(state, "take")
    assert event.public() == {
        "event": "widow",
        "seat": 1,
        "cards": ["QS", "KC", "QD"],
        "bid": 105,
        "by_opening": False,
    }
    assert cards_in(state, 1) == set((HANDS[1] + " " + WIDOW).split())
    assert [engine.observation(state, seat).widow for seat in range(3)] == [["QS", "KC", "QD"]] * 3


@pytest.mark.parametrize(
    ("reveal", "bidding", "seen"),
    [
        ("always", BY_OPENING, {0, 1, 2}),
        ("hidden_on_opening", BY_OPENING, {0}),
        ("hidden_on_opening", BY_BIDDING, {0, 1, 2}),
        ("never", BY_BIDDING, {1}),
    ],
)
def test_who_sees_the_widow(reveal: str, bidding: tuple[str, ...], seen: set[int]) -> None:
    state = after(auction(HANDS, WIDOW, rules=ruleset(widow_reveal=reveal)), *bidding)
    state, (event,) = engine.step(state, "take")
    assert {seat for seat in range(3) if event.seen_by(seat)["cards"]} == seen
    assert {seat for seat in range(3) if engine.observation(state, seat).widow} == seen
    assert (event.public()["cards"] is None) == (len(seen) == 1)


def test_one_card_goes_to_each_defender_the_left_neighbours_first() -> None:
    state = after(auction(HANDS, WIDOW), *BY_BIDDING, "take", "give 9C QD")
    assert "9C" in cards_in(state, 2)
    assert "QD" in cards_in(state, 0)
    assert [len(cards_in(state, seat)) for seat in range(3)] == [8, 8, 8]
    assert (state.phase, state.turn) == ("contract", 1)


def test_the_cheapest_two_cards_are_the_first_choice() -> None:
    state = after(auction(HANDS, WIDOW), *BY_BIDDING, "take")
    assert state.legal[0] == "give 9C JS"
    assert len(state.legal) == len(set(state.legal)) == 90


@pytest.mark.parametrize(
    ("face", "reveal", "bidding", "public"),
    [
        ("down", "always", BY_BIDDING, False),
        ("up", "always", BY_BIDDING, True),
        ("up", "hidden_on_opening", BY_OPENING, False),
        ("up", "hidden_on_opening", BY_BIDDING, True),
    ],
)
def test_a_passed_card_is_seen_by_giver_and_receiver_or_by_all(
    face: str, reveal: str, bidding: tuple[str, ...], public: bool
) -> None:
    rules = ruleset(pass_face=face, widow_reveal=reveal)
    state = after(auction(HANDS, WIDOW, rules=rules), *bidding, "take")
    declarer = state.turn
    assert declarer is not None
    left, right = (declarer + 1) % 3, (declarer + 2) % 3
    state, (event,) = engine.step(state, "give QS KC" if declarer == 0 else "give 9C QD")
    first, second = event.data["cards"]
    seen = {seat: event.seen_by(seat)["cards"] for seat in range(3)}
    if public:
        assert event.public()["cards"] == [first, second]
    else:
        assert event.public()["cards"] == [None, None]
        assert seen == {declarer: [first, second], left: [first, None], right: [None, second]}
        given = {seat: engine.observation(state, seat).given for seat in range(3)}
        expected = [None, None, None]
        expected[left] = first
        assert given[left] == expected
        assert given[declarer] is not None
        assert [given[declarer][left], given[declarer][right]] == [first, second]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("give QS AD", "not_held"),
        ("give QS QS", "same_card"),
        ("contract 105", "wrong_phase"),
        ("concede", "may_not_concede"),
    ],
)
def test_a_wrong_pass_is_refused(action: str, reason: str) -> None:
    state = after(auction(HANDS, WIDOW), *BY_BIDDING, "take")
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, action)
    assert caught.value.reason == reason


@pytest.mark.parametrize("action", ["give QS", "give QS KC KH", "give"])
def test_a_pass_of_another_number_of_cards_is_refused(action: str) -> None:
    state = after(auction(HANDS, WIDOW), *BY_BIDDING, "take")
    with pytest.raises(engine.EngineError):
        engine.step(state, action)


def test_the_contract_is_the_bid_or_more_up_to_the_marriages_now_held() -> None:
    state = after(auction(HANDS, WIDOW), *BY_BIDDING, "take", "give 9C QD")
    # Seat 1 holds the marriages of hearts and, with the widow, of spades: 120 + 100 + 40.
    assert state.legal == (*[f"contract {points}" for points in range(105, 265, 5)], "concede")
    assert engine.observation(state, 1).cap == 260


def test_passing_half_a_marriage_lowers_the_cap_but_never_below_the_bid() -> None:
    state = after(auction(HANDS, WIDOW), "bid 200", "pass", "pass", "take", "give KH KS")
    assert state.legal == ("contract 200", "concede")
    with pytest.raises(engine.IllegalActionError, match="stays at 200"):
        engine.step(state, "contract 205")


def test_the_contract_cannot_be_lowered() -> None:
    state = after(auction(HANDS, WIDOW), "bid 150", "pass", "pass", "take", "give 9C QD")
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, "contract 145")
    assert caught.value.reason == "below_bid"


def test_where_raises_are_forbidden_the_bid_is_the_contract() -> None:
    state = auction(HANDS, WIDOW, rules=ruleset(raise_after_widow=False))
    state = after(state, *BY_BIDDING, "take", "give 9C QD")
    assert state.legal == ("contract 105", "concede")


def test_the_contract_may_come_before_the_pass() -> None:
    state = auction(HANDS, WIDOW, rules=ruleset(raise_timing="before_pass"))
    state = after(state, *BY_BIDDING, "take")
    assert state.phase == "contract"
    assert state.legal[-2] == "contract 260"  # on ten cards
    state = after(state, "contract 260")
    assert state.phase == "give"
    state = after(state, "give KH KS")
    assert (state.phase, state.turn, state.current.contract) == ("play", 1, 260)


def test_a_conceded_deal_goes_to_the_score_at_once_and_the_deal_moves_on() -> None:
    state = after(auction(HANDS, WIDOW), "bid 125", "pass", "pass", "take", "give 9C QD")
    happened = events_of(state, "concede")
    assert [event.kind for event in happened[:3]] == ["concede", "deal_end", "deal"]
    end = the(happened, "deal_end")
    assert (end["result"], end["contract"], end["before"], end["after"]) == (
        "conceded",
        125,
        [0, 0, 0],
        [65, -125, 65],
    )
    assert end["given"] == [[0, "QD"], [2, "9C"]]
    assert end["conc"] == [0, 1, 0]
    assert happened[2].data["dealer"] == 0
    assert happened[2].data["totals"] == [65, -125, 65]


def test_a_forced_opening_may_be_conceded() -> None:
    state = after(auction(HANDS, WIDOW), *BY_OPENING, "take", "give QS KC")
    assert the(events_of(state, "concede"), "deal_end")["after"] == [-100, 50, 50]


def concedes(before: engine.Standing | None = None, **overrides: object) -> bool:
    state = auction(HANDS, WIDOW, rules=ruleset(**overrides), before=before)
    return "concede" in after(state, *BY_BIDDING, "take", "give 9C QD").legal


def test_who_may_concede() -> None:
    on_barrel = standing((0, 880, 0), barrel=(False, True, False))
    other_on_barrel = standing((880, 0, 0), barrel=(True, False, False))
    assert concedes()
    assert concedes(on_barrel)
    assert not concedes(concession=False)
    assert not concedes(on_barrel, concession_barrel_ban="declarer_on_barrel")
    assert concedes(other_on_barrel, concession_barrel_ban="declarer_on_barrel")
    assert not concedes(other_on_barrel, concession_barrel_ban="anyone_on_barrel")
    assert concedes(standing(conc=(3, 2, 3)), concession_limit=3)
    assert not concedes(standing(conc=(0, 3, 0)), concession_limit=3)
    assert concedes(on_barrel, concession_deduct=False)
    assert not concedes(other_on_barrel, concession_deduct=False, concession_barrel_exempt=False)


def test_the_window_of_concession_may_close_with_the_pass() -> None:
    state = auction(HANDS, WIDOW, rules=ruleset(concession_window="before_pass"))
    state = after(state, *BY_BIDDING, "take")
    assert state.legal[-1] == "concede"
    assert "concede" not in after(state, "give 9C QD").legal
    end = the(events_of(state, "concede"), "deal_end")
    assert (end["given"], end["contract"]) == (None, 105)


def test_a_free_contract_is_a_legal_action_only_for_the_declarer() -> None:
    state = after(auction(HANDS, WIDOW), *BY_BIDDING, "take", "give 9C QD", "contract 105")
    assert (state.phase, state.turn, state.current.leader) == ("play", 1, 1)
