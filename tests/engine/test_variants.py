"""Four players, 1001, tens, the cut, buying over, redeal rights, the own widow."""

import pytest

import engine
from engine import MatchState
from engine.cards import cards_of, parse_mask, points_of
from engine.dealing import shuffled_deck
from engine.moves import start_deal
from engine.outcome import make_outcome
from engine.redeal import PASSED_REASONS, WIDOW_REASONS, names_of, passed_claims, widow_claims
from engine.state import Frame
from tests.engine.positions import after, auction, events_of, playing, ruleset, standing, the

SEED = engine.seed_from_int(5)
HANDS = ("AS TS 9S JC JD 9D QC", "KH QH AC TC 9C JS KS", "AD TD KD AH TH JH 9H")
WIDOW = "QS KC QD"


def opened(preset: str, before: engine.Standing | None = None, **overrides: object) -> MatchState:
    rules = ruleset(preset, **overrides)
    return start_deal(Frame(rules, SEED, 400, 0, before or engine.Standing.at_start(rules.players)), 0)[0]


def kept(state: MatchState) -> MatchState:
    """Answer every question about a redeal or the cut with `keep`."""
    while state.legal[0] == "keep":
        state = after(state, "keep")
    return state


def to_phase(state: MatchState, phase: str) -> MatchState:
    """Take the mildest action until a phase comes."""
    while state.phase != phase:
        state = after(state, state.legal[0])
    return state


def test_every_seat_is_asked_about_a_redeal_entitled_or_not() -> None:
    """Proves redeal_style."""
    state = opened("android_classic")
    asked = []
    while state.phase == "redeal":
        asked.append((state.turn, state.legal[0]))
        state, events = engine.step(state, "keep")
        assert [event.kind for event in events] in ([], ["bid"])
    assert asked == [(1, "keep"), (2, "keep"), (0, "keep")]


def test_a_claim_shows_the_hand_and_the_same_dealer_deals_again() -> None:
    rules = ruleset("android_classic", redeal_hand_points_below=30, first_dealer="fixed_seat0")
    state = engine.initial_state(rules, SEED)
    while "redeal" not in state.legal:
        state = after(state, "keep")
    claimant = state.turn
    hand = engine.observation(state, claimant or 0).hand
    state, events = engine.step(state, "redeal")
    assert [event.kind for event in events] == ["redeal", "deal"]
    assert events[0].public()["hand"] == hand
    assert (events[0].data["seat"], events[0].data["reason"]) == (claimant, "points")
    assert (state.current.redeal, state.current.dealer, state.deal) == (1, 0, 0)


def test_what_is_not_entitled_cannot_be_claimed() -> None:
    state = opened("android_classic", redeal_hand_points_below=0, redeal_hand_four_nines="on")
    if state.legal == ("keep",):
        with pytest.raises(engine.IllegalActionError) as caught:
            engine.step(state, "redeal")
        assert caught.value.reason == "no_claim"


def widow_reasons(
    widow: str, preset: str, by_opening: bool = True, hand: str = "", **over: object
) -> list[str]:
    rules = engine.Ruleset.from_preset(preset, over, score_only=True)
    mask = parse_mask(widow)
    claims = widow_claims(mask, mask | parse_mask(hand), by_opening, rules.deal_rules)
    return names_of(claims, WIDOW_REASONS)


def test_what_entitles_a_widow() -> None:
    """Proves redeal_widow_points_below, redeal_widow_nines and redeal_widow_three_jacks."""
    assert widow_reasons("QS JD 9C", "hilyada_bg") == ["points"]
    assert widow_reasons("QS JD 9C", "livegames") == []
    assert widow_reasons("JS JD JC", "livegames") == ["three_jacks"]
    assert widow_reasons("9S 9D AC", "site_three") == []
    assert widow_reasons("9S 9D 9C", "site_three") == ["nines"]
    assert widow_reasons("9S 9D AC", "android_full", by_opening=False) == []
    assert widow_reasons("9S 9D AC", "android_full", by_opening=True) == ["nines"]
    assert widow_reasons("9S TD AC", "club_three", hand="9C 9D 9H") == ["four_nines"]
    assert widow_reasons("9S 9D 9C", "club_three", redeal_allowed_at_table=False) == []


def test_what_entitles_after_the_pass() -> None:
    rules = engine.Ruleset.from_preset("mixed_agreements").deal_rules

    def reasons(hand: str) -> list[str]:
        return names_of(passed_claims(parse_mask(hand), rules), PASSED_REASONS)

    assert reasons("9S 9C 9D 9H AS AC AD AH") == ["four_nines"]
    assert reasons("9S 9C 9D JH JS QC QD 9H") == ["four_nines", "points"]
    assert reasons("9S 9C 9D JH JS QC QD KH") == []


