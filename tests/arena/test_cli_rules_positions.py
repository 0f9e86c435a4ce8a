"""The rule book's worked examples of caps and legal cards, asked of `thousand legal`'s engine face."""

import pytest

from engine.cases import legal_case

CAPS = [
    (88, "skill_games", {}, "AS TS KH JH 9D QC JD", 120),
    (89, "livegames", {}, "KS QS AH TH 9D 9C JD", 160),
    (91, "livegames", {}, "KD QD AH TH 9D 9S JD", 200),
    (92, "livegames", {}, "KH QH AH TH 9D 9S JD", 220),
    (94, "two_player_piles", {}, "KH QH KD QD KS QS 9S JD AC TC", 300),
    (95, "hilyada_bg", {}, "AS AC AD AH TS KH 9D", 320),
    (98, "home_rules", {"marriage_values": "clubs_high"}, "KC QC 9S JS 9D JD 9H", 220),
]


@pytest.mark.parametrize(("number", "preset", "overrides", "hand", "cap"), CAPS)
def test_how_high_a_hand_may_bid(
    number: int, preset: str, overrides: dict[str, object], hand: str, cap: int
) -> None:
    asked = {
        "preset": preset,
        "overrides": overrides,
        "phase": "auction",
        "hand": hand.split(),
        "bid": cap - 10,
    }
    answer = legal_case(asked)
    assert answer["cap"] == cap
    assert max(answer["legal"]) == (cap if preset != "hilyada_bg" else cap - 5)


def test_the_cap_of_the_contract_is_that_of_the_eight_cards_left() -> None:
    hand = ["QH", "AH", "TH", "KS", "QS", "9D", "9S", "JD"]
    asked = {"preset": "skill_games", "phase": "contract", "hand": hand, "bid": 120}
    answer = legal_case(asked)
    assert answer == {"legal": list(range(120, 165, 5)), "cap": 160}


CARDS = [
    (113, "skill_games", {}, "9S AS JC", "QH", "C", False, 0, "JC"),
    (115, "skill_games", {}, "9H AH 9S", "QH", None, False, 0, "9H AH"),
    (116, "tens", {}, "9H KH AH 9S", "QH", None, False, 0, "KH AH"),
    (118, "encyclopedia_b", {}, "AC 9C 9S", "", "C", False, 1, "9S"),
    (119, "encyclopedia_b", {}, "AC 9C", "", "C", False, 1, "AC 9C"),
    (121, "android_classic", {"must_lead_trump": True}, "AC KD QD 9S", "", "C", True, 1, "AC KD QD"),
]


@pytest.mark.parametrize(
    ("number", "preset", "overrides", "hand", "trick", "trump", "own", "won", "legal"), CARDS
)
def test_which_cards_may_be_played(
    number: int,
    preset: str,
    overrides: dict[str, object],
    hand: str,
    trick: str,
    trump: str | None,
    own: bool,
    won: int,
    legal: str,
) -> None:
    position = {
        "preset": preset,
        "overrides": overrides,
        "phase": "play",
        "hand": hand.split(),
        "trick": trick.split(),
        "trump": trump,
        "own_trump": own,
        "won": won,
    }
    assert sorted(legal_case(position)["legal"]) == sorted(legal.split())
