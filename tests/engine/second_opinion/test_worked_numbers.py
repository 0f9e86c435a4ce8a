"""Numbers the rule book states outside its worked examples."""

from typing import Any

import pytest

from tests.engine.second_opinion.bidding import bid_cap, legal_bids, legal_contracts, may_concede
from tests.engine.second_opinion.dealing import positions_of, receivers
from tests.engine.second_opinion.legal import answer, legal_cards
from tests.engine.second_opinion.points import concession_share, rounded, widow_points
from tests.engine.second_opinion.scoring import score
from tests.engine.second_opinion.settling import final_places, settlement
from tests.engine.second_opinion.values import GAMES_OF_THOUSAND, barrel_need, contradictions, values_of


def played(declarer: int, contract: int, cards: list[int], **more: Any) -> dict[str, Any]:
    tricks = [4, 2, 2] if len(cards) == 3 else [5, 5]
    return {
        "declarer": declarer,
        "contract": contract,
        "cards": cards,
        "marr": [0] * len(cards),
        "tricks": tricks,
        "forehand": 0,
        **more,
    }


def test_defenders_round_by_the_last_digit() -> None:
    for points, written in [(17, 15), (18, 20), (22, 20), (23, 25), (37, 35), (38, 40), (0, 0), (45, 45)]:
        assert rounded("nearest_5", points) == written
    assert [rounded("nearest_10", points) for points in (14, 15, 16)] == [10, 20, 20]


def test_half_a_concession_is_the_same_by_both_roundings_and_may_be_kept_exact() -> None:
    for contract in range(100, 305, 5):
        shares = {
            concession_share(values_of("-", {"concession_half_rounding": rule}), contract)
            for rule in ("bid_up_to_10", "nearest_5_half_up")
        }
        assert len(shares) == 1
    assert concession_share(values_of("-", {"concession_half_rounding": "exact"}), 105) == 52.5


def test_caps_are_those_of_the_two_sources_that_list_them() -> None:
    values = values_of("livegames")
    for suits, cap in [("", 120), ("S", 160), ("C", 180), ("D", 200), ("H", 220), ("SC", 220), ("HD", 300)]:
        assert bid_cap(values, [rank + suit for suit in suits for rank in "KQ"]) == cap
    assert bid_cap(values, [rank + suit for suit in "SCDH" for rank in "KQ"]) == 400


def test_needs_on_the_barrel_are_those_of_the_sources() -> None:
    expected = {"android_classic": 120, "android_full": 125, "android_900": 105, "club_three_1001": 125}
    for preset, need in expected.items():
        assert barrel_need(values_of(preset)) == need
    assert barrel_need(values_of("android_900", {"win_more_than_target": False})) == 100
    assert barrel_need(values_of("-", {"target_score": 1001, "barrel_need_basis": "points"})) == 121
    assert barrel_need(values_of("-", {"target_score": 1001})) == 125


def test_a_resting_dealer_scores_the_widow() -> None:
    widow = ["KH", "QH", "9S"]
    assert widow_points(values_of("club_four"), widow) == 107
    assert widow_points(values_of("site_four"), widow) == 105
    assert widow_points(values_of("thousand_one", {"players": 4}), ["9S", "9C", "9D"]) == 100


def test_the_pack_is_dealt_out_in_every_preset() -> None:
    for preset in GAMES_OF_THOUSAND:
        assert len(receivers(values_of(preset))) == 24
    assert positions_of(values_of("club_four"), "W") == [3, 7, 23]
    assert positions_of(values_of("two_player_piles"), "P") == [2, 8]
    assert positions_of(values_of("two_player_widows_2x3"), "Q") == [5, 11, 17]


def test_no_preset_contradicts_itself() -> None:
    assert {preset: contradictions(values_of(preset)) for preset in GAMES_OF_THOUSAND} == {
        preset: [] for preset in GAMES_OF_THOUSAND
    }


def test_a_golden_cycle_without_a_made_contract_starts_again_from_nothing() -> None:
    before = {"total": [-200, -240, 60], "bolts": [0, 1, 0], "golden_index": 2}
    deal = played(2, 120, [60, 40, 20], kind="golden")
    again = score(values_of("android_full"), before, deal)
    assert (again["total"], again["bolts"], again["golden_index"]) == ([0, 0, 0], [0, 0, 0], 0)
    normal = score(values_of("hilyada_bg"), before, deal)
    assert (normal["total"], normal["bolts"], normal["golden_index"]) == ([0, 0, 0], [0, 0, 0], 3)
    kept = score(values_of("hilyada_bg"), {**before, "golden_made": True}, deal)
    assert kept["total"] == [-80, -160, -180]


def test_the_deal_limit_ends_the_match_and_ties_share_a_place() -> None:
    before = {"total": [100, 300, 200], "deals": 99}
    result = score(values_of("tournament_default"), before, played(0, 100, [20, 0, 100]))
    assert result["total"] == [0, 300, 300]
    assert (result["over"], result["winner"], result["places"]) == ("deal_limit", None, [3, 1, 1])


