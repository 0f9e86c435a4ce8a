"""Exact numbers of action sequences: as written down, and as a plain enumerator counts them again."""

from itertools import groupby

import pytest

import engine
from tests.engine.counts.plain import counting
from tests.engine.counts.renew import FILES, Line, count, plain_position, position, read

STARTS = [list(lines) for name in FILES for _, lines in groupby(read(name), key=lambda line: line.start)]
"""Lines of one position, by depth."""
QUICK = 250
"""The quick tests stop where there are more sequences."""
CONFIRMED_QUICKLY = 25


def up_to(lines: list[Line], most: int) -> list[int]:
    """The numbers of the depths that have at most so many sequences."""
    return [line.number for line in lines if line.number <= most]


@pytest.mark.parametrize("goal", [goal for goal, _ in FILES.values()])
def test_there_are_as_many_action_sequences_as_written_down(goal: str) -> None:
    starts = [lines for lines in STARTS if f"/{goal}-" in lines[0].id]
    assert {lines[0].preset for lines in starts} == set(engine.PLAYABLE_PRESETS)
    for lines in starts:
        numbers = up_to(lines, QUICK)
        assert count(position(lines[0]), len(numbers)) == numbers, lines[0].start


def test_the_plain_enumerator_confirms_the_first_numbers() -> None:
    for lines in STARTS:
        numbers = up_to(lines, CONFIRMED_QUICKLY)
        assert counting.count(plain_position(lines[0]), len(numbers)) == numbers, lines[0].start


@pytest.mark.thorough
@pytest.mark.timeout(900)
@pytest.mark.parametrize("lines", STARTS, ids=lambda lines: lines[0].start)
def test_all_depths_count_as_written_down_by_both_methods(lines: list[Line]) -> None:
    numbers = [line.number for line in lines]
    assert count(position(lines[0]), len(numbers)) == numbers
    assert counting.count(plain_position(lines[0]), len(numbers)) == numbers


def test_a_position_is_counted_to_its_depth_and_a_finished_deal_once() -> None:
    ending = next(
        lines for lines in STARTS if lines[-1].depth == 12 and lines[-1].id.split("/")[1] == "ending-5"
    )
    state = position(ending[0])
    assert count(state, 1) == [len(engine.legal_actions(state))]
    # Twelve cards are left: with the twelfth the deal is over, and deeper there is nothing new.
    assert count(state, 13)[12] == count(state, 12)[11]