def test_a_widow_of_two_nines_is_claimed_by_the_declarer_and_shown_as_proof() -> None:
    rules = ruleset("club_three")
    hands = ("AS TS KS JC JD TD QC", "KH QH AC KC 9C JS QS", "AD QD KD AH TH JH 9H")
    state = after(auction(hands, "9S 9D TC", rules=rules), "pass", "pass", "take")
    assert (state.phase, state.turn, state.legal) == ("redeal", 0, ("keep", "redeal"))
    redeal = the(events_of(state, "redeal"), "redeal")
    assert (redeal["reason"], redeal["widow"]) == ("nines", ["9S", "TC", "9D"])
    assert after(state, "keep").phase == "give"


def test_a_mandatory_widow_redeal_comes_at_once() -> None:
    rules = ruleset(redeal_widow_nines="two")
    hands = ("AS TS KS JC JD TD QC", "KH QH AC KC 9C JS QS", "AD QD KD AH TH JH 9H")
    state = after(auction(hands, "9S 9D TC", rules=rules), "pass", "pass")
    assert [event.kind for event in engine.step(state, "take").events][:3] == ["widow", "redeal", "deal"]


def test_an_opened_widow_can_be_bought_over_around_the_table() -> None:
    rules = ruleset(widow_buyover="on", bid_cap="none")
    state = after(auction(HANDS, WIDOW, rules=rules), "pass", "pass", "take")
    assert (state.phase, state.turn, state.legal) == ("buy", 1, ("pass", "buy 120"))
    state, (bought,) = engine.step(state, "buy 120")
    assert bought.public() == {"event": "buy", "seat": 1, "bid": 120}
    assert [hand.bit_count() for hand in state.current.hands] == [7, 10, 7]
    assert (state.turn, state.legal) == (2, ("pass", "buy 240"))
    state = after(state, "pass")
    assert state.turn == 0  # the former owner may buy it back
    state = after(state, "pass")
    assert (state.phase, state.turn, state.current.declarer) == ("give", 1, 1)
    assert after(state, state.legal[0]).legal[0] == "contract 120"


def test_buying_over_ends_where_the_pack_ends_although_bids_are_unlimited() -> None:
    rules = ruleset(widow_buyover="on", bid_cap="none")
    state = after(auction(HANDS, WIDOW, rules=rules), "pass", "pass", "take")
    prices = []
    while state.phase == "buy":
        state = after(state, state.legal[-1])
        prices.append(state.current.bid)
    assert prices == [120, 240, 360, 360, 360]


def test_a_widow_is_bought_within_the_own_cap_only() -> None:
    rules = ruleset(widow_buyover="on")
    state = after(auction(HANDS, WIDOW, rules=rules), "pass", "bid 105", "bid 110", "bid 120", "pass", "take")
    assert (state.phase, state.turn, state.legal) == ("buy", 0, ("pass",))  # 240 is above its 120
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, "buy 240")
    assert caught.value.reason == "wrong_price"


def test_a_barrel_player_who_is_forehand_gets_his_own_widow() -> None:
    """Proves barrel_own_widow and barrel_auction."""
    before = standing((0, 880, 0), barrel=(False, True, False))
    rules = ruleset("encyclopedia_b")
    state, events = start_deal(Frame(rules, SEED, 400, 0, before), 0)
    deal = next(event for event in events if event.kind == "deal")
    assert deal.public()["widow"] == deal.data["widow"]  # opened at the deal
    assert engine.observation(state, 2).widow is not None
    state = kept(state)
    assert (state.phase, state.turn, state.current.bid) == ("widow", 1, 120)
    other = standing((880, 0, 0), barrel=(True, False, False))
    state = kept(start_deal(Frame(rules, SEED, 400, 0, other), 0)[0])
    assert (state.phase, state.current.bid) == ("auction", 100)


def test_a_bluff_is_accepted_and_fined_at_the_end() -> None:
    rules = ruleset(bid_cap_enforcement="penalty")
    state = auction(HANDS, WIDOW, rules=rules)
    state = after(state, "pass", "bid 200", "pass", "take")  # seat 2 holds no marriage
    assert state.turn == 2
    state = after(state, state.legal[0], "contract 200")
    while state.deal == 0:
        state, events = engine.step(state, state.legal[0])
    assert {"seat": 2, "cause": "bluff", "amount": -120} in the(events, "deal_end")["ledger"]


