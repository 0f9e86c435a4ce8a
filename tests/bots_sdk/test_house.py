"""The house bots: deterministic, legal, and clearly of different strength."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev

import pytest

from bots_sdk.cards import POINTS, STRENGTH, beats, best_card, marriage_values
from bots_sdk.house import HOUSE_BOTS, EasyBot, RandomBot, house_artifact, house_bot
from bots_sdk.house.card_play import choose_card
from bots_sdk.house.valuation import points_as_declarer, points_before_widow, spare_cards
from bots_sdk.table import play_block, play_in_process
from engine import CARD_POINTS, CARD_TEXTS, MARRIAGE_VALUES, Ruleset
from tests.bots_sdk.samples import act

ROOT = Path(__file__).resolve().parents[2]
SHORT = Ruleset.from_preset("tournament_default", {"deal_limit": 4})
STANDARD = {"S": 40, "C": 60, "D": 80, "H": 100}


def test_the_sdks_cards_are_the_engines() -> None:
    assert {text: CARD_POINTS[card] for card, text in enumerate(CARD_TEXTS)} == POINTS
    assert {text: card % 6 for card, text in enumerate(CARD_TEXTS)} == STRENGTH
    assert marriage_values({"marriage_values": "standard"}) == MARRIAGE_VALUES
    for kind in ("standard", "clubs_high"):
        rules = Ruleset.from_preset("tournament_default", {"marriage_values": kind})
        assert tuple(marriage_values(rules.to_json()["agreements"]).values()) == rules.marriage_points


def test_a_trick_goes_to_the_highest_trump_or_the_highest_card_led() -> None:
    assert beats("AS", "TS", None)
    assert not beats("AS", "9H", None)
    assert beats("9S", "AH", "S")
    assert best_card([(2, "TH"), (0, "AH"), (1, "9S")], "S") == (1, "9S")
    assert best_card([(2, "TH"), (0, "9D"), (1, "KH")], "S") == (2, "TH")


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_a_house_bot_plays_whole_matches_the_same_way_twice(name: str) -> None:
    first, second = (play_in_process([house_bot(name) for _ in range(3)], SHORT, seed=11) for _ in range(2))
    assert first.record == second.record


@pytest.mark.parametrize("preset", ["skill_games", "skill_games_plain"])
def test_easy_plays_the_other_presets(preset: str) -> None:
    assert play_in_process([EasyBot(), EasyBot(), RandomBot()], preset, seed=3).record.actions


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_a_house_artifact_is_a_one_file_bot(name: str) -> None:
    code = house_artifact(name).decode()
    compile(code, "bot.py", "exec")
    done = subprocess.run(
        [sys.executable, "-c", code], input="", cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


PLAYED = """
import sys
from bots_sdk.house import house_bot
from bots_sdk.table import play_in_process
from engine import Ruleset
before = set(sys.modules)
rules = Ruleset.from_preset("site_three", {"deal_limit": 3})
play_in_process([house_bot(sys.argv[1]) for _ in range(3)], rules)
print(*sorted(name for name in set(sys.modules) - before if name.startswith(("bots_sdk.", "engine."))))
"""


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_an_artifact_names_all_the_code_that_decides_the_play(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, name], cwd=ROOT, capture_output=True, text=True, check=True
    )
    used = {f"{module.replace('.', '/')}.py" for module in done.stdout.split()} - RULES
    sources = set(HOUSE_BOTS[name].sources)
    assert used <= sources, used - sources
    assert all((ROOT / source).is_file() for source in sources)


RULES = {
    *(
        "bots_sdk/search.py",
        "engine/bits.py",
        "engine/position.py",
        "engine/rank_masks.py",
        "engine/solver.py",
        "engine/table_search.py",
        "engine/usual_search.py",
        "engine/whole_deal.py",
    )
}
"""What a game loads that decides nothing by itself."""


def test_an_unknown_house_bot_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no house bot 'fred'; known are random, easy, easy-cautious"):
        house_bot("fred")


def test_equal_bots_share_a_block_evenly() -> None:
    assert play_block([EasyBot, EasyBot, EasyBot], seed=5) == pytest.approx([0.5, 0.5, 0.5])


def test_marriages_and_top_cards_raise_the_estimate() -> None:
    poor = ["9S", "JS", "9C", "JC", "9D", "JD", "9H"]
    rich = ["AH", "KH", "QH", "TH", "AS", "9C", "JC"]
    assert points_before_widow(poor, STANDARD) < 60
    assert points_before_widow(rich, STANDARD) > 150
    assert points_as_declarer([*rich, "9S"], STANDARD) > 150


def test_low_cards_are_given_away_before_marriages_aces_and_covered_tens() -> None:
    hand = ["AS", "TS", "9S", "KH", "QH", "JC", "9C", "TD", "KD", "9D"]
    assert set(spare_cards(hand, STANDARD)[:3]) == {"9S", "9C", "9D"}
    assert set(spare_cards(hand, STANDARD)[-4:]) == {"AS", "TS", "KH", "QH"}


def view_of(trick: list[tuple[int, str]], **changes: object) -> object:
    """Seat 1 is on turn in the play of a deal that seat 0 declares."""
    defaults = {"phase": "play", "seat": 1, "declarer": 0, "trump": None, "trick": trick, "played": trick}
    return act(**{**defaults, **changes}).view


@pytest.mark.parametrize(
    ("trick", "cards", "expected", "why"),
    [
        ([(2, "AS")], ["TS", "9S"], "TS", "the other defender's ace holds: feed it"),
        ([(2, "9S")], ["TS", "JS"], "JS", "the ace may still come: save the ten"),
        ([(2, "KS"), (0, "JS")], ["AS", "TS", "9S"], "TS", "the trick is the other defender's: feed it"),
        ([(2, "9S"), (0, "KS")], ["AS", "TS", "9S"], "TS", "last to play: win with the ten, keep the ace"),
        ([(0, "TS")], ["AS", "9S"], "AS", "the ace is sure"),
        ([(0, "AS")], ["TS", "9S"], "9S", "lost to the declarer: throw the cheapest"),
        ([], ["AS", "TS", "9D"], "AS", "lead the ace"),
        ([], ["JS", "9D"], "9D", "lead low"),
    ],
)
def test_easy_plays_sensible_cards(
    trick: list[tuple[int, str]], cards: list[str], expected: str, why: str
) -> None:
    assert choose_card(view_of(trick, hand=cards), cards, STANDARD, remembers=False) == expected, why


def test_easy_announces_its_best_marriage_once_it_has_a_trick() -> None:
    hand = ["KS", "QS", "KH", "QH", "AC", "9D"]
    for tricks, expected in (([0, 0, 0], "AC"), ([0, 1, 0], "QH")):
        view = view_of([], hand=hand, tricks=tricks)
        assert choose_card(view, hand, STANDARD, remembers=False) == expected


def test_a_bot_that_remembers_leads_the_ten_once_the_ace_is_gone() -> None:
    view = view_of([], hand=["TS", "9D"], played=[(0, "AS"), (1, "9S"), (2, "JS")])
    assert choose_card(view, ["TS", "9D"], STANDARD, remembers=True) == "TS"
    assert choose_card(view, ["TS", "9D"], STANDARD, remembers=False) == "9D"


def test_easy_beats_random_in_every_seating() -> None:
    shares = [play_block([EasyBot, RandomBot, RandomBot], seed=seed)[0] for seed in range(2)]
    assert fmean(shares) > 0.9


@pytest.mark.thorough
def test_house_bots_are_of_different_strength() -> None:
    """Forty blocks at one table: the lower 95 % bound of the better is over the upper one of the worse."""
    names = ["easy-cautious", "easy", "easy-bold"]
    blocks = [play_block([HOUSE_BOTS[name].make for name in names], seed=seed) for seed in range(40)]
    bounds = []
    for index in range(len(names)):
        shares = [block[index] for block in blocks]
        margin = 1.96 * stdev(shares) / len(shares) ** 0.5
        bounds.append((fmean(shares) - margin, fmean(shares) + margin))
    assert all(better[0] > worse[1] for better, worse in pairwise(bounds)), bounds
