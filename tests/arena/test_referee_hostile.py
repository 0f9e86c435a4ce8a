"""Every hostile bot in a full match: it gets the verdict it deserves and the other two finish theirs."""

import ast
from pathlib import Path

import pytest

from arena.match import run_match
from arena.replay import replay_of
from arena.sandbox import Sandbox
from arena.verification import verify_replay
from tests.arena.match_orders import ample_but, make_order, seat_of
from tests.arena.real_bots import source, write_bot

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

HOSTILE = sorted((Path(__file__).parent / "hostile_bots").glob("*.py"))

# Short where a bot uses that time up, so that it does not keep the suite waiting.
SHORT = {
    "start_failure": {"start_ms": 2_000},
    "timeout": {"move_ms": 300, "bank_ms": 3_000, "deadline_ms": 1_000},
}


def test_there_are_hostile_bots() -> None:
    assert len(HOSTILE) > 30


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_a_hostile_bot_spoils_nobody_elses_match(proved_sandbox: Sandbox, tmp_path: Path, path: Path) -> None:
    proper = seat_of(write_bot(tmp_path, source(), "proper"))
    deserved = deserved_verdicts(path)
    limits = {name: ms for verdict in deserved for name, ms in SHORT.get(verdict, {}).items()}
    order = make_order([proper, seat_of(path), proper], limits=ample_but(memory_mb=128, **limits))
    report = run_match(order, proved_sandbox).report
    assert report.arena_fault == ""
    assert [report.seats[seat].verdict for seat in (0, 2)] == ["ok", "ok"]
    assert report.seats[1].verdict in deserved, report.seats[1].message
    assert report.termination == "deal_limit"
    assert report.seats[1].frozen_ms <= 2 + report.seats[1].decisions, "it thought while it was stopped"
    assert verify_replay(replay_of(order, report)).problems == ()


def deserved_verdicts(path: Path) -> tuple[str, ...]:
    """Read the bot's own statement of what it deserves, without running it."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "VERDICTS":
            verdicts: tuple[str, ...] = ast.literal_eval(node.value)
            return verdicts
    raise AssertionError(f"{path.name} does not say its VERDICTS")
