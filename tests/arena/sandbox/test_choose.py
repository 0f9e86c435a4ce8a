"""A sandbox is used only if a test bot fails to escape from it; else nothing runs, and it says why."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.sandbox import (
    LaunchSpec,
    PreparedBot,
    SandboxedProcess,
    SandboxUnavailableError,
    choose_sandbox,
    open_sandbox,
)
from arena.sandbox.bubblewrap import BubblewrapSandbox, Walls
from arena.sandbox.canary import run_canary
from arena.sandbox.choose import FLIGHTS, TIERS, judge
from arena.sandbox.doctor import diagnose
from arena.sandbox.identity import SLOTS, SlotUsers
from arena.sandbox.remedies import remedy_for
from arena.sandbox.unconfined import UnconfinedSandbox
from arena.selftest import run_selftest
from tests.arena.sandbox.probe import PATIENCE_S

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

CHECKOUT = Path(__file__).parents[3]


def test_this_machine_gives_the_best_tier() -> None:
    assert choose_sandbox().tier == "bwrap-1a"


@pytest.mark.parametrize("tier", TIERS)
def test_every_attack_of_the_canary_fails(tier: str) -> None:
    checks = run_canary(open_sandbox(tier))
    assert len(checks) >= 25
    assert [check for check in checks if not check.held] == []


@pytest.mark.parametrize(
    ("walls", "seen"),
    [
        ({"seccomp": False}, {"processes", "namespaces", "tracing", "hidden memory", "waking itself"}),
        ({"rlimits": False}, {"memory", "threads", "open files"}),
        ({"seccomp": False, "own_network": False}, {"network", "host sockets"}),
        ({"read_only": False}, {"writing"}),
        ({"hidden_init": False}, {"process memory"}),
    ],
)
def test_a_sandbox_with_a_wall_missing_is_refused(walls: dict[str, bool], seen: set[str]) -> None:
    report = judge(BubblewrapSandbox(walls=Walls(**walls)))
    assert not report.usable
    assert seen <= {check.name for check in report.checks if not check.held}
    assert report.reason.startswith("a test bot got through")
    assert report.remedy


def test_no_sandbox_at_all_would_be_refused() -> None:
    if os.geteuid() == 0:
        pytest.skip("the canary would attack the host as root")
    assert not judge(UnconfinedSandbox()).usable


@pytest.mark.parametrize("tier", ["none", "", "bwrap", "unsafe"])
def test_no_name_opens_anything_but_a_sandbox(tier: str) -> None:
    with pytest.raises(SandboxUnavailableError, match="is not a sandbox tier"):
        open_sandbox(tier)


def test_a_proved_tier_opens_without_a_canary() -> None:
    assert open_sandbox("bwrap-1b", slot=3).tier == "bwrap-1b"


def test_the_selftest_plays_with_a_bot_on_the_sdk() -> None:
    report = run_selftest()
    assert report.tier == "bwrap-1a"
    assert 0 < report.kill_ms < 500
    assert 0 < report.start_ms < 10_000


def _selftest(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena.selftest"],
        env={**os.environ, **environment},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_the_selftest_as_a_command() -> None:
    done = _selftest()
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tier"] == "bwrap-1a"


@pytest.mark.parametrize("bwrap", ["/nonexistent", "/usr/bin/false", "/usr/bin/true"])
def test_without_a_working_bubblewrap_landlock_is_chosen(bwrap: str) -> None:
    done = _selftest(BWRAP=bwrap)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tier"] == "landlock"


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's bots can reach what it can")
def test_a_staging_folder_out_of_the_bots_reach_is_named() -> None:
    with tempfile.TemporaryDirectory() as closed:
        done = _selftest(TMPDIR=closed)
    assert done.returncode == 78
    assert f"{closed}/thousand-stage-0: the slots' users cannot reach it" in done.stderr
    assert done.stderr.count("What to do: ") == len(TIERS)
    assert "TMPDIR" in done.stderr


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("/usr/bin/bwrap is not installed", "apt-get install bubblewrap"),
        ("bwrap: setting up uid map: Permission denied", "AppArmor"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "AppArmor"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
        ("bwrap: pivot_root: Operation not permitted", "Docker"),
        ("bwrap: Unknown option --clearenv", "0.5"),
    ],
)
def test_known_failures_have_their_remedy(words: str, remedy: str) -> None:
    assert remedy in remedy_for(words)


def test_the_doctor_examines_every_tier_and_tells_what_it_stands_on() -> None:
    report = diagnose()
    assert report.tier == "bwrap-1a"
    assert [tier.usable for tier in report.tiers] == [True, True, True]
    assert {"kernel", "bubblewrap", "user", "python", "runtimes"} <= {name for name, _ in report.facts}


def test_slots_have_users_of_their_own() -> None:
    if os.geteuid() != 0:
        assert SlotUsers.for_slot(0).uids == ()
        return
    uids = [uid for slot in range(SLOTS) for uid in SlotUsers.for_slot(slot).uids]
    assert len(set(uids)) == len(uids)
    assert 0 not in uids
    with pytest.raises(ValueError, match="slot 58"):
        SlotUsers.for_slot(58)


class Slow:
    """A sandbox on a machine so busy that its bots are seen to stop only after some canaries."""

    tier = "bwrap-1a"

    def __init__(self, monkeypatch: pytest.MonkeyPatch, late_flights: int, *, leaks_at: int = 0) -> None:
        self.flights = 0
        self._monkeypatch = monkeypatch
        self._sandbox = BubblewrapSandbox()
        self._late_flights = late_flights
        self._leaks_at = leaks_at

    def prepare(self, spec: LaunchSpec) -> PreparedBot:
        return self._sandbox.prepare(spec)

    def start(self, spec: LaunchSpec) -> SandboxedProcess:
        self.flights += 1
        process = self._sandbox.start(spec)
        late = self.flights <= self._late_flights
        # Who is in time has time enough, however busy the machine of this test is.
        self._monkeypatch.setattr("arena.sandbox.canary.PATIENCE_S", 0.05 if late else 20.0)
        if late:
            process.is_stopped = lambda: False  # type: ignore[method-assign]
        if self.flights == self._leaks_at:
            process.freeze = lambda: None  # type: ignore[method-assign]
            process.is_stopped = lambda: True  # type: ignore[method-assign]
        return process


@pytest.mark.parametrize(("late", "usable", "flights"), [(0, True, 1), (2, True, 3), (9, False, FLIGHTS)])
def test_lateness_is_no_leak_and_no_proof(
    monkeypatch: pytest.MonkeyPatch, late: int, usable: bool, flights: int
) -> None:
    slow = Slow(monkeypatch, late)
    report = judge(slow)
    assert report.usable == usable
    assert slow.flights == flights
    assert ("too busy" in report.reason) == (not usable)


def test_a_leak_is_final_however_late_the_canary_was(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch, late_flights=1, leaks_at=2)
    report = judge(slow)
    assert slow.flights == 2
    assert report.reason.startswith("a test bot got through: freezing")
