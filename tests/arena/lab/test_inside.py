"""Matches inside the lab's own process are the arena's matches."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.clock import ManualClock
from arena.lab.blocks import play_block
from arena.lab.contestants import Contestant
from arena.lab.inside import InsideTable
from arena.match import run_match
from arena.orders import MatchReport, SeatOrder
from arena.referee import play_match
from arena.sandbox import Sandbox
from bots_sdk import Bot
from bots_sdk.house import HOUSE_BOTS
from bots_sdk.messages import Act
from engine import Ruleset
from tests.arena.lab.comparisons import comparison, contestant
from tests.arena.match_orders import make_order, nowhere

THINKERS = [name for name in ("medium", "hard") if name in HOUSE_BOTS]


def artifacts(folder: Path, bots: Sequence[Contestant]) -> list[SeatOrder]:
    seats = []
    for number, bot in enumerate(bots):
        path = folder / str(number)
        path.write_bytes(bot.data)
        seats.append(SeatOrder(bot.name, hashlib.sha256(bot.data).hexdigest(), path.as_uri(), bot.filename))
    return seats


@pytest.mark.sandbox
@pytest.mark.parametrize("names", [["easy", "easy:noise=3.5,remembers=true", "random"], THINKERS])
def test_a_match_in_process_has_the_record_of_the_same_match_in_the_sandbox(
    names: list[str], proved_sandbox: Sandbox, tmp_path: Path
) -> None:
    bots = [contestant(name) for name in [*names, "easy", "easy", "easy"][:3]]
    order = make_order(artifacts(tmp_path, bots))
    outside = run_match(order, proved_sandbox).report
    inside = play_match(order, InsideTable([bot.make for bot in bots]), ManualClock()).report
    assert outside.arena_fault == ""
    assert record(inside) == record(outside)
    assert any(outside.cpu_us)
    assert not any(inside.cpu_us)


@pytest.mark.sandbox
def test_a_block_of_deals_in_process_is_the_same_block_in_the_sandbox(
    proved_sandbox: Sandbox, tmp_path: Path
) -> None:
    compared = comparison("easy", "random", mode="deal")
    seats = artifacts(tmp_path, (compared.candidate, compared.base))
    outside = play_block(compared, 3, seats, proved_sandbox)
    inside = play_block(compared, 3, seats, None)
    assert (inside.halves, inside.margin, inside.lengths) == (outside.halves, outside.margin, [1, 1, 1])
    for one, other in zip(inside.sides, outside.sides, strict=True):
        assert one.play == other.play
        assert {phase: times.decisions for phase, times in one.times.items()} == {
            phase: times.decisions for phase, times in other.times.items()
        }


def record(report: MatchReport) -> tuple[object, ...]:
    verdicts = [(seat.verdict, seat.decisions) for seat in report.seats]
    return report.actions, report.places, report.totals, report.termination, verdicts


class Lost(Bot):
    """Raises at its third request."""

    def choose(self, request: Act) -> str:
        if request.id == 3:
            raise RuntimeError("lost the plot")
        return request.legal[0]


class Cheat(Bot):
    """Plays a card that nobody has."""

    def choose(self, request: Act) -> str:
        return "play 1S"


@pytest.mark.parametrize(("kind", "verdict"), [(Lost, "crash"), (Cheat, "illegal_action")])
def test_a_bot_that_fails_in_process_is_a_fault_and_the_others_play_on(kind: type[Bot], verdict: str) -> None:
    easy = HOUSE_BOTS["easy"].make
    report = play_match(make_order(), InsideTable([kind, easy, easy]), ManualClock()).report
    assert [seat.verdict for seat in report.seats] == [verdict, "ok", "ok"]
    assert report.places[0] == 3
    assert ("lost the plot" in report.seats[0].stderr_head) is (kind is Lost)


def test_a_match_that_is_cut_off_ends_after_so_many_deals_and_its_bots_are_not_told() -> None:
    rules: list[object] = []

    class Curious(Bot):
        def start(self, hello: object) -> None:
            rules.append(hello.rules.agreements["deal_limit"])  # type: ignore[attr-defined]

        def choose(self, request: Act) -> str:
            return request.legal[0]

    ruleset = Ruleset.from_preset("tournament_default")
    order = make_order(ruleset=ruleset.to_json(), seats=tuple(nowhere(seat) for seat in range(3)))
    report = play_match(order, InsideTable([Curious] * 3), ManualClock(), deals=2).report
    assert report.termination == "deal_cap"
    assert rules == [ruleset.deal_limit] * 3
