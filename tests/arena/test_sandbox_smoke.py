"""The sandbox in a few seconds; `make test-sandbox` attacks every tier of the machine in earnest."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.match import run_match
from arena.sandbox import Sandbox
from arena.sandbox.choose import TIERS
from tests.arena.match_orders import ample_but, make_order, seat_of
from tests.arena.real_bots import source, write_bot

pytestmark = pytest.mark.sandbox

HOSTILE = Path(__file__).parent / "hostile_bots"
LIMITS = ample_but(memory_mb=128)


def test_the_canary_picks_a_tier(proved_sandbox: Sandbox) -> None:
    assert proved_sandbox.tier in TIERS


@pytest.mark.parametrize(
    ("bot", "verdict"),
    [("kills_everything", "ok"), ("memory_bomb", "memory_limit"), ("forks", "ok"), ("reads_files", "ok")],
)
def test_a_hostile_bot_meets_its_verdict_and_spoils_nothing(
    proved_sandbox: Sandbox, tmp_path: Path, bot: str, verdict: str
) -> None:
    proper = seat_of(write_bot(tmp_path, source(), "proper"))
    order = make_order([proper, seat_of(HOSTILE / f"{bot}.py"), proper], limits=LIMITS)
    report = run_match(order, proved_sandbox).report
    assert report.arena_fault == ""
    assert [seat.verdict for seat in report.seats] == ["ok", verdict, "ok"], report.seats[1].message
    assert report.sandbox == proved_sandbox.tier


def test_a_match_is_told_as_soon_as_it_is_over_whatever_the_output_goes_to() -> None:
    command = [sys.executable, "-m", "arena.cli", "play", "random", "random", "random", "--matches", "24"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as playing:
        assert playing.stdout is not None
        assert playing.stdout.readline().startswith("match 1/24, ")
        assert playing.poll() is None, "23 more are to come"
        playing.terminate()
