"""Block-Elo against golden numbers worked out independently of this code."""

import json
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.ratings.elo import (
    Standing,
    block_scores,
    expected_scores,
    k_factor,
    rate,
    win_probability,
)
from thousand.ratings.ledger import Entered, LedgerError, RatedBlock, fold_ledger

GOLDEN: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("golden.json").read_text())
BLOCK_1 = ((1, 2, 3), (1, 3, 2), (2, 1, 3), (1, 2, 2), (3, 1, 2), (1, 2, 3))
BLOCK_2 = ((2, 1, 3), (1, 2, 3), (3, 2, 1), (1, 3, 2), (2, 1, 3), (1, 2, 3))
BLOCK_3 = ((1, 2, 3),) * 6


def close(values: Any, rel: float = 0.0) -> Any:
    return pytest.approx(values, abs=1e-6, rel=rel)


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_block(name: str) -> None:
    case = GOLDEN[name]
    changes = rate([Standing(rating, 0) for rating in case["ratings"]], case["places"], k=case["k"])
    assert [change.after for change in changes] == close(case["after"])
    assert [change.expected for change in changes] == close(case["expected"])
    assert [change.score for change in changes] == close(
        case.get("scores", [change.score for change in changes])
    )


@pytest.mark.parametrize(
    ("count", "k"), [(0, 192), (1, 177.777778), (2, 160), (4, 133.333333), (12, 80), (42, 32), (100, 32)]
)
def test_k_falls_with_experience_between_its_bounds(count: int, k: float) -> None:
    assert k_factor(count) == close(k)


@pytest.mark.parametrize(("difference", "probability"), [(30, 0.543066), (100, 0.640065), (200, 0.759747)])
def test_win_probability(difference: float, probability: float) -> None:
    assert win_probability(difference) == close(probability)
    assert win_probability(-difference) == close(1 - probability)


@given(st.floats(-4000, 4000))
def test_win_probability_is_the_exact_value_rounded_once(difference: float) -> None:
    with localcontext(prec=80):
        exact = 1 / (1 + Decimal(10) ** (-Decimal(difference) / 400))
    assert win_probability(difference) == float(exact)


def test_three_blocks_in_a_row_give_the_golden_ratings() -> None:
    entered = [Entered(seq=i + 1, version=i, rating=1500.0, count=0) for i in range(3)]
    after = {
        1: (1548.0, 1508.0, 1444.0),
        2: (1559.615044, 1519.813574, 1420.571382),
        3: (1619.847874, 1513.251195, 1366.900931),
    }
    blocks = [RatedBlock(4 + i, (0, 1, 2), places) for i, places in enumerate((BLOCK_1, BLOCK_2, BLOCK_3))]
    for played, ratings in after.items():
        fold = fold_ledger([*entered, *blocks[:played]])
        assert [fold.ratings[i].value for i in range(3)] == close(list(ratings))
        assert [fold.ratings[i].count for i in range(3)] == [played] * 3


def test_order_of_blocks_matters_so_the_ledger_keeps_it() -> None:
    entered = [Entered(i + 1, i, 1500.0, 0) for i in range(3)]
    forth = fold_ledger([*entered, RatedBlock(4, (0, 1, 2), BLOCK_1), RatedBlock(5, (0, 1, 2), BLOCK_3)])
    back = fold_ledger([*entered, RatedBlock(4, (0, 1, 2), BLOCK_3), RatedBlock(5, (0, 1, 2), BLOCK_1)])
    assert forth.ratings[0].value != back.ratings[0].value


def test_an_annulled_block_leaves_every_rating_as_if_it_had_not_been() -> None:
    entered = [Entered(i + 1, i, 1500.0, 0) for i in range(3)]
    without = fold_ledger([*entered, RatedBlock(5, (0, 1, 2), BLOCK_2)])
    annulled = fold_ledger(
        [*entered, RatedBlock(4, (0, 1, 2), BLOCK_1, annulled=True), RatedBlock(5, (0, 1, 2), BLOCK_2)]
    )
    assert annulled.ratings == without.ratings


def test_a_block_of_a_version_that_never_entered_is_refused() -> None:
    with pytest.raises(LedgerError, match="version 2 never entered"):
        fold_ledger([Entered(1, 0, 1500.0, 0), Entered(2, 1, 1500.0, 0), RatedBlock(3, (0, 1, 2), BLOCK_1)])


def test_entries_out_of_order_are_refused() -> None:
    with pytest.raises(LedgerError, match="entry 1 comes after entry 2"):
        fold_ledger([Entered(2, 0, 1500.0, 0), Entered(1, 1, 1500.0, 0)])


def test_a_block_of_mixed_player_counts_is_refused() -> None:
    with pytest.raises(ValueError, match="one player count"):
        block_scores([(1, 2, 3), (1, 2)])


places = st.lists(st.tuples(*[st.integers(1, 3)] * 3), min_size=1, max_size=6)
ratings = st.lists(st.floats(0, 3000), min_size=3, max_size=3)


@given(ratings, places)
def test_scores_and_expectations_share_out_the_same_total(
    numbers: list[float], matches: list[tuple[int, ...]]
) -> None:
    assert sum(block_scores(matches)) == close(1.5)
    assert sum(expected_scores(numbers)) == close(1.5)


@given(ratings, places)
def test_with_equal_k_the_sum_of_ratings_is_kept(
    numbers: list[float], matches: list[tuple[int, ...]]
) -> None:
    changes = rate([Standing(rating, 0) for rating in numbers], matches)
    assert sum(change.after for change in changes) == close(sum(numbers), rel=1e-12)


@given(ratings, st.permutations(range(3)), places)
def test_a_result_does_not_depend_on_the_seat_beyond_rounding(
    numbers: list[float], order: list[int], matches: list[tuple[int, ...]]
) -> None:
    straight = rate([Standing(rating, 0) for rating in numbers], matches)
    turned = rate(
        [Standing(numbers[i], 0) for i in order], [tuple(match[i] for i in order) for match in matches]
    )
    assert [turned[order.index(i)].after for i in range(3)] == close([c.after for c in straight], rel=1e-12)


@given(ratings, places)
def test_winning_more_never_lowers_a_rating(numbers: list[float], matches: list[tuple[int, ...]]) -> None:
    better = [(1, 2, 2) for _ in matches]
    worse = rate([Standing(rating, 0) for rating in numbers], matches)[0].after
    assert rate([Standing(rating, 0) for rating in numbers], better)[0].after >= worse
