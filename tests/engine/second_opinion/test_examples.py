"""Every worked example of the rule book, through the second opinion."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.second_opinion.bidding import bid_cap, hand_redeal_reasons, widow_redeal_reasons
from tests.engine.second_opinion.dealing import positions_of
from tests.engine.second_opinion.legal import announcement, answer, trick_winner
from tests.engine.second_opinion.scoring import score
from tests.engine.second_opinion.values import Values, values_of

EXAMPLES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "examples.json").read_text(encoding="utf-8")
)
SCORE_CASES = [case for case in EXAMPLES if case["kind"] == "score"]
RULE_CASES = {case["n"]: case for case in EXAMPLES if case["kind"] == "rule"}


def cards(text: str) -> list[str]:
    """The cards written with suit symbols in a text, in order."""
    found = []
    for index, letter in enumerate(text[:-1]):
        if letter in "9JQKTA" and text[index + 1] in "♠♣♦♥":
            found.append(letter + "SCDH"["♠♣♦♥".index(text[index + 1])])
    return found


def play(case: dict[str, Any], hand: list[str], **position: Any) -> list[str]:
    question = {"preset": case["preset"], "overrides": case["overrides"], "phase": "play", "hand": hand}
    return list(answer({**question, **position})["legal"])


def hand_cap(values: Values, case: dict[str, Any]) -> int | None:
    return bid_cap(values, cards(case["input"].split("(")[0]))


THREE_NINES = ["9S", "9C", "9D", "AS", "KD", "TC", "QH"]  # the "same hand" of 101 and 103

ANSWERS: dict[int, Callable[[Values, dict[str, Any]], Any]] = {
    88: hand_cap,
    89: hand_cap,
    91: hand_cap,
    92: hand_cap,
    94: hand_cap,
    95: hand_cap,
    97: hand_cap,
    98: hand_cap,
    100: lambda values, case: hand_redeal_reasons(values, cards(case["input"]), forehand=False),
    101: lambda values, case: hand_redeal_reasons(values, THREE_NINES, forehand=False),
    103: lambda values, case: hand_redeal_reasons(values, THREE_NINES, forehand=True),
    104: lambda values, case: hand_redeal_reasons(values, cards(case["input"]), forehand=False),
    106: lambda values, case: [
        bool(
            hand_redeal_reasons(
                {**values, "redeal_hand_points_below": below}, cards(case["input"]), forehand=False
            )
        )
        for below in (13, 14, 15)
    ],
    107: lambda values, case: [
        widow_redeal_reasons(
            {**values, "redeal_widow_points_below": below}, cards(case["input"]), [], by_opening=False
        )
        for below in (6, 5)
    ],
    109: lambda values, case: widow_redeal_reasons(values, cards(case["input"]), [], by_opening=False),
    110: lambda values, case: [
        widow_redeal_reasons(values, cards(widow), [], by_opening=False)
        for widow in case["input"].split(" / ")
    ],
    112: lambda values, case: [
        widow_redeal_reasons(values, ["9S", "9D", "AC"], [], by_opening=by_opening)
        for by_opening in (False, True)
    ],
    113: lambda values, case: play(case, ["9S", "AS", "JC"], trick=["QH"], trump="C"),
    115: lambda values, case: play(case, ["9H", "AH", "9S"], trick=["QH"]),
    116: lambda values, case: play(case, ["9H", "KH", "AH", "9S"], trick=["QH"]),
    118: lambda values, case: play(case, ["AC", "9C", "9S"], trump="C", won=1),
    119: lambda values, case: play(case, ["AC", "9C"], trump="C", won=1),
    121: lambda values, case: play(case, ["AC", "KD", "QD", "9S"], trump="C", own_trump=True, won=1),
    122: lambda values, case: [
        trick_winner(values, ["KH", "TH", "QH"], None),
        trick_winner(values, ["AH", "9C", "TH"], "C"),
    ],
    124: lambda values, case: [announcement(values, ["KD", "QD", "9S"], "KD", won)[1] for won in (0, 1)],
    125: lambda values, case: announcement(values, ["KS", "QS", "9H"], "QS", 0)[1],
    127: lambda values, case: [
        announcement(values, ["AS", "AC", "AD", "AH", "9S"], "AS", won)[1] for won in (0, 1)
    ],
    128: lambda values, case: announcement(values, ["AS", "AC", "AD", "9S"], "AS", 2)[1],
    130: lambda values, case: positions_of(values, "W") + [len(positions_of(values, seat)) for seat in "FMD"],
}


@pytest.mark.parametrize("case", SCORE_CASES, ids=lambda case: f"{case['n']}: {case['title']}")
def test_the_second_opinion_scores_a_worked_example_as_the_rule_book_does(case: dict[str, Any]) -> None:
    values = values_of(case["preset"], case["overrides"])
    result = score(values, case["before"], case["deal"])
    assert {key: result[key] for key in case["expect"]} == case["expect"]


@pytest.mark.parametrize("case", RULE_CASES.values(), ids=lambda case: f"{case['n']}: {case['title']}")
def test_the_second_opinion_answers_a_rule_question_as_the_rule_book_does(case: dict[str, Any]) -> None:
    values = values_of(case["preset"], case["overrides"])
    assert ANSWERS[case["n"]](values, case) == case["expect"]


def test_no_worked_example_is_left_out() -> None:
    assert len(SCORE_CASES) + len(RULE_CASES) == len(EXAMPLES) == 87
    assert set(ANSWERS) == set(RULE_CASES)
