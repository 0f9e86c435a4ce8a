"""Control groups, where the arena was given some: exact memory, processes and time of whole builds."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.orders import Limits
from arena.sandbox import JobEnd, JobResult, LaunchSpec, Profile, python_argv, run_job
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.cgroups import ControlGroup, Hierarchies, find_hierarchies, remove_leftovers
from arena.sandbox.memory import descendants
from tests.arena.sandbox.conftest import StartProbe
from tests.arena.sandbox.probe import PATIENCE_S, comes, stage_bot, wait_for_end
from tests.arena.sandbox.test_builds import FORK_BOMB, INODE_BOMB, LIMITS, MEMORY_IN_TWELVE
from tests.arena.sandbox.test_limits import HOLD, HOLD_READ_ONLY, MB, SMALL

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hierarchies]:
    """A group of the test's own in every hierarchy this machine has, as an operator would give it.

    Each lies below the group the test runs in: whatever bounds the tests keeps bounding their bots.
    """
    name = f"thousand-test-{os.getpid()}"
    paths = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _number, controllers, path = line.split(":", 2)
        paths |= dict.fromkeys(controllers.split(","), path)
    made = []
    try:
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            left, _dash, right = line.partition(" - ")
            kind, _source, options = right.split(" ", 2)
            if kind in {"cgroup", "cgroup2"}:
                wanted = [""] if kind == "cgroup2" else options.split(",")
                own = next((paths[controller] for controller in wanted if controller in paths), "/")
                group = Path(left.split()[4], own.strip("/"), name)
                try:
                    group.mkdir()
                except OSError:
                    continue
                made.append(group)
        monkeypatch.setenv("THOUSAND_CGROUP", name)
        hierarchies = find_hierarchies()
        if not hierarchies.limits_memory:
            pytest.skip("no memory controller that this user may use")
        yield hierarchies
        left = [path for group in made for path in group.glob("thousand-*")]
        assert left == []
    finally:
        for group in made:
            group.rmdir()


def _build(stage: Path, source: str, limits: Limits = LIMITS, deadline_s: float = PATIENCE_S) -> JobResult:
    spec = LaunchSpec(
        python_argv("bot.py"),
        stage_bot(stage / "build", source),
        limits,
        profile=Profile.BUILD,
        scratch_mb=64,
    )
    return run_job(BubblewrapSandbox(), spec, deadline_s=deadline_s, stdout_bytes=1000)


@pytest.mark.parametrize("source", [MEMORY_IN_TWELVE, INODE_BOMB], ids=["processes", "files"])
def test_the_memory_of_a_whole_build_ends_at_the_limit(given: Hierarchies, stage: Path, source: str) -> None:
    result = _build(stage, source, Limits(memory_mb=64, processes=48))
    assert result.end is JobEnd.MEMORY
    assert result.report.memory_limit_hit


def test_the_time_of_children_nobody_waits_for_is_counted(given: Hierarchies, stage: Path) -> None:
    burn = (
        "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "for _ in range(3):\n    if os.fork() == 0:\n"
        "        while time.process_time() < 0.2: pass\n        os._exit(0)\n"
        "try:\n    os.wait()\nexcept ChildProcessError: pass"
    )
    assert 600 <= _build(stage, burn).cpu_ms <= 2000


def test_a_fork_bomb_ends_at_the_groups_cap(given: Hierarchies, stage: Path) -> None:
    if "pids" not in given.separate and "pids" not in given.controllers:
        pytest.skip("no controller of processes")
    spec = LaunchSpec(
        python_argv("bot.py"), stage_bot(stage / "bomb", FORK_BOMB), LIMITS, profile=Profile.BUILD
    )
    process = BubblewrapSandbox().start(spec)
    try:
        init = int(Path(f"/proc/self/fdinfo/{process.pidfd}").read_text().partition("Pid:")[2].split()[0])
        assert comes(lambda: len(list(descendants(init))) > 2)
        time.sleep(0.5)
        assert len(list(descendants(init))) <= LIMITS.processes
    finally:
        process.close()


def test_memory_that_no_limit_counts_ends_a_bot_with_the_right_verdict(
    given: Hierarchies, start: StartProbe
) -> None:
    probe = start(limits=SMALL)
    probe.run(HOLD + HOLD_READ_ONLY)
    probe.send(f"hold_read_only({400 * MB})")
    wait_for_end(probe.process)
    report = probe.process.exit_report()
    assert report is not None
    assert report.memory_limit_hit


def test_an_ordinary_bot_runs_in_its_group_and_leaves_none(given: Hierarchies, start: StartProbe) -> None:
    probe = start()
    assert probe.run("6 * 7") == 42
    assert not probe.process.memory_exceeded()
    folder = next(iter(given.separate.values()), given.unified)
    assert folder is not None
    groups = list(folder.glob("thousand-*"))
    assert len(groups) == 1
    assert len((groups[0] / "cgroup.procs").read_text().split()) == 1
    probe.process.close()
    assert list(folder.glob("thousand-*")) == []


def test_groups_of_a_killed_arena_are_removed_and_a_living_ones_kept(given: Hierarchies) -> None:
    folder = next(iter(given.separate.values()), given.unified)
    assert folder is not None
    with subprocess.Popen(["/usr/bin/true"]) as gone:
        gone.wait()
    dead, living = folder / f"thousand-{gone.pid}-0", folder / f"thousand-{os.getpid()}-99"
    dead.mkdir()
    living.mkdir()
    remove_leftovers(given)
    assert not dead.exists()
    assert living.exists()
    living.rmdir()


def test_version_2_ends_a_group_at_once_and_counts_its_time(given: Hierarchies) -> None:
    if given.unified is None:
        pytest.skip("no version 2 hierarchy here")
    group = ControlGroup(Hierarchies({}, given.unified, frozenset()), memory_mb=64, processes=None)
    with subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) as spinning:
        group.attach(spinning.pid)
        assert comes(lambda: group.cpu_ns() >= 10_000_000)
        assert not group.ended_for_memory()
        group.kill()
        assert spinning.wait(PATIENCE_S) == -9
    group.close()


# What counts as given


def _files(tmp_path: Path, mounts: list[tuple[str, str, str]], own: str) -> tuple[str, str]:
    mountinfo, groups = tmp_path / "mountinfo", tmp_path / "cgroup"
    rows = [f"30 20 0:20 / {where} rw - {kind} {kind} {options}" for where, kind, options in mounts]
    mountinfo.write_text("\n".join(rows) + "\n")
    groups.write_text(own)
    return str(mountinfo), str(groups)


def _fake(folder: Path, controllers: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("cgroup.procs", ""), ("cgroup.subtree_control", controllers)):
        (folder / name).write_text(text)
    return folder


def test_a_group_is_used_only_if_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unified = _fake(tmp_path / "unified" / "worker.service", "memory pids")
    files = _files(tmp_path, [(str(tmp_path / "unified"), "cgroup2", "rw")], "0::/worker.service\n")
    monkeypatch.delenv("THOUSAND_CGROUP", raising=False)
    if os.geteuid() == 0:
        assert find_hierarchies(*files) == Hierarchies({}, None, frozenset()), "writable, but not ours"
        os.setxattr(unified, "trusted.delegate", b"1")
    found = find_hierarchies(*files)
    assert found.unified == unified
    assert found.limits_memory == (found.controllers >= {"memory"})


def test_a_named_group_is_looked_for_in_every_hierarchy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = _fake(tmp_path / "memory" / "bots")
    _fake(tmp_path / "pids")
    mounts = [(str(tmp_path / name), "cgroup", f"rw,{name}") for name in ("memory", "pids", "cpuset")]
    files = _files(tmp_path, mounts, "3:cpuset:/\n2:pids:/\n1:memory:/elsewhere\n")
    monkeypatch.setenv("THOUSAND_CGROUP", "/bots")
    found = find_hierarchies(*files)
    assert dict(found.separate) == {"memory": memory}
    assert found.limits_memory
    assert found.describe() == "v1 memory"
    below_our_own = _fake(tmp_path / "memory" / "elsewhere" / "bots")
    monkeypatch.setenv("THOUSAND_CGROUP", "bots")
    assert dict(find_hierarchies(*files).separate) == {"memory": below_our_own}
    monkeypatch.setenv("THOUSAND_CGROUP", "nowhere")
    assert find_hierarchies(*files).describe() == "none given to the arena"
