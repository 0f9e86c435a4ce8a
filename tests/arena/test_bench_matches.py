"""What the benchmark's own way of running matches does; nothing here is timed."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bench import runner_rows
from arena.bench.kept_table import KeptTable
from arena.bench.measuring import Bench, BenchError
from arena.bench.peers import NoPeerError
from arena.bench.programs.match_cells import BOT, SHORT
from arena.clock import SystemClock
from arena.orders import MatchOrder
from arena.referee import play_match
from arena.sandbox import LaunchSpec, python_argv
from arena.sandbox.unconfined import UnconfinedSandbox
from engine import Ruleset, seed_from_int
from tests.arena.match_orders import make_order


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KeptTable]:
    """Three bare bots that stay."""
    (tmp_path / "bot.py").write_text(BOT.format(whole=False))
    spec, sandbox = LaunchSpec(python_argv("bot.py"), tmp_path), UnconfinedSandbox()
    table = KeptTable("none", [lambda: sandbox.prepare(spec)] * 3)
    yield table
    table.close()


def order(number: int, deals: int) -> MatchOrder:
    ruleset = Ruleset.from_preset("tournament_default", {"deal_limit": deals})
    return make_order(seed=seed_from_int(number).hex(), ruleset=ruleset.to_json())


def test_bots_stay_for_match_after_match(table: KeptTable) -> None:
    reports = []
    used_ns = [table.cpu_ns()]
    for number in range(4):
        table.stops = number % 2 == 0
        reports.append(play_match(order(number, 2), table, SystemClock()).report)
        used_ns.append(table.cpu_ns())
    for report in reports:
        assert [seat.verdict for seat in report.seats] == ["ok"] * 3
        assert sum(seat.decisions for seat in report.seats) == len(report.actions)
    assert used_ns == sorted(set(used_ns)), "the clocks of the same processes go on"
    assert [any(report.cpu_us) for report in reports] == [True, False] * 2
    assert len({report.actions for report in reports}) == 4


@pytest.mark.thorough
@pytest.mark.timeout(1800)
def test_ten_thousand_matches_leave_memory_as_it_was(table: KeptTable) -> None:
    def resident_kb() -> int:
        gc.collect()
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    for number in range(1000):
        play_match(order(number, 1), table, SystemClock())
    before = resident_kb()
    for number in range(1000, 10_000):
        play_match(order(number, 1), table, SystemClock())
    assert resident_kb() - before < 2048


def test_the_short_request_is_as_long_as_it_says() -> None:
    assert len(SHORT) == 303


def test_fastchess_is_measured_where_it_is_told_of_and_only_there(tmp_path: Path) -> None:
    (row,) = runner_rows.measure(["M2a"], Bench(rounds=1))
    assert row.ratio is None
    assert "--fastchess PATH" in row.why
    moves = tmp_path / "moves"
    moves.write_text("e2e4 e7e5")
    program = tmp_path / "fastchess"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsum(range(10**6))\nprint(sys.argv)\nsys.exit('-x' in sys.argv[3])\n"
    )
    program.chmod(0o755)
    assert runner_rows._fastchess_move(str(program), "engine", moves, 2) > 0
    odd = moves.rename(tmp_path / "moves-x")
    with pytest.raises(BenchError, match="ended with exit code 1"):
        runner_rows._fastchess_move(str(program), "engine", odd, 2)


def test_a_row_whose_peer_cannot_be_had_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_args: object) -> None:
        raise NoPeerError("there is no compiler")

    monkeypatch.setattr(runner_rows, "_peer", none)
    rows = runner_rows.measure(["M2b", "M2c"], Bench(rounds=1))
    assert [(row.id, row.met, row.why) for row in rows] == [
        ("M2b", None, "there is no compiler"),
        ("M2c", None, "there is no compiler"),
    ]