def test_the_bank_is_paid_by_the_third_player_and_shared_by_equal_totals() -> None:
    values = values_of("livegames", {"bank_amount": 101})
    assert settlement(values, final_places([1000, 500, 300], 0), forehand=0) == [101, 0, -101]
    assert settlement(values, final_places([1000, 300, 300], 0), forehand=0) == [101, -50, -51]
    assert settlement(values, final_places([1000, 300, 300], 0), forehand=2) == [101, -51, -50]


def test_two_winners_at_once_are_told_apart_by_total_declarer_and_seat() -> None:
    plain = values_of("skill_games_plain")
    higher = score(plain, {"total": [900, 990, 0]}, played(0, 100, [100, 20, 0]))
    assert higher["winner"] == 1
    equal = score(plain, {"total": [910, 900, 990]}, played(1, 100, [0, 100, 20], forehand=2))
    assert (equal["total"], equal["winner"]) == ([910, 1000, 1010], 2)
    declarer = score(plain, {"total": [910, 900, 980]}, played(1, 100, [0, 100, 20], forehand=2))
    assert (declarer["total"], declarer["winner"]) == ([910, 1000, 1000], 1)
    first = values_of("skill_games_plain", {"win_tie_break": "declarer_total_seat"})
    assert score(first, {"total": [900, 990, 0]}, played(0, 100, [100, 20, 0]))["winner"] == 0


def test_two_penalised_newcomers_leave_an_earlier_sitter_where_he_is() -> None:
    before = {"total": [800, 860, 880], "barrel": [False, False, True], "attempts": [0, 0, 1]}
    result = score(values_of("skill_games"), before, played(0, 100, [100, 20, 0]))
    assert result["total"] == [760, 760, 880]
    assert result["attempts"] == [0, 0, 2]
    assert result["events"] == ["simultaneous0", "simultaneous1"]


@pytest.mark.parametrize(
    ("bid", "jumps", "bids"),
    [(100, "single_step", [105]), (100, "free", [105, 110, 115, 120]), (120, "free", [])],
)
def test_bids_are_steps_or_jumps_up_to_the_cap(bid: int, jumps: str, bids: list[int]) -> None:
    hand = ["AS", "TS", "KH", "JH", "9D", "QC", "JD"]
    assert legal_bids(values_of("-", {"bid_jumps": jumps}), hand, bid) == bids


def test_a_blind_game_is_broken_with_a_marriage_and_by_125_or_more() -> None:
    values = values_of("hilyada_bg")
    assert legal_bids(values, ["KS", "QS"], 120, kind="blind") == [125, 130, 135, 140, 145, 150, 155, 160]
    assert legal_bids(values, ["KS", "QC"], 120, kind="blind") == []


def test_a_contract_below_its_cap_may_be_raised_and_one_above_it_stands() -> None:
    values = values_of("skill_games")
    assert legal_contracts(values, ["KS", "9S"], 110) == [110, 115, 120]
    assert legal_contracts(values, ["KS", "9S"], 150) == [150]


def test_conceding_is_barred_as_the_two_sets_of_switches_say() -> None:
    full = values_of("android_full")
    assert may_concede(full, [False, True, False], [2, 0, 0], 0, "normal")
    assert not may_concede(full, [False] * 3, [3, 0, 0], 0, "normal")
    strict = values_of("android_full", {"concession_barrel_exempt": False})
    assert not may_concede(strict, [False, True, False], [0, 0, 0], 0, "normal")
    banned = values_of("-", {"concession_barrel_ban": "declarer_on_barrel"})
    assert may_concede(banned, [False, True, False], [0, 0, 0], 0, "normal")
    assert not may_concede(banned, [False, True, False], [0, 0, 0], 1, "normal")


def test_overtrumping_is_a_duty_only_where_it_is_agreed() -> None:
    hand, trick = ["9C", "TC", "9S"], ["QH", "KC"]
    overtrump = values_of("-", {"must_beat": "in_suit_and_trump"})
    assert legal_cards(overtrump, hand, trick, "C", False, 0) == ["TC"]
    assert legal_cards(values_of("-", {"must_beat": "in_suit"}), hand, trick, "C", False, 0) == ["9C", "TC"]
    followed = legal_cards(values_of("-", {"must_beat": "in_suit"}), ["9H", "AH"], trick, "C", False, 0)
    assert followed == ["9H", "AH"]


def test_an_optional_announcement_is_a_play_of_its_own() -> None:
    position = {"preset": "-", "overrides": {"marriage_announce": "optional"}, "phase": "play"}
    legal = answer({**position, "hand": ["KD", "QD", "9S"], "trick": [], "won": 1})["legal"]
    assert sorted(legal) == ["9S", "KD", "KD declare", "QD", "QD declare"]
