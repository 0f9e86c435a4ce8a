"""Agreements that the other tests reach only through a preset, each by itself."""

import pytest

import engine
from engine import DealResult, MatchState
from engine.cards import parse_mask
from engine.choices import may_concede
from engine.deal_rules import GOLDEN, NORMAL
from engine.dealing import ORDERS, shuffled_deck
from engine.moves import start_deal
from engine.redeal import hand_redeal_reasons
from engine.state import Frame
from tests.engine.positions import after, auction, playing, ruleset, standing

SEED = engine.seed_from_int(3)
HANDS = ("AS TS 9S JC JD 9D QC", "KH QH AC TC 9C JS KS", "AD TD KD AH TH JH 9H")
WIDOW = "QS KC QD"


def golden(**overrides: object) -> MatchState:
    rules = ruleset(golden=True, **overrides)
    return start_deal(Frame(rules, SEED, 400, 0, engine.Standing.at_start(3)), 0)[0]


def blind(**overrides: object) -> MatchState:
    rules = ruleset(blind=True, **overrides)
    state = start_deal(Frame(rules, SEED, 400, 0, engine.Standing.at_start(3)), 0)[0]
    return after(state, "blind", "pass", "pass")


def scored(
    kind: str, cards: tuple[int, ...] = (83, 22, 15), tricks: tuple[int, ...] = (4, 2, 2), **rules: object
) -> engine.DealScore:
    deal = DealResult(0, 120, cards, (80, 40, 0), tricks, 0, kind=kind)
    return engine.score_deal(ruleset(**rules), standing(), deal)


@pytest.mark.parametrize(
    "name",
    [
        "deck",
        "dealer_rotation",
        "golden_contract",
        "blind_contract",
        "blind_fail",
        "trump_choice",
        "trump_changes",
        "must_follow",
        "first_lead",
        "declarer_success",
        "barrel_attempts",
    ],
)
def test_a_fixed_agreement_takes_no_other_value(name: str) -> None:
    row = engine.AGREEMENTS[name]
    assert ruleset()[name] == row.default
    with pytest.raises(engine.RulesetError, match="always"):
        ruleset(**{name: "otherwise"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("deal_one_by_one", False),
        ("last_card_to_dealer", False),
        ("widow_position_rule", "none"),
        ("widow_position_rule", "not_first_last"),
        ("marriage_announce_not_on_lead", True),
        ("ace_marriage_no_ace_trick", False),
        ("golden_own_cards_hidden", True),
        ("barrel_defence_points", "frozen_below_120"),
    ],
)
def test_what_the_engine_satisfies_anyway_plays_the_same(name: str, value: object) -> None:
    usual, changed = ruleset(deal_limit=3), ruleset(deal_limit=3, **{name: value})
    states = [engine.initial_state(rules, SEED) for rules in (usual, changed)]
    while not engine.is_terminal(states[0]):
        assert states[0].legal == states[1].legal
        states = [engine.apply(state, state.legal[-1]) for state in states]
    assert states[0].standing == states[1].standing


def test_the_three_player_widow_avoids_the_first_and_last_three_places() -> None:
    """The order of dealing satisfies widow_position_rule and last_card_to_dealer."""
    order = ORDERS["three"]
    assert "W" not in order[:3] + order[-3:]
    assert order[-1] == "D"


@pytest.mark.parametrize(("rule", "to_widow"), [("to_widow", True), ("to_last_player", False)])
def test_four_player_last_card(rule: str, to_widow: bool) -> None:
    rules = ruleset("club_four", four_player_last_card=rule)
    state = engine.initial_state(rules, SEED)
    last = shuffled_deck(SEED, 0, state.current.redeal)[23]
    assert bool(state.current.widow >> last & 1) == to_widow


@pytest.mark.parametrize(
    ("rule", "forehand", "others"), [("off", [], []), ("any", ["three_nines"], ["three_nines"])]
)
def test_redeal_hand_three_nines(rule: str, forehand: list[str], others: list[str]) -> None:
    rules = ruleset(redeal_hand_three_nines=rule)
    hand = parse_mask("9S 9C 9D AS KD TC QH")
    assert hand_redeal_reasons(hand, True, rules) == forehand
    assert hand_redeal_reasons(hand, False, rules) == others


