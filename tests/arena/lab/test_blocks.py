"""Blocks of the lab: who sits where, what is counted, and that equal bots are equal."""

import pytest

from arena.lab.blocks import play_block
from arena.lab.contestants import ContestantError, house_variant
from tests.arena.lab.comparisons import comparison, contestant
from tests.arena.match_orders import nowhere

SEATS = [nowhere(0), nowhere(1)]


@pytest.mark.parametrize("preset", ["tournament_default", "two_player_stock", "club_four"])
def test_identical_bots_share_a_block_evenly(preset: str) -> None:
    compared = comparison("easy", "easy", preset, mode="deal")
    block = play_block(compared, 0, SEATS, None)
    assert 2 * block.halves == compared.most_halves
    assert block.margin == pytest.approx(0)
    assert block.faults == []


def test_equal_numbers_are_equal_blocks_and_others_have_other_cards() -> None:
    compared = comparison(mode="deal")
    first, again, other = (play_block(compared, number, SEATS, None) for number in (4, 4, 5))
    assert (first.halves, first.margin, first.sides[0].play) == (
        again.halves,
        again.margin,
        again.sides[0].play,
    )
    assert first.sides[0].play != other.sides[0].play


def test_a_block_counts_every_deal_of_every_match_for_the_right_side() -> None:
    block = play_block(comparison("easy", "random", deal_limit=4), 0, SEATS, None)
    candidate, base = block.sides
    assert block.deals == sum(block.lengths) == candidate.play["deals"]
    assert base.play["deals"] == 2 * candidate.play["deals"]
    assert candidate.play["declared"] + base.play["declared"] <= block.deals
    assert candidate.times["play"].decisions == 8 * sum(1 for _deal in range(block.deals)) - 8 * (
        candidate.play["conceded"] + base.play["conceded"]
    )
    assert block.halves >= 10
    assert block.margin > 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("easy:noise", "`noise` of easy has no value; expected NAME=VALUE"),
        ("easy:nose=3", "easy has no parameter `nose`; known are optimism, noise,"),
        ("easy:noise=loud", "`noise` of easy takes a number such as 28.0, not 'loud'"),
        ("easy:noise=NaN", "`noise` of easy takes a number such as 28.0, not 'NaN'"),
        ("easy:noise=1e999", "`noise` of easy takes a number such as 28.0, not '1e999'"),
        ("hard:worlds=2.5", "`worlds` of hard takes a whole number such as 20, not '2.5'"),
        ("easy:remembers=1", "`remembers` of easy takes true or false .its own is false., not '1'"),
        ("random:luck=1", "random has no parameter `luck`; known are none at all"),
    ],
)
def test_a_variant_that_cannot_be_made_is_refused_with_what_is_known(text: str, reason: str) -> None:
    with pytest.raises(ContestantError, match=reason):
        house_variant(text)


def test_a_variant_is_another_bot_and_a_path_is_none() -> None:
    variant = contestant("easy-bold:noise=0,remembers=true")
    bot = variant.make()
    assert (bot.noise, bot.remembers, bot.optimism) == (0.0, True, 25.0)  # type: ignore[attr-defined]
    assert variant.digest != contestant("easy-bold").digest
    assert house_variant("bots/easy.py") is None
