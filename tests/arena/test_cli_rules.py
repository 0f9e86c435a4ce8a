"""`thousand presets` and `thousand rules`, as their user types them."""

import io
import json
import re
import sys

import pytest

from arena.cli import main
from engine import AGREEMENTS, GROUPS, PLAYABLE_PRESETS, PRESETS, Ruleset
from engine.explain import explain
from engine.explain_score import event_words


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def] # a small closure
    """Run a command line; return exit code, output and errors."""

    def run(*words: str) -> tuple[int, str, str]:
        try:
            code = main(words)
        except SystemExit as end:
            code = int(end.code or 0)
        output = capfd.readouterr()
        return code, output.out, output.err

    return run


@pytest.mark.parametrize("name", ["presets", "rules", "score", "legal"])
def test_each_command_explains_itself(command, name: str) -> None:
    code, out, _ = command(name, "--help")
    assert code == 0
    assert f"usage: thousand {name}" in out


def test_presets_lists_every_preset_and_why_one_is_not_played(command) -> None:
    code, out, _ = command("presets")
    assert code == 0
    for name, preset in PRESETS.items():
        line = next(line for line in out.splitlines() if line.startswith(f"{name} "))
        assert preset.title in line
        assert ("  yes  " in line) == (name in PLAYABLE_PRESETS)
    assert "mariage_chips is not played: preset mariage_chips is another game" in out


def test_presets_as_json(command) -> None:
    rows = json.loads(command("presets", "--json")[1])
    assert [row["preset"] for row in rows] == list(PRESETS)
    assert [row["preset"] for row in rows if row["playable"]] == list(PLAYABLE_PRESETS)
    four = next(row for row in rows if row["preset"] == "club_four")
    assert four["players"] == 4
    assert four["title"] == PRESETS["club_four"].title
    assert all((row["reason"] is None) == row["playable"] for row in rows)


def test_rules_are_words_differences_and_all_agreements_by_group(command) -> None:
    code, out, _ = command("rules", "android_900", "--set", "bolts_per_match=5")
    assert code == 0
    assert out.startswith("android_900 with 1 changes: The Android app, barrel at 900")
    words, differences, *_ = out.split("Differs from tournament_default in ")
    assert "At 900 a player sits on the barrel" in words
    assert "Every fifth bolt of a match costs 120." in words
    assert "barrel_threshold = 900 instead of 880: Where the barrel stands." in differences
    assert "bolts_per_match = 5 instead of 3" in differences
    after = differences[differences.index("Table, target and session") :]
    assert [line for line in after.splitlines() if line in GROUPS] == list(GROUPS)[:-1]
    for agreement in AGREEMENTS:
        assert (f"  {agreement} = " in after) == (not agreement.startswith("mar_"))
    assert "`thousand rules mariage_chips` lists them." in " ".join(after.split())


def test_the_other_game_is_told_apart_and_no_rule_of_thousand_is_told_of_it(command) -> None:
    code, out, _ = command("rules", "mariage_chips")
    assert code == 0
    assert "Not played: preset mariage_chips is another game" in out
    assert "Mariage with chips is another game than Thousand" in out
    listed = [line.split(" = ")[0].strip() for line in out.splitlines() if " = " in line]
    assert listed == [agreement for agreement in AGREEMENTS if agreement.startswith("mar_")]
    assert not re.search("barrel|bolt|widow|contract|auction|seven cards|differs", out, re.IGNORECASE)
    rows = json.loads(command("presets", "--json")[1])
    assert next(row for row in rows if row["preset"] == "mariage_chips")["players"] == 6


@pytest.mark.parametrize("name", ["score", "legal"])
def test_nothing_of_the_other_game_is_scored(command, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line = b'{"preset": "mariage_chips", "phase": "play", "hand": ["QH"], "before": {}, "deal": {}}'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))
    code, out, err = command(name)
    assert (code, out) == (2, "")
    assert "line 1: preset mariage_chips is another game" in err


def test_the_default_ruleset_differs_in_nothing(command) -> None:
    code, out, _ = command("rules")
    assert code == 0
    assert "Every agreement is as in tournament_default." in out
    assert Ruleset.from_preset("tournament_default").digest in out


