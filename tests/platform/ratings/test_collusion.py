"""The collusion report: honest ladders hardly ever raise an alarm, planted pairs do."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from bots_sdk.house import HOUSE_BOTS
from tests.platform.ratings.real_play import BOTS as BOT_NAMES
from tests.platform.ratings.real_play import kept_blocks, tables
from tests.platform.ratings.real_play import play_block as real_block
from tests.platform.ratings.simulated_play import play_block
from thousand.ratings.collusion import (
    FALSE_ALARMS,
    KINDS,
    Defence,
    Suspicion,
    TableResult,
    expected_score,
    suspicions,
    tail,
)
from thousand.ratings.elo import block_scores
from thousand.ratings.elo_fit import FitBlock, Prior, fit

BOTS = 12
STYLE = 0.05
"""How much the share of gifts of an honest bot depends on who declares: two declarers differ by up to 0.1."""


SPREADS = (200.0, 800.0)
"""Standard deviations of strengths: of bots like each other, and of bots among which few games are open."""


def ladder(
    seed: int, blocks: int, *, gain: float = 0.0, bots: int = BOTS, spread: float = SPREADS[0]
) -> list[TableResult]:
    """Play random blocks; with bot 1 at the table bot 0 plays as if `gain` stronger, and the third pays."""
    rng = random.Random(seed)
    true = [rng.gauss(1500, spread) for _ in range(bots)]
    played: list[tuple[tuple[int, ...], Sequence[float]]] = []
    for _block in range(blocks):
        table = rng.sample(range(bots), 3)
        strengths = [true[bot] + (gain if {0, 1} <= set(table) and bot == 0 else 0.0) for bot in table]
        played.append((tuple(table), block_scores(play_block(strengths, rng))))
    return surpluses(played)


def surpluses(played: Sequence[tuple[tuple[int, ...], Sequence[float]]]) -> list[TableResult]:
    """Return what each bot scored above the chances of its Elo-fit, given tables and scores."""
    bots = sorted({bot for table, _scores in played for bot in table})
    fitted = fit(
        [FitBlock(table, tuple(round(24 * score) for score in scores), 6) for table, scores in played],
        {bot: Prior() for bot in bots},
        anchor=bots[0],
        leave_one_out=False,
    )
    values = {bot: fitted.value(bot) for bot in bots}
    return [
        TableResult(
            table,
            tuple(
                score - expected_score(values[bot], (values[other] for other in table if other != bot))
                for bot, score in zip(table, scores, strict=True)
            ),
        )
        for table, scores in played
    ]


def honest_defences(seed: int, blocks: int) -> dict[int, list[Defence]]:
    """Every bot has a rate of its own at which it throws points; who declares changes it a little."""
    rng = random.Random(seed)
    rate = [rng.uniform(0.1, 0.4) for _ in range(BOTS)]
    style = [[rng.uniform(-STYLE, STYLE) for _ in range(BOTS)] for _ in range(BOTS)]
    found: dict[int, list[Defence]] = {}
    for block in range(blocks):
        table = rng.sample(range(BOTS), 3)
        found[block] = [
            Defence(
                a,
                b,
                chances := rng.randint(3, 15),
                sum(rng.random() < rate[a] + style[a][b] for _ in range(chances)),
                hands := rng.randint(1, 6),
                round(rng.gauss(0, 12) * math.sqrt(hands)),
            )
            for a in table
            for b in table
            if a != b
        ]
    return found


def alarms(found: list[Suspicion]) -> set[tuple[str, int, int]]:
    return {(one.kind, one.bot, one.friend) for one in found if one.alarm}


def test_the_tail_of_students_t_is_close_enough() -> None:
    # Quantiles from tables: P(T > t).
    for t, freedom, p in ((2.262, 9, 0.025), (3.250, 9, 0.005), (4.297, 9, 0.001), (2.576, 1e9, 0.005)):
        assert tail(t, freedom) == pytest.approx(p, rel=0.03)
    assert tail(-2.262, 9) == pytest.approx(0.975, abs=0.001)


def test_a_pair_that_profits_together_is_found_and_nobody_else() -> None:
    found = suspicions(ladder(3, 1500, gain=250), {})
    assert ("profit", 0, 1) in alarms(found)
    assert ("victim", 0, 1) in alarms(found)
    assert all({bot, friend} == {0, 1} or bot == 0 for _kind, bot, friend in alarms(found))
    assert found[0].p <= found[-1].p


def test_a_bot_that_throws_points_to_a_friend_is_found() -> None:
    blocks = honest_defences(5, 900)
    for block, rows in blocks.items():
        blocks[block] = [
            Defence(3, 4, one.chances, one.chances, one.hands, one.shading)
            if (one.defender, one.declarer) == (3, 4)
            else one
            for one in rows
        ]
    assert alarms(suspicions([], blocks)) == {("gift", 3, 4)}


def test_a_bot_that_throws_three_points_of_ten_more_to_a_friend_is_found() -> None:
    rng, blocks = random.Random(7), honest_defences(7, 900)
    for block, rows in blocks.items():
        blocks[block] = [
            replace(one, gifts=one.gifts + sum(rng.random() < 0.4 for _ in range(one.chances - one.gifts)))
            if (one.defender, one.declarer) == (3, 4)
            else one
            for one in rows
        ]
    assert alarms(suspicions([], blocks)) == {("gift", 3, 4)}


def test_a_bot_that_leaves_the_auction_to_a_friend_is_found() -> None:
    blocks = honest_defences(6, 900)
    for block, rows in blocks.items():
        blocks[block] = [
            Defence(3, 4, one.chances, one.gifts, one.hands, one.shading + 20 * one.hands)
            if (one.defender, one.declarer) == (3, 4)
            else one
            for one in rows
        ]
    assert alarms(suspicions([], blocks)) == {("shading", 3, 4)}


def test_few_blocks_are_not_tested_and_no_blocks_are_no_error() -> None:
    assert suspicions([], {}) == []
    assert suspicions(ladder(1, 20), {}) == []
    two = [TableResult((1, 2), (0.25, -0.25)), TableResult((2, 1), (0.0, 0.0))] * 20
    assert {one.kind for one in suspicions(two, {})} <= {"profit"}


@pytest.mark.parametrize("spread", SPREADS)
def test_honest_ladders_raise_hardly_any_alarm(spread: float) -> None:
    assert sum(bool(alarms(_honest(seed, spread))) for seed in range(12)) <= 1


def _honest(seed: int, spread: float) -> list[Suspicion]:
    return suspicions(ladder(seed, 400, spread=spread), honest_defences(10_000 + seed, 400))


def test_honest_bots_of_very_unlike_strength_give_nobody_gifts() -> None:
    """Blocks that the engine played: the README's bot with the strongest house bots, and others at random."""
    blocks = kept_blocks()
    found = suspicions([], {number: block.defences for number, block in enumerate(blocks)})
    assert not alarms(found)
    assert {("gift", BOT["readme"], BOT["insane"]), ("gift", BOT["medium"], BOT["insane"])} <= {
        (one.kind, one.bot, one.friend) for one in found
    }


