"""The harness's own test: bots that are equal score exactly one half over a block, wherever they are run."""

import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from arena.match import run_match
from arena.orders import MatchReport
from arena.sandbox import Sandbox
from arena.scripted import Does, Script
from bots_sdk.house import house_artifact, house_bot
from bots_sdk.messages import Act, Hello
from engine import seed_from_int
from tests.arena.match_orders import make_order, seat_of
from tests.arena.scripted_bots import Played, bot, reply

SEEDS = (3, 11)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["random", "easy-cautious"])
def test_equal_seeded_bots_score_exactly_one_half_over_a_block(name: str, seed: int) -> None:
    scores = dict.fromkeys("abc", 0.0)
    records = set()
    for seating in permutations("abc"):
        report = Played(in_process(name), in_process(name), in_process(name), seed=seed).report
        records.add(report.actions)
        for seat, entry in enumerate(seating):
            scores[entry] += score(report.places, seat)
    assert set(scores.values()) == {6 / 2}
    assert len(records) == 1


@pytest.mark.sandbox
def test_in_process_and_in_the_sandbox_the_record_is_the_same(
    proved_sandbox: Sandbox, tmp_path: Path
) -> None:
    path = tmp_path / "random.py"
    path.write_bytes(house_artifact("random"))
    order = make_order([seat_of(path)] * 3, seed=seed_from_int(SEEDS[0]).hex())
    confined: list[MatchReport] = [run_match(order, proved_sandbox).report for _ in range(2)]
    free = Played(*[in_process("random")] * 3, seed=SEEDS[0]).report
    assert confined[0].arena_fault == ""
    assert confined[0].actions == confined[1].actions == free.actions
    assert confined[0].places == confined[1].places == free.places


def score(places: Sequence[int], seat: int) -> float:
    """A seat's share of its two comparisons: 1 for a worse place beside it, one half for an equal one."""
    others = [place for number, place in enumerate(places) if number != seat]
    return sum(1.0 if places[seat] < place else 0.5 if places[seat] == place else 0.0 for place in others) / 2


def in_process(name: str) -> Script:
    """A house bot as a script."""
    player = house_bot(name)

    def answer(request: dict[str, Any]) -> list[Does]:
        return [reply(request, player.choose(Act.from_json(request)))]

    play = bot(answer)

    def script(sent: bytes) -> Any:
        if b'"type":"hello"' in sent[:40]:
            player.start(Hello.from_json(json.loads(sent)))
        return play(sent)

    return script
