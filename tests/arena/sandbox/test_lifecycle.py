"""From start to the last trace: exits, kills, dead referees, broken set-ups, and nothing left behind."""

import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from arena.sandbox import LaunchSpec, new_stage, python_argv
from arena.sandbox.bubblewrap import BubblewrapSandbox, bubblewrap_path
from arena.sandbox.choose import TIERS
from arena.sandbox.folders import stage_folder
from arena.sandbox.gate import GATE_ARGV, end_stuck, stat_fields
from arena.sandbox.identity import UIDS_PER_SLOT
from arena.verdicts import ArenaFault
from tests.arena.sandbox.conftest import RunToEnd, StartProbe
from tests.arena.sandbox.probe import Probe, comes, ends, read_all, read_line, stage_bot, wait_for_end

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

CHECKOUT = Path(__file__).parents[3]
KILL_LIMIT_S = 0.1


@pytest.mark.parametrize(
    ("source", "code", "signal_number"),
    [
        ("pass", 0, None),
        ("import sys; sys.exit(3)", 3, None),
        ("exit()", 0, None),
        ("1 / 0", 1, None),
        ("import os; os._exit(255)", 255, None),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", None, signal.SIGTERM),
        ("import ctypes; ctypes.string_at(0)", None, signal.SIGSEGV),
        ("import os; os.abort()", None, signal.SIGABRT),
    ],
)
def test_the_report_says_how_it_ended(
    run_to_end: RunToEnd, source: str, code: int | None, signal_number: int | None
) -> None:
    report = run_to_end(source).report
    assert report.sandbox_was_set_up
    assert (report.exit_code, report.signal) == (code, signal_number)


def test_what_a_dead_bot_said_can_still_be_read(run_to_end: RunToEnd) -> None:
    ended = run_to_end("import sys; print('last word'); sys.exit('and why')")
    assert ended.stdout == "last word\n"
    assert ended.stderr == "and why\n"


@pytest.mark.parametrize(
    "code",
    [
        "time.sleep(60)",
        "while True: pass",
        "[signal.signal(n, signal.SIG_IGN) for n in range(1, 32) if n not in (9, 19)] and time.sleep(60)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "[threading.Thread(target=spin, args=(60,), daemon=True).start() for _ in range(20)] and spin(60)",
    ],
)
@pytest.mark.parametrize("frozen", [False, True])
def test_a_kill_is_quick_and_final(start_in_tier: StartProbe, code: str, frozen: bool) -> None:
    def seconds_to_kill() -> float:
        probe = start_in_tier()
        probe.run("1")
        probe.send(code)
        time.sleep(0.02)
        if frozen:
            probe.process.freeze()
        begin = time.monotonic()
        probe.process.kill()
        took = time.monotonic() - begin
        report = probe.process.exit_report()
        assert report is not None
        assert report.signal == signal.SIGKILL
        return took

    # Other work on this machine may delay one, hardly each of three.
    assert any(seconds_to_kill() < KILL_LIMIT_S for _ in range(3))


def test_kill_and_close_may_be_repeated(start: StartProbe) -> None:
    process = start().process
    for _ in range(2):
        process.kill()
        process.close_stdin()
    for _ in range(2):
        process.close()


def test_the_log_can_be_read_after_the_kill(start: StartProbe) -> None:
    probe = start()
    probe.run("sys.stderr.write('the last thing I remember')")
    probe.process.kill()
    assert read_all(probe.process.stderr_fd) == b"the last thing I remember"


def test_a_bot_sees_the_end_of_its_requests(start: StartProbe) -> None:
    process = start().process
    process.close_stdin()
    wait_for_end(process)
    report = process.exit_report()
    assert report is not None
    assert report.exit_code == 0


def test_three_hundred_starts_leave_nothing(stage: Path) -> None:
    sandbox = BubblewrapSandbox()
    bot_dir = stage_bot(stage / "bot", "print('here', flush=True); input()")
    mounts = Path("/proc/self/mountinfo").read_text()
    descriptors = os.listdir("/proc/self/fd")
    for round_ in range(300):
        process = sandbox.start(LaunchSpec(python_argv("bot.py"), bot_dir))
        if round_ % 2:
            read_line(process)
        if round_ % 3 == 0:
            process.close_stdin()
        process.close()
    assert os.listdir("/proc/self/fd") == descriptors
    assert Path("/proc/self/mountinfo").read_text() == mounts
    assert _children() == []