def test_redeal_hand_four_jacks() -> None:
    hand = parse_mask("JS JC JD JH AS 9D 9C")
    assert hand_redeal_reasons(hand, False, ruleset()) == []
    assert hand_redeal_reasons(hand, False, ruleset(redeal_hand_four_jacks=True)) == ["four_jacks"]


def test_redeal_widow_three_jacks() -> None:
    rules = ruleset(redeal_widow_three_jacks=True, redeal_style="right")
    hands = ("AS TS 9S QS QD 9D QC", "KH QH AC TC 9C KC KS", "AD TD KD AH TH JH 9H")
    state = after(auction(hands, "JS JC JD", rules=rules), "pass", "pass", "take")
    assert state.legal == ("keep", "redeal")


@pytest.mark.parametrize(("bidding", "legal"), [(("pass", "pass"), 2), (("bid 105", "pass", "pass"), 1)])
def test_redeal_widow_only_on_opening(bidding: tuple[str, ...], legal: int) -> None:
    overrides = {"redeal_widow_only_on_opening": True, "redeal_widow_points_below": 20}
    rules = ruleset(redeal_style="right", **overrides)
    state = after(auction(HANDS, WIDOW, rules=rules), *bidding, "take")
    assert (state.phase == "redeal") == (legal == 2)


def test_redeal_four_nines_with_widow() -> None:
    rules = ruleset(redeal_four_nines_with_widow=True)
    hands = ("AS TS 9S JC 9C 9D QC", "KH QH AC TC JD JS KS", "AD TD KD AH TH JH QD")
    state = after(auction(hands, "9H KC QS", rules=rules), "pass", "pass")
    events = engine.step(state, "take").events
    assert events[1].data["reason"] == "four_nines"


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"redeal_four_nines_after_pass": True}, "four_nines"),
        ({"redeal_points_below_after_pass": 30}, "points"),
    ],
)
def test_redeals_after_the_pass(rule: dict[str, object], reason: str) -> None:
    """Proves redeal_four_nines_after_pass and redeal_points_below_after_pass."""
    rules = ruleset(redeal_style="right", redeal_hand_four_nines="off", **rule)
    hands = ("AS TS AC KC AD 9H KD", "KH QH JC TC 9S 9C 9D", "JD TD JS AH TH JH QD")
    state = after(auction(hands, "KS QC QS", rules=rules), "pass", "pass", "take", "give 9H AC")
    assert (state.phase, state.turn, state.legal) == ("redeal", 0, ("keep",))
    state = after(state, "keep")
    assert (state.turn, state.legal) == (1, ("keep", "redeal"))
    assert engine.step(state, "redeal").events[0].data["reason"] == reason
    state = after(state, "keep", "keep")
    assert state.phase == "contract"


def test_bid_cap_counts_aces() -> None:
    hand = parse_mask("AS AC AD AH TS KH 9D")
    assert engine.bid_cap(hand, ruleset(ace_marriage=True)) == 320
    assert engine.bid_cap(hand, ruleset(ace_marriage=True, bid_cap_counts_aces=False)) == 120
    assert engine.bid_cap(hand, ruleset()) == 120


@pytest.mark.parametrize(("down", "public"), [(True, False), (False, True)])
def test_pass_down_when_widow_hidden(down: bool, public: bool) -> None:
    overrides = {"pass_face": "up", "widow_reveal": "never", "pass_down_when_widow_hidden": down}
    state = after(auction(HANDS, WIDOW, rules=ruleset(**overrides)), "pass", "pass", "take")
    give = engine.step(state, "give QS KC").events[0]
    assert (give.public()["cards"] == ["QS", "KC"]) == public


@pytest.mark.parametrize("kind", ["golden", "blind"])
def test_widow_and_pass_of_a_special_deal_can_be_open(kind: str) -> None:
    """Proves golden_widow_hidden, golden_pass_hidden, blind_widow_hidden and blind_pass_hidden."""
    overrides = {f"{kind}_widow_hidden": False, f"{kind}_pass_hidden": False, "pass_face": "up"}
    state = golden(**overrides) if kind == "golden" else blind(**overrides)
    state, (widow,) = engine.step(state, "take")
    give = engine.step(state, state.legal[0]).events[0]
    assert None not in (widow.public()["cards"], *give.public()["cards"])


