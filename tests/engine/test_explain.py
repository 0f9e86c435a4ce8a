"""A ruleset in words: no agreement that changes play goes untold."""

from collections.abc import Iterator

from engine import AGREEMENTS, Agreement, Ruleset, RulesetError
from engine.agreements.model import Always, Flag, Number, OneOf, SuitValues
from engine.explain import explain

TELLING = (
    "android_full", "mixed_agreements", "thousand_one", "tens", "club_four", "home_rules", "livegames_golden",
    "two_player_piles",
)  # fmt: skip
"""Presets that together have something to say in every chapter."""

PLAYED_ALIKE = {
    "deal_one_by_one", "last_card_to_dealer", "widow_position_rule", "barrel_defence_points",
    "ace_marriage_value", "ace_marriage_no_ace_trick",
}  # fmt: skip
"""All values of these lead to the same play, or there is only one."""
ONLY_TOGETHER = {
    "players", "two_player_mode", "forced_opening", "all_pass_rule", "marriage_values",
    "pass_down_when_widow_hidden",
}  # fmt: skip
"""Changed alone these contradict another agreement or mean nothing."""


def values(row: Agreement) -> list[object]:
    match row.type:
        case Flag():
            return [True, False]
        case OneOf(words):
            return list(words)
        case Number(least, most, optional):
            return [least, most, *([None] if optional else [])]
        case _:
            return []


def words(ruleset: Ruleset) -> str:
    return "\n".join(sentence for chapter in explain(ruleset) for sentence in chapter.sentences)


def retold(row: Agreement) -> Iterator[bool]:
    for preset in TELLING:
        base = Ruleset.from_preset(preset, score_only=True)
        for value in values(row):
            if value != base[row.id]:
                try:
                    yield words(Ruleset.from_preset(preset, {row.id: value}, score_only=True)) != words(base)
                except RulesetError:
                    continue


def test_every_agreement_that_changes_play_changes_the_words() -> None:
    untold = {
        row.id
        for row in AGREEMENTS.values()
        if row.is_rule
        and not row.id.startswith("mar_")
        and not isinstance(row.type, Always | SuitValues)
        and not any(retold(row))
    }
    assert untold <= PLAYED_ALIKE | ONLY_TOGETHER
    assert untold >= PLAYED_ALIKE


def test_what_can_only_be_changed_together_is_told_too() -> None:
    free = {"forced_opening": False, "all_pass_rule": "last_hand_takes"}
    assert "Nobody must bid" in words(Ruleset.from_preset("tournament_default", free, score_only=True))
    hidden = {"pass_face": "up", "widow_reveal": "never"}
    told = words(Ruleset.from_preset("tournament_default", hidden, score_only=True))
    assert "After a hidden widow the cards are passed face down." in told
    own = {"marriage_values": "custom", "marriage_values_map": {"S": 1, "C": 2, "D": 3, "H": 4}}
    assert "♠ 1, ♣ 2, ♦ 3, ♥ 4" in words(Ruleset.from_preset("tournament_default", own, score_only=True))
    assert "Two players get nine cards each" in words(Ruleset.from_preset("two_player_widows_2x3"))


def test_a_ban_of_concessions_is_told_where_it_holds() -> None:
    """What costs the declarer nothing is not banned by concession_barrel_ban (Rules §8)."""
    ban = {"concession_barrel_ban": "anyone_on_barrel"}
    sentence = "While somebody sits on the barrel nobody may concede."
    assert sentence in words(Ruleset.from_preset("tournament_default", ban))
    free = Ruleset.from_preset("tournament_default", {**ban, "concession_deduct": False})
    assert sentence not in words(free)
    barred = {**ban, "concession_deduct": False, "concession_barrel_exempt": False}
    assert sentence in words(Ruleset.from_preset("tournament_default", barred))