def test_rules_as_json_can_be_read_back(command) -> None:
    code, out, _ = command("rules", "tens", "--set", "deal_limit=40", "--json")
    assert code == 0
    read = json.loads(out)
    ruleset = Ruleset.from_json({"preset": read["preset"], "agreements": read["agreements"]})
    assert ruleset.digest == read["digest"]
    assert ruleset.deal_limit == 40
    assert read["differences"]["deal_limit"] == {"value": 40, "base": 100}
    assert read["explanation"][-1]["title"] == "End"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["bridge"], "preset='bridge' is not possible; expected one of tournament_default"),
        (["skill-game"], "preset='skill-game' is not possible; did you mean skill_games or"),
        (["mariage_chips", "--set", "mar_players=7"], "preset mariage_chips is another game"),
        (["tens", "--set", "barell=false"], "no agreement 'barell'; did you mean barrel?"),
        (["tens", "--set", "must_beat=insuit"], "must_beat='insuit' is not possible; did you mean in_suit?"),
        (["tens", "--set", "bid_step=7"], "bid_step=7 is not possible; expected one of 1, 5, 10"),
        (["tens", "--set", "bid_step"], "--set bid_step has no value"),
        (["tens", "--set", "sleep=1"], "there is no agreement 'sleep'"),
        (["tens", "--set", "barrel=false", "--set", "win_only_from_barrel=true"], "contradicts barrel=false"),
    ],
)
def test_what_is_no_ruleset_is_one_line_and_exit_code_2(command, words: list[str], reason: str) -> None:
    code, out, err = command("rules", *words)
    assert (code, out) == (2, "")
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_told_in_short_sentences(preset: str) -> None:
    ruleset = Ruleset.from_preset(preset, score_only=True)
    for chapter in explain(ruleset):
        assert all(sentence.endswith(".") and "%" not in sentence for sentence in chapter.sentences)
        assert all(len(sentence) <= 180 for sentence in chapter.sentences)
        assert len(set(chapter.sentences)) == len(chapter.sentences)


SAID = [
    ({"concession": False}, "Every contract is played: the declarer cannot concede."),
    ({"deal_limit": 40}, "After 40 deals the match ends"),
    ({"golden": True}, "The match begins with one golden deal for each player"),
    ({"blind": True, "blind_who": "dealer"}, "The dealer may undertake 120 before looking at the cards."),
    ({"must_beat": "in_suit_and_trump"}, "The best card so far must be beaten if possible"),
    ({"ace_marriage": True, "ace_marriage_trump": "cancel"}, "there is no trump any more"),
    ({"silence_below": -120}, "Who has less than −120 points may only pass."),
    ({"barrel": False, "win_only_from_barrel": False}, "The first player with 1000 points wins."),
    ({"bolts_per_match": 0, "bolts_in_a_row": 3}, "Three bolts in a row cost 120."),
    ({"dump_truck_minus": False}, "A total of exactly 555 falls to 0."),
    ({"widow_buyover": "on"}, "Another player may buy the open widow"),
]


@pytest.mark.parametrize(("changes", "sentence"), SAID, ids=lambda value: str(value)[:40])
def test_a_changed_value_changes_the_words(changes: dict[str, object], sentence: str) -> None:
    def told(ruleset: Ruleset) -> str:
        return " ".join(sentence for chapter in explain(ruleset) for sentence in chapter.sentences)

    assert sentence in told(Ruleset.from_preset("tournament_default", changes, score_only=True))
    assert sentence not in told(Ruleset.from_preset("tournament_default"))


def test_words_can_be_translated_before_values_are_put_in() -> None:
    asked: list[str] = []

    def translate(text: str) -> str:
        asked.append(text)
        return text.upper() if "%(" not in text else text

    chapters = explain(Ruleset.from_preset("tournament_default"), translate)
    assert "NOBODY MUST BEAT A CARD." in chapters[3].sentences
    assert "At %(threshold)d a player sits on the barrel: from there on the total stands still." in asked


def test_events_have_words() -> None:
    assert event_words("bolt_penalty1") == "seat 1 pays the fine for bolts"
    assert event_words("sit0") == "seat 0 sits down on the barrel"
    assert event_words("something") == "something"
