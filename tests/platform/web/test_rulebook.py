"""Rules pages: any preset in words, its differences, its agreements and the tests that prove them."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from engine import AGREEMENTS, PRESETS, Ruleset
from tests.platform.web.page_reading import read_page
from thousand.tournaments.services import create_ladder
from thousand.web.rulebook import agreement_groups, agreement_tests, proofs, related, values_by_preset

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_page_in_words_with_its_digest(client: Client, preset: str) -> None:
    answer = client.get(reverse("web:rules", args=[preset]))
    assert answer.status_code == 200
    page = read_page(answer.text)
    assert page.problems == []
    ruleset = Ruleset.from_preset(preset, score_only=True)
    assert ruleset.digest in page.text
    number = len(ruleset.changes())
    words = f"{number} difference" if number else "all others are compared with it"
    assert (words in page.text) == (preset != "mariage_chips")
    assert "%(" not in answer.text


def test_the_page_of_the_other_game_tells_no_rule_of_thousand(client: Client) -> None:
    page = read_page(client.get(reverse("web:rules", args=["mariage_chips"])).text)
    assert page.problems == []
    told = page.text.partition("In short")[2].partition("Canonical values")[0]
    assert "Mariage with chips is another game than Thousand" in told
    assert "mar_jester_pay" in told
    assert not re.search("barrel|bolt|widow|contract |auction|seven cards|♥ 100", told)


def test_a_preset_that_is_not_played_says_why(client: Client) -> None:
    text = read_page(client.get(reverse("web:rules", args=["mariage_chips"])).text).text
    assert "The arena does not play this preset: preset mariage_chips is another game" in text
    assert "does not play" not in client.get(reverse("web:rules", args=["skill_games"])).text


def test_the_barrel_is_told_where_there_is_one(client: Client) -> None:
    with_barrel = read_page(client.get(reverse("web:rules", args=["tournament_default"])).text).text
    assert "At 880 a player sits on the barrel" in with_barrel
    assert "After 100 deals the match ends" in with_barrel
    plain = read_page(client.get(reverse("web:rules", args=["skill_games_plain"])).text).text
    assert "The first player with 1000 points wins." in plain
    assert "a player sits on the barrel" not in plain


def test_every_agreement_is_listed_once_and_differences_are_marked() -> None:
    groups = agreement_groups(Ruleset.from_preset("skill_games_plain"))
    rows = [row for group in groups for row in group.rows]
    other = [
        row
        for group in agreement_groups(Ruleset.from_preset("mariage_chips", score_only=True))
        for row in group.rows
    ]
    assert [row.id for row in rows + other] == list(AGREEMENTS)
    differing = {row.id for row in rows if row.differs}
    assert "barrel" in differing
    assert differing == set(Ruleset.from_preset("skill_games_plain").changes())
    assert sum(group.differing for group in groups) == len(differing)


@pytest.mark.django_db
def test_a_ladder_shows_rules_that_are_no_preset(client: Client) -> None:
    create_ladder(name="Fives", slug="fives", preset="tournament_default", agreements={"bolts_per_match": 5})
    page = read_page(client.get(reverse("web:ladder_rules", args=["fives"])).text)
    assert page.problems == []
    assert "a ruleset of its own" in page.text
    assert "1 difference from tournament_default" in page.text
    assert "Every fifth bolt of a match costs 120." in page.text


@pytest.mark.parametrize("agreement", [*AGREEMENTS][::9])
def test_an_agreement_has_a_page(client: Client, agreement: str) -> None:
    page = read_page(client.get(reverse("web:agreement", args=[agreement])).text)
    assert page.problems == []
    assert agreement in page.text
    assert AGREEMENTS[agreement].effect in page.text


def test_an_agreement_lists_the_presets_by_value_and_its_tests_with_their_text() -> None:
    values = dict(values_by_preset(AGREEMENTS["bolts_per_match"]))
    assert "encyclopedia_b" in values["5"]
    assert sum(len(names) for names in values.values()) == len(PRESETS)
    assert related(AGREEMENTS["bolts_in_a_row"]) == ["penalty_amount", "bolt_declarer"]
    proof = proofs("bolts_in_a_row")[0]
    assert proof.source.split("(")[0].split()[-1] == proof.node.partition("::")[2]
    assert "_" not in proof.title


def test_every_test_that_is_named_exists() -> None:
    nodes = {node for tests in agreement_tests().values() for node in tests}
    assert nodes
    gone = [
        node
        for node in nodes
        if f"def {node.split('::')[1].split('[')[0]}(" not in (ROOT / node.split("::")[0]).read_text()
    ]
    assert gone == [], "run: python tools/make_agreement_tests.py"


def test_a_test_proves_what_it_sets_and_not_what_it_only_reads(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("tool", ROOT / "tools" / "make_agreement_tests.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    tests = tmp_path / "tests" / "engine"
    tests.mkdir(parents=True)
    (tests / "test_small.py").write_text(
        'CASES = [{"bid_step": 10}]\n'
        "def test_a():\n    play(bolts_per_match=5, barrel=True)\n"
        'def test_b():\n    assert view["barrel"] == [False]\n'
        "@parametrize(CASES)\ndef test_c():\n    pass\n"
    )
    examples = tests / "examples"
    examples.mkdir()
    case = {"n": 7, "title": "five bolts", "overrides": {"bolts_per_match": 5}}
    (examples / "scores.json").write_text(json.dumps([case]))
    (examples / "agreements.json").write_text('{"7": ["bolt_declarer"]}')
    tool.ROOT, tool.EXAMPLES = tmp_path, examples
    example = "tests/engine/test_scoring.py::test_worked_example[7 five bolts]"
    assert tool.agreement_tests() == {
        "bid_step": ["tests/engine/test_small.py::test_c"],
        "bolts_per_match": [example, "tests/engine/test_small.py::test_a"],
        "bolt_declarer": [example],
        "barrel": ["tests/engine/test_small.py::test_a"],
    }
    assert json.loads((ROOT / "platform/thousand/web/agreement_tests.json").read_text())


@pytest.mark.parametrize("language", ["en", "ru", "uk", "bg", "pl", "fr"])
def test_names_and_values_stand_in_their_columns_in_every_language(client: Client, language: str) -> None:
    """There is one catalogue, English: readers of other languages get it whole, and no number moves."""
    answer = client.get(reverse("web:rules", args=["home_rules"]), headers={"Accept-Language": language})
    table = answer.text.partition('id="values-title"')[2].partition("</section>")[0]
    cards = re.findall(
        r'<th scope="row">(\w+) <span class="muted">(\w+)</span></th><td class="number">(\d+)<', table
    )
    assert cards == [
        ("Ace", "A", "11"), ("Ten", "10", "10"), ("King", "K", "4"),
        ("Queen", "Q", "3"), ("Jack", "J", "2"), ("Nine", "9", "0"),
    ]  # fmt: skip
    marriages = re.findall(r"</span> (\w+)</dt><dd class=\"number\">(\d+)<", table)
    assert marriages == [("spades", "40"), ("clubs", "60"), ("diamonds", "80"), ("hearts", "100")]
    rows = re.findall(r"<code>(\w+)</code></a>.*?<td><code>(.*?)</code></td>", answer.text, re.DOTALL)
    values = dict(rows)
    for name, shown in (("silence_below", "-120"), ("concession_share", "fixed_60"), ("golden", "false")):
        assert values[name] == shown