def test_what_a_style_gains_by_a_house_bot_is_no_matter_of_owners() -> None:
    """One that bids boldly gains by a third that defends at random: true, and nobody's doing."""
    results = surpluses([(block.table, block.scores) for block in kept_blocks()])
    house = {BOT[name] for name in HOUSE_BOTS}
    everybody, people = suspicions(results, {}), suspicions(results, {}, house)
    assert ("profit", BOT["easy-bold"], BOT["random"]) in alarms(everybody)
    assert not alarms(people)
    assert len(people) == sum(not {one.bot, one.friend} & house for one in everybody) > 0


BOT = {name: number for number, name in enumerate(BOT_NAMES)}


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_new_blocks_of_very_unlike_bots_give_nobody_gifts_either() -> None:
    rng = random.Random(17)
    played = [
        real_block(table, rng.randbytes(32))
        for table in tables(18, 150, ["random", "easy", "easy-bold", "medium", "lastcard"], always=["readme"])
    ]
    found = suspicions([], {number: block.defences for number, block in enumerate(played)})
    gifts = [one for one in found if one.kind == "gift"]
    print(f"{len(played)} blocks, largest gift {max(one.effect for one in gifts):.3f}")  # noqa: T201 - figures
    assert len(gifts) > 10
    assert not alarms(found)


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("spread", SPREADS)
def test_of_a_thousand_honest_ladders_at_most_one_in_a_hundred_raises_an_alarm(spread: float) -> None:
    runs = 1000
    loud = [alarms(_honest(seed, spread)) for seed in range(runs)]
    rate = sum(bool(found) for found in loud) / runs
    kinds = {kind: sum(kind in {one[0] for one in found} for found in loud) for kind in KINDS}
    print(f"{runs} honest ladders: {rate:.3%} raised an alarm, by kind {kinds}")  # noqa: T201 - figures
    # Three standard errors above the stated rate.
    assert rate <= FALSE_ALARMS + 3 * math.sqrt(FALSE_ALARMS * (1 - FALSE_ALARMS) / runs)


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_how_many_blocks_together_it_takes_to_find_a_pair() -> None:
    for gain in (100, 200, 300):
        for blocks in (500, 1500, 3000):
            found = [suspicions(ladder(seed, blocks, gain=gain), {}) for seed in range(20)]
            hits = sum(any(one.alarm and {one.bot, one.friend} == {0, 1} for one in run) for run in found)
            together = blocks * 6 / (BOTS * (BOTS - 1))
            print(f"gain {gain} Elo, {together:.0f} blocks together: found in {hits} of 20")  # noqa: T201
            assert gain < 300 or blocks < 3000 or hits >= 18


def test_every_pair_is_tested_once_a_kind() -> None:
    found = suspicions(ladder(2, 700), {})
    keys = [(one.kind, one.bot, one.friend) for one in found]
    assert len(keys) == len(set(keys))
    victims = {frozenset(key[1:]) for key in keys if key[0] == "victim"}
    assert victims == {frozenset(pair) for pair in combinations(range(BOTS), 2)}