def _children() -> list[str]:
    """Children of this process, zombies included, but for those of other tests' machinery."""
    task = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    names = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in task}
    return [name for name in names.values() if name in {"bwrap", "python3", "prlimit"}]


def test_a_match_of_bots_see_nothing_of_each_other(stage: Path) -> None:
    sandbox = BubblewrapSandbox()
    probes = [Probe(sandbox, stage / f"seat{number}") for number in range(UIDS_PER_SLOT)]
    try:
        for probe in probes:
            assert probe.run("sorted(int(pid) for pid in os.listdir('/proc') if pid.isdigit())") == [1, 2]
            assert probe.run("sorted(os.listdir('/bot'))") == ["bot.py"]
        if os.geteuid() == 0:
            owners = {Path(f"/proc/{_init_pid(probe)}").stat().st_uid for probe in probes}
            assert len(owners) == UIDS_PER_SLOT
            with pytest.raises(ArenaFault, match="every user of this slot"):
                Probe(sandbox, stage / "one-too-many")
    finally:
        for probe in probes:
            probe.process.close()
    Probe(sandbox, stage / "again").process.close()


def _init_pid(probe: Probe) -> int:
    info = Path(f"/proc/self/fdinfo/{probe.process.pidfd}").read_text()
    return int(next(line.split()[1] for line in info.splitlines() if line.startswith("Pid:")))


def test_a_missing_folder_is_the_arenas_fault(stage: Path) -> None:
    with pytest.raises(ArenaFault, match="Can't find source path"):
        BubblewrapSandbox().start(LaunchSpec(python_argv("bot.py"), stage / "nowhere"))
    assert _children() == []


def test_a_program_that_is_no_sandbox_is_the_arenas_fault(stage: Path) -> None:
    bot_dir = stage_bot(stage / "bot", "pass")
    sandbox = BubblewrapSandbox(bwrap=Path("/usr/bin/false"))
    with pytest.raises(ArenaFault, match="could not be set up"):
        sandbox.start(LaunchSpec(python_argv("bot.py"), bot_dir))
    assert _children() == []


def test_a_missing_entry_is_the_bots_fault(run_to_end: RunToEnd, stage: Path) -> None:
    ended = run_to_end("pass", entry="bot.py")
    assert ended.report.exit_code == 0
    process = BubblewrapSandbox().start(LaunchSpec(python_argv("main.py"), stage / "bot"))
    wait_for_end(process)
    report = process.exit_report()
    assert report is not None
    assert report.sandbox_was_set_up
    assert b"No such file or directory: '/bot/main.py'" in read_all(process.stderr_fd)
    process.close()