def test_a_bid_at_the_cap_is_no_bluff() -> None:
    rules = ruleset(bid_cap_enforcement="penalty")
    state = auction(HANDS, WIDOW, rules=rules)
    state = after(state, "pass", "bid 120", "pass", "take")
    assert state.current.bluffs == 0
    assert after(auction(HANDS, WIDOW, rules=rules), "pass", "bid 125").current.bluffs == 0b100


def test_without_a_forced_opening_the_last_hand_takes_the_widow_and_may_throw_the_cards() -> None:
    """Proves forced_opening and all_pass_rule."""
    state = kept(opened("thousand_one"))
    assert (state.turn, state.current.bid) == (1, 0)
    assert state.legal[:3] == ("pass", "bid 40", "bid 45")
    view = engine.observation(state, 1)
    assert (view.bid, view.bidder) == (None, None)
    state = after(state, "pass", "pass")
    assert (state.phase, state.turn) == ("widow", 0)
    state = after(state, "take")
    state = to_phase(state, "contract")
    assert (state.legal[0], state.legal[-1]) == ("contract 40", "concede")
    end = the(events_of(state, "concede"), "deal_end")
    assert (end["result"], end["after"], end["contract"]) == ("thrown", [0, 50, 50], None)


def test_in_1001_a_bid_deal_is_conceded_for_nothing_to_the_others() -> None:
    state = after(kept(opened("thousand_one")), "bid 40", "pass", "pass", "take")
    state = to_phase(state, "contract")
    assert the(events_of(state, "concede"), "deal_end")["after"] == [0, -40, 0]


def test_in_tens_the_number_is_fixed_before_the_widow_which_is_shared_out() -> None:
    """Proves contract_before_widow and widow_split."""
    state = after(kept(opened("tens")), "bid 60", "pass", "pass")
    assert (state.phase, state.turn) == ("contract", 1)
    assert state.legal[:2] == ("contract 60", "contract 70")
    assert "concede" not in state.legal  # the widow has not been seen
    state = after(state, "contract 80", "take")
    widow = {engine.card_text(card) for card in cards_of(state.current.widow)}
    gives = [action for action in state.legal if action.startswith("give")]
    assert len(gives) == 6
    assert all(set(action.split()[1:]) <= widow for action in gives)
    assert state.legal[-1] == "concede"
    state, (give,) = engine.step(state, gives[0])
    assert give.public()["cards"] == give.data["cards"]
    assert (state.phase, [hand.bit_count() for hand in state.current.hands]) == ("play", [8, 8, 8])


def test_the_cut_is_shown_to_the_dealer_and_a_nine_is_cut_again() -> None:
    """Proves cut_ritual and cut_nine."""
    rules = ruleset("home_rules", first_dealer="fixed_seat0")
    for number in range(200):
        events = engine.start(rules, engine.seed_from_int(number)).events
        cuts = [event for event in events if event.kind == "cut"]
        if len(cuts) > 1:
            break
    first, last = cuts[0], cuts[-1]
    assert first.data["card"][0] == "9"
    assert first.public()["card"] == first.data["card"]
    assert last.data["card"][0] != "9"
    if last.data["card"][0] != "J":
        assert [last.seen_by(seat)["card"] is None for seat in range(3)] == [False, True, True]
        dealt = next(event for event in events if event.kind == "deal")
        assert last.data["card"] in dealt.data["hands"][0]  # it is dealt last, to the dealer
    assert first.data["seat"] == 2  # the dealer's right neighbour


def test_three_nines_at_the_cut_are_fined_in_the_score_of_the_deal() -> None:
    """Proves cut_three_nines_penalty."""
    rules = ruleset("home_rules", cut_three_nines_penalty=120, concession_free_count=0, cut_jack="off")
    for number in range(3_000):
        state, events = engine.start(rules, engine.seed_from_int(number))
        if any(event.kind == "cut" and event.data["fined"] for event in events):
            break
    cutter = (state.current.dealer - 1) % 3
    while state.deal == 0:
        state, events = engine.step(
            state, state.legal[-1] if state.legal[-1] == "concede" else state.legal[0]
        )
    fined = {"seat": cutter, "cause": "cut_fine", "amount": -120}
    assert fined in the(events, "deal_end")["ledger"]


def test_a_dealer_may_keep_a_nine_or_have_it_cut_again() -> None:
    """Proves cut_nine."""
    rules = ruleset("blog_basic")
    for number in range(200):
        state, events = engine.start(rules, engine.seed_from_int(number))
        assert (state.phase, state.turn) == ("cut", state.current.dealer)
        if state.legal == ("keep", "redeal"):
            break
    assert events[0].data["card"][0] == "9"
    again = engine.step(state, "redeal").events[0]
    assert again.kind == "cut"
    assert after(state, "keep").phase == "redeal"


