"""Faults and rule disputes that public programs for this game met, each tried on this engine.

What another test tries already stands in `TRIED_ELSEWHERE`, by what went wrong there; the rest is tried here.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.cards import SUIT_MASKS, SUITS
from tests.engine.positions import after, auction, events_of, playing, ruleset, standing, the

TESTS = Path(__file__).parent.parent
HANDS = ("AS TS KS QS JS 9S 9D", "AC TC KC QC JC 9C JD", "AH TH KH JH 9H QD AD")
WIDOW = "QH KD TD"

TRIED_ELSEWHERE = {
    "the winner of the trick in which the trump changes": (
        "engine/test_marriages.py::test_a_new_trump_counts_from_this_very_trick"
    ),
    "a trump that counts from the next trick only": (
        "engine/test_marriages.py::test_the_last_ace_followed_with_makes_trump_from_the_next_trick"
    ),
    "the second of two actions at once lost": (
        "arena/test_referee_match.py::test_two_answers_of_one_seat_in_one_instant_are_both_taken"
    ),
    "ranks that a table forgot": (
        "platform/replays/test_every_preset.py::test_cards_are_in_one_order_in_every_layer"
    ),
    "values in the column of names": (
        "platform/web/test_rulebook.py::test_names_and_values_stand_in_their_columns_in_every_language"
    ),
    "a table drawn late when others act first": (
        "platform/web/test_replay.py::test_the_page_draws_the_first_step_itself"
    ),
    "a wrong pass asked for again without end": (
        "arena/test_referee_faults.py::test_after_a_fault_the_mildest_action_is_played_to_the_end"
    ),
    "both cards given to one opponent": "engine/test_exchange.py::test_a_wrong_pass_is_refused",
    "points collected in defence on the barrel": (
        "engine/test_barrel.py::test_defence_on_the_barrel_is_frozen_and_shown_as_such"
    ),
    "the third deal on the barrel": "engine/test_barrel.py::test_the_third_attempt_without_a_win_costs_120",
    "the third bolt": "engine/test_scoring.py::test_the_third_bolt_costs_120_and_the_count_starts_anew",
    "the third concession": (
        "engine/test_scoring.py::test_the_third_concession_is_fined_once_or_every_third_time"
    ),
    "four nines dealt by chance": (
        "engine/test_redeal.py::test_four_nines_are_dealt_again_by_the_same_dealer_with_the_hand_shown"
    ),
    "a deal that another machine deals otherwise": (
        "engine/test_dealing.py::test_a_known_deal_never_changes"
    ),
    "an event that a stream tells later than the replay": (
        "arena/test_referee_match.py::test_each_seat_sees_every_event_once_in_order"
    ),
    "events in one burst": (
        "viewer/test_reading_aloud.py::test_rapid_steps_are_spoken_once_with_the_last_text"
    ),
    "two requests at the same moment": (
        "platform/bots/test_uploads.py::test_parallel_uploads_get_numbers_of_their_own_and_cannot_pass_the_quota"
    ),
    "a score written twice": (
        "platform/pipeline/test_crashes.py::"
        "test_the_closing_report_delivered_eight_times_at_once_rates_the_block_once"
    ),
    "a fall onto 555": "engine/test_barrel.py::test_a_fall_onto_555_is_dumped",
    "the rule names and values mixed up": (
        "platform/web/test_rulebook.py::test_every_agreement_is_listed_once_and_differences_are_marked"
    ),
    "a two-player table that half works": (
        "engine/test_two_players.py::test_hands_and_tricks_of_the_two_player_games"
    ),
    "a contract lowered after the widow": "engine/test_exchange.py::test_the_contract_cannot_be_lowered",
    "a marriage on the opening lead": (
        "engine/test_marriages.py::test_a_marriage_is_announced_only_after_a_trick_was_won"
    ),
    "two who mount the barrel in one deal": (
        "engine/test_barrel.py::test_where_one_stays_it_is_the_higher_total_and_then_the_seat_nearer_to_forehand"
    ),
    "a newcomer and a sitter": "engine/test_barrel.py::test_a_newcomer_knocks_the_sitter_off",
    "a drowned marriage": "engine/test_marriages.py::test_a_drowned_marriage_counts_nothing",
    "one card, three cards passed": (
        "engine/test_exchange.py::test_a_pass_of_another_number_of_cards_is_refused"
    ),
    "points of one side as 120 less the other's": (
        "engine/test_properties.py::test_no_card_is_lost_and_a_played_deal_has_120_points"
    ),
    "an option that leaks into another game": (
        "engine/test_match.py::test_two_rulesets_in_one_process_share_nothing"
    ),
    "illegal actions of the house's own bots": (
        "bots_sdk/test_presets.py::test_house_bots_play_every_preset_without_an_illegal_action"
    ),
    "house bots too weak to be of use": ("bots_sdk/test_house.py::test_house_bots_are_of_different_strength"),
}


@pytest.mark.parametrize("fault", TRIED_ELSEWHERE)
def test_what_is_tried_elsewhere_is_still_tried_there(fault: str) -> None:
    file, name = TRIED_ELSEWHERE[fault].split("::")
    assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8")


def scored(rules: engine.Ruleset, before: engine.Standing, **deal: Any) -> engine.DealScore:
    """Score a deal of seat 0 unless told otherwise."""
    usual: dict[str, Any] = {"declarer": 0, "contract": 100, "forehand": 0}
    usual |= {"marriages": (0, 0, 0), "tricks": (4, 2, 2)}
    return engine.score_deal(rules, before, engine.DealResult(**usual | deal))


def asked_to_bid(rules: engine.Ruleset, seed: int) -> engine.MatchState:
    """The first auction of a match; redeals are not claimed."""
    state = engine.initial_state(rules, engine.seed_from_int(seed))
    while state.phase != "auction":
        state = engine.apply(state, "keep")
    return state


def cap_on_turn(state: engine.MatchState) -> int | None:
    """The highest number that the seat on turn may name."""
    assert state.turn is not None
    return engine.observation(state, state.turn).cap


def refused(state: engine.MatchState, action: str) -> str:
    """The reason why an action is refused."""
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, action)
    return caught.value.reason


@pytest.mark.parametrize(
    ("cards", "marriage", "exact", "rounded"),
    [(118, 0, "failed", "made"), (117, 0, "failed", "failed"), (60, 60, "made", "made")],
)
def test_points_are_compared_exactly_or_rounded_once_and_marriages_never(
    cards: int, marriage: int, exact: str, rounded: str
) -> None:
    deal = {"contract": 120, "cards": (cards, 120 - cards, 0), "marriages": (marriage, 0, 0)}
    results = [scored(ruleset(declarer_rounding=how), standing(), **deal).result for how in (False, True)]
    assert results == [exact, rounded]


def test_raw_and_rounded_points_are_both_told() -> None:
    state = playing(("9S", "AH", "JH"), leader=1, tricks=(3, 2, 2), cards=(50, 39, 18))
    end = the(events_of(state, "play AH", "play JH", "play 9S"), "deal_end")
    assert (end["cards"], end["rounded"]) == ([50, 52, 18], [50, 50, 20])


@pytest.mark.parametrize(("preset", "total"), [("skill_games_plain", 1020), ("tournament_default", 880)])
def test_a_marriage_of_a_defender_in_the_last_but_one_trick_is_in_the_score(preset: str, total: int) -> None:
    barrel = preset == "tournament_default"
    before = standing((0, 880 if barrel else 905, 0), barrel=(False, barrel, False))
    hands = ("9S JS", "KH QH", "9D JD")
    state = playing(
        hands, leader=1, tricks=(3, 1, 2), cards=(50, 4, 55), rules=ruleset(preset), before=before
    )
    happened = events_of(state, *["play KH", "play JD", "play JS", "play QH", "play 9D", "play 9S"])
    first = next(event for event in happened if event.kind == "trick")
    assert first.data["taken"][1] == 4 + 8 + 100
    end = the(happened, "deal_end")
    assert {"seat": 1, "cause": "marriage", "amount": 100} in end["ledger"]
    assert end["after"][1] == total
    assert sum(row["amount"] for row in end["ledger"] if row["seat"] == 1) == total - before.total[1]


def test_after_two_passes_forehand_is_asked_for_the_contract_and_may_raise() -> None:
    state = after(auction(HANDS, WIDOW), "pass", "pass")
    assert (state.turn, state.phase) == (0, "widow")
    state = after(state, "take", "give 9D JS")
    assert state.legal[:3] == ("contract 100", "contract 105", "contract 110")
    assert "pass" not in state.legal


@pytest.mark.parametrize(("conceded", "may"), [(0, True), (2, True), (3, False)])
def test_the_last_permitted_concession_is_permitted(conceded: int, may: bool) -> None:
    before = standing(conc=(conceded, 0, 0))
    state = auction(HANDS, WIDOW, rules=ruleset(concession_limit=3), before=before)
    state = after(state, "pass", "pass", "take", "give 9D JS")
    assert ("concede" in state.legal) == may


def test_a_thousand_seeds_deal_the_same_cards_twice() -> None:
    for number in range(1000):
        seed = engine.seed_from_int(number)
        assert engine.start(ruleset(), seed) == engine.start(ruleset(), seed)


def test_the_closing_pass_is_told_before_the_widow() -> None:
    state = auction(HANDS, WIDOW)
    kinds = [event.kind for event in events_of(state, "bid 105", "pass", "pass", "take")]
    assert kinds == ["bid", "pass", "pass", "widow"]


def test_ranks_go_from_the_nine_to_the_ace_with_the_ten_below_it() -> None:
    for number, suit in enumerate(SUITS):
        expected = [rank + suit for rank in "ATKQJ9"]
        assert list(engine.card_texts(SUIT_MASKS[number])) == expected
        other = "9H" if suit != "H" else "9S"
        for high, low in pairwise(expected):
            played = events_of(playing((low, high, other)), f"play {low}", f"play {high}", f"play {other}")
            assert the(played, "trick")["seat"] == 1


def test_a_card_of_another_suit_never_takes_the_trick() -> None:
    state = playing(("9S", "AH", "TH"))
    assert the(events_of(state, "play 9S", "play AH", "play TH"), "trick")["seat"] == 0


def test_a_third_failure_and_a_third_bolt_in_one_deal_are_two_entries_and_one_fall() -> None:
    rules = ruleset(bolts_on_barrel="count")
    before = standing(
        (0, 880, 0), barrel=(False, True, False), attempts=(0, 2, 0), bolts=(0, 2, 0), run=(0, 2, 0)
    )
    score = scored(rules, before, cards=(100, 0, 20), tricks=(5, 0, 3))
    rows = [(row.cause, row.amount) for row in score.ledger if row.seat == 1]
    assert sorted(cause for cause, _ in rows) == sorted({cause for cause, _ in rows})
    assert sum(amount for _, amount in rows) == score.after.total[1] - 880
    assert ("bolt_fine", -120) in rows
    assert score.events.count("fall1") == 1
    assert score.after.falls[1] == 1


def test_marks_have_fields_of_their_own_and_numbers_are_numbers() -> None:
    state = playing(("9S", "AH", "JH"), leader=1, tricks=(0, 5, 2), cards=(0, 89, 18), declarer=1)
    end = the(events_of(state, "play AH", "play JH", "play 9S"), "deal_end")
    assert "bolt0" in end["events"]
    for name in ("cards", "rounded", "tricks", "before", "after", "attempts", "falls", "bolts", "run"):
        assert [type(value) for value in end[name]] == [int, int, int], name
    assert json.loads(json.dumps(end)) == end


def test_counted_in_tens_105_and_130_without_a_marriage_are_refused() -> None:
    auctions = [asked_to_bid(ruleset("tens"), seed) for seed in range(20)]
    state = next(state for state in auctions if cap_on_turn(state) == 120)
    assert refused(state, "bid 105") == "not_a_step"
    assert refused(state, "bid 130") == "over_cap"
    assert "bid 110" in state.legal


def test_defenders_round_to_tens_where_agreed_and_on_the_barrel_get_nothing() -> None:
    rules = ruleset(defender_rounding="nearest_10")
    before = standing((0, 880, 810), barrel=(False, True, False))
    score = scored(rules, before, cards=(46, 37, 37))
    assert score.after.total[1:] == (880, 850)


@pytest.mark.parametrize(("need", "winner"), [(120, 0), (121, None), (125, None)])
def test_what_the_barrel_needs_is_an_agreement_that_everybody_is_told(need: int, winner: int | None) -> None:
    rules = ruleset(barrel_need=need, barrel_need_basis="points")
    before = standing((880, 0, 0), barrel=(True, False, False))
    score = scored(rules, before, contract=120, cards=(120, 0, 0), tricks=(8, 0, 0))
    assert score.winner == winner
    assert rules.to_json()["agreements"]["barrel_need"] == need


def test_in_1001_bids_start_at_40_in_fives_and_only_rise_until_the_first_card() -> None:
    state = asked_to_bid(ruleset("thousand_one"), 1)
    assert state.legal[:3] == ("pass", "bid 40", "bid 45")
    assert refused(state, "bid 42") == "not_a_step"
    state = after(state, "bid 40", "pass", "pass", "take")
    while state.phase != "contract":
        state = engine.apply(state, state.legal[0])
    assert refused(state, "contract 35") == "below_bid"
    state = after(state, "contract 50")
    assert state.phase == "play"
    assert refused(state, "contract 55") == "wrong_phase"


def test_a_negative_total_bids_unless_the_table_silences_it() -> None:
    before = standing((0, -35, 0))
    assert "bid 110" in auction(HANDS, WIDOW, before=before).legal
    silent = auction(HANDS, WIDOW, before=before, rules=ruleset(silence_below=0))
    assert refused(silent, "bid 110") == "silent"


def test_king_or_queen_of_a_marriage_is_the_players_choice() -> None:
    state = playing(("KH QH", "9H JH", "9S JS"), tricks=(1, 0, 0))
    assert set(state.legal) == {"play KH", "play QH"}
    taken = {
        lead: the(events_of(state, f"play {lead}", "play 9H", "play 9S"), "trick")["taken"][0]
        for lead in ("KH", "QH")
    }
    assert taken == {"KH": 104, "QH": 103}


def test_an_announced_marriage_stays_known_to_every_seat() -> None:
    hands = ("KH QH AS", "9H JH 9S", "9C 9D JS")
    state = after(playing(hands, tricks=(1, 0, 0)), "play KH", "play 9H", "play 9C")
    state = after(state, "play QH", "play JH", "play 9D")
    for seat in range(3):
        view = engine.observation(state, seat)
        assert view.marriages == [[["H", 100]], [], []]
        assert [0, "KH"] in view.played


@pytest.mark.parametrize(
    ("changes", "legal"),
    [
        ({}, {"9D", "AD"}),
        ({"must_beat": "in_suit_and_trump"}, {"AD"}),
        ({"must_trump": False}, {"9D", "AD", "9H"}),
    ],
)
def test_after_a_ruff_a_void_player_trumps_overtrumps_or_discards_as_agreed(
    changes: dict[str, Any], legal: set[str]
) -> None:
    hands = ("AS KC", "TD 9C", "9D AD 9H")
    state = playing(hands, trump="D", trump_owner=1, rules=ruleset(**changes))
    state = after(state, "play AS", "play TD")
    assert set(state.legal) == {f"play {card}" for card in legal}


@pytest.mark.parametrize(("needs_card", "result"), [(False, "made"), (True, "failed")])
def test_two_marriages_of_one_player_are_treated_alike(needs_card: bool, result: str) -> None:
    hands = ("QH AS QD KH KD", "AH 9S AD TH TD", "JH JS JD 9H 9D")
    rules = ruleset(marriage_needs_won_card=needs_card)
    state = playing(hands, contract=180, tricks=(1, 1, 1), cards=(0, 10, 12), rules=rules)
    happened = events_of(
        state,
        *["play QH", "play AH", "play JH", "play 9S", "play JS", "play AS"],
        *["play QD", "play AD", "play JD", "play TH", "play 9H", "play KH"],
        *["play TD", "play 9D", "play KD"],
    )
    end = the(happened, "deal_end")
    assert end["marriages"][0] == [["H", 100], ["D", 80]]
    assert (end["result"], end["cards"][0]) == (result, 13)


def test_a_trick_of_three_nines_is_no_bolt_where_tricks_count_and_one_where_points_do() -> None:
    for condition, events in (("no_tricks", ()), ("no_points", ("bolt2",))):
        score = scored(ruleset(bolt_condition=condition), standing(), cards=(100, 20, 0), tricks=(5, 2, 1))
        assert score.events == events


def test_an_agreement_about_a_phase_that_does_not_come_changes_nothing_else() -> None:
    rules = ruleset("two_player_stock", blind_break_min=130)
    plain = ruleset("two_player_stock")
    seed = engine.seed_from_int(5)
    assert engine.start(rules, seed).events == engine.start(plain, seed).events


@pytest.mark.parametrize(("first_lead", "marriage"), [(False, None), (True, 100)])
def test_a_marriage_on_the_opening_lead_is_an_agreement(first_lead: bool, marriage: int | None) -> None:
    state = playing(("KH QH 9S", "9H JH JS", "TH AH QS"), rules=ruleset(marriage_first_lead=first_lead))
    assert the(events_of(state, "play KH"), "play")["marriage"] == marriage


@pytest.mark.parametrize(
    ("changes", "fine"), [({}, 120), ({"bolts_per_match": 0}, 0), ({"bolts_per_match": 5}, 0)]
)
def test_the_third_deal_without_points_costs_what_was_agreed(changes: dict[str, Any], fine: int) -> None:
    before = standing((500, 500, 500), bolts=(0, 2, 0), run=(0, 2, 0))
    score = scored(ruleset(**changes), before, cards=(100, 0, 20), tricks=(5, 0, 3))
    assert score.after.total[1] == 500 - fine


@pytest.mark.parametrize(("threshold", "total"), [(880, 850), (900, 850)])
def test_a_defender_below_the_barrel_writes_his_points_and_on_it_nothing(threshold: int, total: int) -> None:
    """A table with a barrel at 800 is not in the rule book: 880 and 900 are."""
    rules = ruleset(defender_rounding="nearest_10", barrel_threshold=threshold)
    score = scored(rules, standing((0, 810, 0)), cards=(46, 37, 37))
    assert score.after.total[1] == total
    sitter = standing((0, threshold, 0), barrel=(False, True, False))
    assert scored(rules, sitter, cards=(46, 37, 37)).after.total[1] == threshold
    with pytest.raises(engine.RulesetError, match="expected one of 880, 900"):
        ruleset(barrel_threshold=800)