def test_golden_declarer() -> None:
    assert golden(golden_declarer="forehand").turn == 1
    assert golden(golden_declarer="dealer").turn == 0


@pytest.mark.parametrize(("payout", "change"), [("double_contract", 240), ("double_points", 2 * 85 + 80)])
def test_golden_payout(payout: str, change: int) -> None:
    assert scored("golden", golden_payout=payout).after.total[0] == change


@pytest.mark.parametrize(("payout", "change"), [("fixed_240", 240), ("double_points", 2 * 85 + 80)])
def test_blind_payout(payout: str, change: int) -> None:
    assert scored("blind", blind_payout=payout).after.total[0] == change


@pytest.mark.parametrize("kind", ["golden", "blind"])
@pytest.mark.parametrize(
    ("points", "marriages", "total"), [(False, False, 60), (True, False, 80), (True, True, 120)]
)
def test_what_is_doubled_for_defenders(kind: str, points: bool, marriages: bool, total: int) -> None:
    """Proves golden_defenders_doubled, golden_marriages_doubled and the same of blind."""
    overrides = {f"{kind}_defenders_doubled": points, f"{kind}_marriages_doubled": marriages}
    assert scored(kind, **overrides).after.total[1] == total


@pytest.mark.parametrize("kind", ["golden", "blind"])
@pytest.mark.parametrize(("doubled", "bolts"), [(True, 2), (False, 1)])
def test_bolts_of_special_deals(kind: str, doubled: bool, bolts: int) -> None:
    """Proves golden_bolts_doubled and blind_bolts_doubled."""
    score = scored(kind, (100, 20, 0), (6, 2, 0), **{f"{kind}_bolts_doubled": doubled})
    assert score.after.bolts[2] == score.after.run[2] == bolts


def test_blind_no_raise() -> None:
    state = after(blind(blind_no_raise=False, bid_cap="none"), "take")
    state = after(state, state.legal[0])
    assert state.legal[:2] == ("contract 120", "contract 125")


def test_blind_break_min() -> None:
    rules = ruleset(blind=True, blind_break_min=130, blind_break_needs_marriage=False, bid_cap="none")
    state = start_deal(Frame(rules, SEED, 400, 0, engine.Standing.at_start(3)), 0)[0]
    assert after(state, "blind").legal[:2] == ("pass", "bid 130")


@pytest.mark.parametrize(("exempt", "may"), [(False, False), (True, True)])
def test_concession_golden_exempt(exempt: bool, may: bool) -> None:
    rules = ruleset(golden=True, concession_deduct=False, concession_golden_exempt=exempt)
    assert may_concede(rules.deal_rules, standing(), 0, GOLDEN) == may
    assert may_concede(rules.deal_rules, standing(), 0, NORMAL)


def test_ace_marriage_value() -> None:
    assert engine.AGREEMENTS["ace_marriage_value"].default == 200
    state = playing(
        ("AS AC AD AH", "TS TC TD TH", "9S 9C 9D 9H"), tricks=(1, 0, 0), rules=ruleset(ace_marriage=True)
    )
    assert ruleset().ace_marriage_value == engine.step(state, "play AS").events[0].data["marriage"] == 200


def test_late_zero_penalty() -> None:
    rules = ruleset("skill_games_plain", late_zero_penalty=100)
    nothing = DealResult(0, 100, (100, 20, 0), (0, 0, 0), (6, 2, 0), 0)
    assert engine.score_deal(rules, standing((0, 0, 850)), nothing).after.total[2] == 750
    assert engine.score_deal(rules, standing((0, 0, 845)), nothing).after.total[2] == 845


def test_barrel_in_two_player() -> None:
    deal = DealResult(0, 100, (100, 20), (0, 0), (8, 2), 0)
    for played, total in ((True, 880), (False, 950)):
        rules = ruleset("two_player_piles", barrel_in_two_player=played)
        assert engine.score_deal(rules, standing((850, 0)), deal).after.total[0] == total