def test_with_four_players_the_dealer_sits_out_and_scores_the_widow() -> None:
    """Proves players."""
    state = to_phase(kept(opened("club_four")), "widow")
    assert state.current.active == (1, 2, 3)
    assert [hand.bit_count() for hand in state.current.hands] == [0, 7, 7, 7]
    view = engine.observation(state, 0)
    assert (view.hand, view.counts, view.widow) == ([], [0, 7, 7, 7], None)
    widow = points_of(state.current.widow)
    turns = set()
    while state.deal == 0:
        turns.add(state.turn)
        state, events = engine.step(state, state.legal[0])
    end = the(events, "deal_end")
    assert 0 not in turns
    assert sum(row["amount"] for row in end["ledger"] if row["seat"] == 0) >= widow
    assert state.current.dealer == 1


def test_the_last_of_four_players_cards_goes_to_the_widow() -> None:
    state = opened("site_four", golden=False, blind=False)
    deck = state.current
    last = shuffled_deck(SEED, 0, 0)[23]
    assert deck.widow >> last & 1


def test_the_bank_goes_from_the_third_to_the_first() -> None:
    """Proves settlement and bank_amount."""
    target = engine.Termination.TARGET
    assert make_outcome(target, (1000, 500, 300), 0, 100).settlement == (100, 0, -100)
    assert make_outcome(target, (1000, 300, 300), 0, 101, 1).settlement == (101, -50, -51)
    assert make_outcome(target, (1000, 300, 300), 0).settlement is None
    state = engine.initial_state(
        ruleset(settlement="bank_third_pays_first", bank_amount=50, deal_limit=1), SEED
    )
    while not engine.is_terminal(state):
        state = after(state, state.legal[0])
    settled = engine.outcome(state).settlement
    assert settled is not None
    assert sum(settled) == 0


def test_concessions_that_do_not_count_leave_the_deal_where_it_is_but_the_match_still_ends() -> None:
    rules = ruleset(concession_counts_as_deal=False, deal_limit=2, first_dealer="fixed_seat0")
    state = engine.start(rules, SEED, deal_cap=5).state
    dealers = [state.current.dealer]
    while not engine.is_terminal(state):
        number = state.deal
        state = after(state, state.legal[-1] if state.legal[-1] == "concede" else state.legal[0])
        if state.deal != number:
            dealers.append(state.current.dealer)
    assert set(dealers) == {0}
    assert engine.outcome(state).termination == "deal_cap"
    assert state.deal == 6


def test_with_the_ten_high_order_the_ten_takes_the_ace() -> None:
    hands = ("AS 9H", "TS 9D", "KS 9C")
    standard = after(playing(hands), "play AS", "play TS", "play KS")
    ten_high = after(playing(hands, rules=ruleset(rank_order="ten_high")), "play AS", "play TS", "play KS")
    assert (standard.turn, ten_high.turn) == (0, 1)


def test_where_silence_does_not_spare_the_opening_the_next_seat_opens() -> None:
    before = standing((0, -200, 0))
    overrides = {"silence_below": -120, "silence_spares_opening": False}
    state = opened("tournament_default", before, **overrides)
    assert (state.current.bidder, state.turn) == (2, 0)
    state = opened("tournament_default", before, silence_below=-120)
    assert (state.current.bidder, state.turn) == (1, 2)


def test_where_a_pass_is_not_final_a_passed_seat_is_asked_again_after_a_bid() -> None:
    rules = ruleset(bid_after_pass=True)
    state = after(auction(HANDS, WIDOW, rules=rules), "pass", "bid 105")
    assert state.turn == 0
    state = after(state, "pass")
    assert (state.turn, state.phase) == (1, "auction")


def test_a_jack_at_the_bottom_goes_into_the_middle_and_nobody_cuts_again() -> None:
    """Proves cut_jack."""
    rules = ruleset(cut_ritual=True, cut_jack="marry_no_recut")
    for number in range(200):
        seed = engine.seed_from_int(number)
        state, events = engine.start(rules, seed)
        if events[0].data["card"][0] == "J":
            break
    assert [event.kind for event in events].count("cut") == 1
    assert events[0].public()["card"] == events[0].data["card"]
    # Place 12 of the order of dealing belongs to forehand.
    jack = engine.parse_card(events[0].data["card"])
    assert state.current.dealt[state.current.forehand] >> jack & 1
