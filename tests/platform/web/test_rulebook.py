"""Rules in words: the sentences follow the values."""

import pytest

from engine import PLAYABLE_PRESETS, Ruleset
from engine.agreements import AGREEMENTS
from thousand.web.rulebook import agreement_groups, sentences, value_text


@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_every_playable_preset_has_eight_sentences(preset: str) -> None:
    found = sentences(Ruleset.from_preset(preset))
    assert len(found) == 8
    assert all(sentence.endswith(".") and "%(" not in sentence for sentence in found)


def test_the_barrel_is_told_where_there_is_one() -> None:
    with_barrel = sentences(Ruleset.from_preset("tournament_default"))[-1]
    assert "At 880 a player sits on the barrel" in with_barrel
    assert "contract of 120" in with_barrel
    assert "After 100 deals the highest total wins." in with_barrel
    plain = sentences(Ruleset.from_preset("skill_games_plain"))[-1]
    assert plain == "The first player with 1000 points wins."


def test_a_changed_value_changes_its_sentence() -> None:
    ruleset = Ruleset.from_preset("tournament_default", {"concession": False, "deal_limit": 40})
    found = sentences(ruleset)
    assert found[3] == "Every contract is played: the declarer cannot concede."
    assert "After 40 deals" in found[-1]


def test_every_agreement_is_listed_once_and_differences_are_marked() -> None:
    groups = agreement_groups(Ruleset.from_preset("skill_games_plain"))
    rows = [row for group in groups for row in group.rows]
    assert [row.id for row in rows] == list(AGREEMENTS)
    differing = {row.id for row in rows if row.differs}
    assert "barrel" in differing
    assert differing == set(Ruleset.from_preset("skill_games_plain").changes())
    assert sum(group.differing for group in groups) == len(differing)


def test_values_are_written_as_in_json() -> None:
    assert [value_text(value) for value in (None, True, 5, "half", {})] == ["null", "true", "5", "half", "{}"]
