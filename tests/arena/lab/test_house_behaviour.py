"""How the house bots behave, by level: legal, deterministic, each stronger than the one below.

What runs by default are a few deals with fixed seeds. The figures of docs/strength.md are measured by
`thousand lab`, times among them; the sweeps here look for the same things again.
"""

import os
from collections.abc import Sequence

import pytest

from arena.clock import ManualClock
from arena.cores import usable_cores
from arena.lab.blocks import Block, Comparison, Mode, play_block
from arena.lab.inside import InsideTable
from arena.lab.verdicts import elo, points_a_deal
from arena.lab.workers import play_blocks
from arena.referee import play_match
from bots_sdk import Bot
from bots_sdk.house import HOUSE_BOTS, house_bot
from bots_sdk.messages import Act, Hello
from engine import PLAYABLE_PRESETS, Ruleset
from tests.arena.lab.comparisons import comparison
from tests.arena.match_orders import make_order, nowhere

LEVELS = [name for name in ("random", "easy", "medium", "hard", "insane") if name in HOUSE_BOTS]
"""From the weakest."""
THINKING = [name for name in LEVELS if name not in ("random", "easy")]
SEATS = [nowhere(0), nowhere(1)]
FAST = {"hard": "hard:worlds=2,bids=4,gifts=1", "insane": "insane:worlds=3,bids=6,gifts=1"}
"""Variants that think little, where only what they may do is looked at."""


def blocks_of(compared: Comparison, numbers: Sequence[int]) -> list[Block]:
    return [play_block(compared, number, SEATS, None) for number in numbers]


def measured(candidate: str, base: str, blocks: int, mode: Mode) -> list[Block]:
    """Many blocks on all cores."""
    return list(play_blocks(comparison(candidate, base, mode=mode), range(blocks), len(usable_cores()), ""))


STEPS = [("random", "easy"), ("easy", "medium"), ("medium", "hard")]


@pytest.mark.parametrize(("weaker", "stronger"), STEPS)
def test_every_level_wins_points_from_the_one_below(weaker: str, stronger: str) -> None:
    """The same deals always: a change of play that costs a level its lead shows here first."""
    decks = {"random": 8, "easy": 24, "medium": 10}[weaker]
    blocks = blocks_of(comparison(stronger, weaker, mode="deal"), range(decks))
    assert [fault for block in blocks for fault in block.faults] == []
    assert points_a_deal(blocks).value > {"random": 20, "easy": 4, "medium": 0}[weaker]


@pytest.mark.parametrize("name", THINKING)
def test_a_deal_among_equals_is_shared_evenly(name: str) -> None:
    (block,) = blocks_of(comparison(name, name, mode="deal"), [1])
    assert (block.halves, block.margin, block.faults) == (6, pytest.approx(0), [])


class Recorder(Bot):
    """Lets a house bot play, and keeps the lines of the dialogue and its answers."""

    def __init__(self, name: str) -> None:
        self.bot = house_bot(name)
        self.answers: list[tuple[Hello | Act, str]] = []

    def start(self, hello: Hello) -> None:
        self.answers.append((hello, ""))
        self.bot.start(hello)

    def choose(self, request: Act) -> str:
        answer = self.bot.choose(request)
        self.answers.append((request, answer))
        return answer


@pytest.mark.parametrize("name", LEVELS)
def test_a_decision_follows_from_rules_seed_and_observation_alone(name: str) -> None:
    """Asked again without a memory, with the clock nearly run down, in a new bot: the same answer."""
    recorders: list[Recorder] = []

    def make() -> Recorder:
        recorders.append(Recorder(name))
        return recorders[-1]

    ruleset = Ruleset.from_preset("tournament_default")
    easy = HOUSE_BOTS["easy"].make
    order = make_order(ruleset=ruleset.to_json())
    play_match(order, InsideTable([make, easy, easy]), ManualClock(), deals=2)
    (recorder,) = recorders
    (hello, _), *asked = recorder.answers
    assert isinstance(hello, Hello)
    assert len(asked) > 10
    for request, answer in asked:
        assert isinstance(request, Act)
        later = {"move_ms": 5, "bank_ms": 5, "last_ms": 900}
        again = Act.from_json({**request.to_json(), "id": 777, "events": [], "time": later})
        fresh = house_bot(name)
        fresh.start(hello)
        assert fresh.choose(again) == answer


@pytest.mark.parametrize("name", THINKING)
def test_a_level_plays_every_number_of_seats(name: str) -> None:
    for preset in ("two_player_stock", "club_four"):
        blocks = blocks_of(comparison(FAST.get(name, name), "random", preset, mode="deal"), [0])
        assert [block.faults for block in blocks] == [[]]


def share() -> int:
    """Deals for each preset and bot in the sweep; `THOUSAND_SWEEP_DEALS` raises it."""
    return int(os.environ.get("THOUSAND_SWEEP_DEALS", "60"))


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
@pytest.mark.parametrize("name", [FAST.get(name, name) for name in LEVELS])
def test_no_bot_faults_under_any_preset(name: str, preset: str) -> None:
    """Whole matches against random bots, who bring everybody into positions that nobody would seek."""
    compared, deals, number = comparison(name, "random", preset), 0, 0
    while deals < share():
        block = play_block(compared, number, SEATS, None)
        assert block.faults == []
        deals += block.deals
        number += 1


TARGETS = {("random", "easy"): (60, 200), ("easy", "medium"): (60, 150), ("medium", "hard"): (100, 100)}
"""Blocks, and what the lower 95 % bound has to reach in Elo."""


@pytest.mark.thorough
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("weaker", "stronger"), [pair for pair in TARGETS if set(pair) <= set(LEVELS)])
def test_every_level_is_as_much_stronger_as_it_has_to_be(weaker: str, stronger: str) -> None:
    blocks, bound = TARGETS[weaker, stronger]
    played = measured(stronger, weaker, blocks, "match")
    assert elo(played, 12).low >= bound
    if weaker == "random":
        return
    for side in (0, 1):
        counts = [block.sides[side].play for block in played]
        declared = sum(one["declared"] for one in counts)
        made = sum(one["made"] for one in counts)
        if (stronger, weaker)[side] in THINKING:
            assert 0.55 <= made / declared <= 0.75
            assert 100 <= sum(one["bids"] for one in counts) / declared <= 130