def test_a_bot_dies_with_its_monitor(start: StartProbe) -> None:
    probe = start()
    probe.run("1")
    monitor = int(Path(f"/proc/{_init_pid(probe)}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(monitor, signal.SIGKILL)
    wait_for_end(probe.process, 2)
    report = probe.process.exit_report()
    assert report is not None
    assert not report.sandbox_was_set_up
    assert _children() == []


REFEREE = """
import sys, time
from pathlib import Path
from arena.sandbox import LaunchSpec, open_sandbox, python_argv
process = open_sandbox(sys.argv[2], 1).start(LaunchSpec(python_argv("bot.py"), Path(sys.argv[1])))
time.sleep(0.2)
if sys.argv[3] == "frozen":
    process.freeze()
info = Path(f"/proc/self/fdinfo/{process.pidfd}").read_text()
print(info[info.index("Pid:"):].split()[1], flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("state", ["running", "frozen"])
@pytest.mark.parametrize("tier", TIERS)
def test_a_killed_referee_takes_its_bots_along(stage: Path, tier: str, state: str) -> None:
    bot_dir = stage_bot(stage / "bot", "while True: pass")
    arguments = [sys.executable, "-c", REFEREE, str(bot_dir), tier, state]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=CHECKOUT) as referee:
        assert referee.stdout is not None
        pidfd = os.pidfd_open(int(referee.stdout.readline()))
        referee.kill()
        assert ends(pidfd, 1), "the bot outlived its referee"
        os.close(pidfd)


STARTER = """
import sys
from pathlib import Path
from arena.sandbox import LaunchSpec, open_sandbox, python_argv
sandbox = open_sandbox(sys.argv[2], 1)
print("ready", flush=True)
for _ in range(8):
    sandbox.start(LaunchSpec(python_argv("bot.py"), Path(sys.argv[1])))
"""


@pytest.mark.parametrize("delay_ms", [0, 1, 2, 3, 4, 5, 6, 8, 10, 15])
@pytest.mark.parametrize("tier", TIERS)
def test_a_referee_killed_while_it_starts_bots_leaves_none(stage: Path, tier: str, delay_ms: int) -> None:
    bot_dir = stage_bot(stage / "bot", "while True: pass")
    arguments = [sys.executable, "-c", STARTER, str(bot_dir), tier]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=CHECKOUT) as referee:
        assert referee.stdout is not None
        referee.stdout.readline()
        time.sleep(delay_ms / 1000)
        referee.kill()
    assert comes(lambda: _bots_from(bot_dir) == [], 2), _bots_from(bot_dir)


def test_a_process_stuck_by_a_referees_death_is_ended_by_the_next_start() -> None:
    """As if the monitor had been killed just before it woke the process inside."""
    never, _writer = os.pipe()
    output, status = os.pipe()
    files = ["--info-fd", str(status), "--userns-block-fd", str(never)]
    arguments = b"\0".join(word.encode() for word in ["--unshare-user", "--ro-bind", "/", "/", *files, ""])
    given = os.memfd_create("arguments")
    os.write(given, arguments)
    os.lseek(given, 0, os.SEEK_SET)
    monitor = subprocess.Popen(
        [bubblewrap_path(), "--args", str(given), "--", *GATE_ARGV, "/usr/bin/true"],
        pass_fds=[never, status, given],
    )
    said = b""
    while not (named := re.search(rb'"child-pid": (\d+)\D', said)):
        said += os.read(output, 100)
    pid = int(named[1])
    monitor.kill()
    monitor.wait()
    for descriptor in (never, _writer, output, status, given):
        os.close(descriptor)
    assert stat_fields(pid)[0] in "RS"
    end_stuck()
    assert stat_fields(pid)[0] in "RS", "it is too young to be called stuck"
    end_stuck(older_than_s=0)
    assert os.waitid(os.P_PID, pid, os.WEXITED).si_status == signal.SIGKILL


def _bots_from(bot_dir: Path) -> list[str]:
    """Processes that have this folder mounted, or work in it."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if not process.name.isdigit():
                continue
            mounted = str(bot_dir) in (process / "mountinfo").read_text()
            if mounted or os.readlink(process / "cwd") == str(bot_dir):
                found.append((process / "status").read_text().splitlines()[0])
        except OSError:
            continue
    return found


def test_a_bot_ends_with_the_thread_that_started_it(stage: Path) -> None:
    """Why bots are started from the runner's main thread."""
    started = []
    thread = threading.Thread(target=lambda: started.append(Probe(BubblewrapSandbox(), stage / "bot")))
    thread.start()
    thread.join()
    wait_for_end(started[0].process, 2)
    started[0].process.close()


# Staging


def test_a_stage_is_opaque_reachable_and_gone_after_the_match() -> None:
    with new_stage() as stage:
        assert len(stage.name) == 32
        assert stage.stat().st_mode & 0o777 == 0o755
        assert list(stage.iterdir()) == []
        (stage / "bot").mkdir()
    assert not stage.exists()


def test_the_stage_of_a_killed_runner_is_swept_and_a_living_ones_is_kept() -> None:
    left = stage_folder() / secrets.token_hex(16)
    left.mkdir()
    left.chmod(0o755)
    (left / "bot.py").write_text("pass")
    with new_stage() as living, new_stage():
        assert not left.exists()
        assert living.exists()
