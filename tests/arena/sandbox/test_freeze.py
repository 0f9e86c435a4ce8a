"""A frozen bot computes nothing, whatever it prepared while it ran; and thawed it runs on."""

import os
import platform
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from arena.sandbox import Profile, open_sandbox
from arena.sandbox.gate import stat_fields
from arena.sandbox.process import all_stopped
from tests.arena.sandbox.conftest import StartProbe
from tests.arena.sandbox.probe import Probe, comes

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

FROZEN_NS = 1_000_000
"""What may be counted while frozen: the stop itself takes up to some ms to reach every thread."""

SPIN = """
def spin_for_ever():
    while True:
        sum(range(1000))
def spin_in_threads(number):
    for _ in range(number):
        threading.Thread(target=spin_for_ever, daemon=True).start()
def attempt(attack):
    try:
        attack()
    except OSError:
        pass
"""

PREPARATIONS = {
    "a thread": "spin_in_threads(1)",
    "threads": "spin_in_threads(8)",
    "a process of its own": """
def fork():
    if os.fork() == 0:
        spin_for_ever()
attempt(fork)
spin_in_threads(1)
""",
    "a process in another group": """
def fork():
    if os.fork() == 0:
        os.setpgid(0, 0)
        spin_for_ever()
attempt(fork)
spin_in_threads(1)
""",
    "a session of its own": "attempt(os.setsid)\nspin_in_threads(1)",
    "threads that wake their process": """
def wake():
    while True:
        attempt(lambda: os.kill(os.getpid(), signal.SIGCONT))
        attempt(lambda: os.kill(0, signal.SIGCONT))
for _ in range(4):
    threading.Thread(target=wake, daemon=True).start()
""",
    "an alarm with a handler": """
signal.signal(signal.SIGALRM, lambda *_: sum(range(100)))
signal.signal(signal.SIGCONT, lambda *_: sum(range(100)))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
spin_in_threads(1)
""",
    "a child whose end sends SIGCONT": """
def clone():
    while True:
        attempt(lambda: syscall({clone}, 18, 0, 0, 0, 0) or os._exit(0))
threading.Thread(target=clone, daemon=True).start()
spin_in_threads(1)
""".replace("{clone}", {"x86_64": "56", "aarch64": "220"}[platform.machine()]),
    "a parent whose death sends SIGCONT": """
def child():
    libc.prctl(1, 18, 0, 0, 0)
    spin_for_ever()
attempt(lambda: os.fork() or child())
spin_in_threads(1)
""",
    "a storm of forks": """
def storm():
    while True:
        attempt(lambda: os.fork() or os._exit(0))
        attempt(lambda: os.waitpid(-1, os.WNOHANG))
for _ in range(2):
    threading.Thread(target=storm, daemon=True).start()
""",
    "signals queued to itself": """
def queue():
    while True:
        for send in (lambda: libc.sigqueue(os.getpid(), 18, 0), lambda: signal.pthread_kill(main, 18)):
            attempt(send)
main = threading.main_thread().ident
for _ in range(2):
    threading.Thread(target=queue, daemon=True).start()
""",
    "an owner of a pipe that is told of input": """
reader, writer = os.pipe()
for command in (fcntl.F_SETOWN, fcntl.F_SETSIG):
    attempt(lambda: fcntl.fcntl(reader, command, os.getpid() if command == fcntl.F_SETOWN else 18))
attempt(lambda: fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC))
spin_in_threads(1)
""",
    "a kernel timer that sends SIGCONT": """
signal.signal(signal.SIGCONT, lambda *_: None)
event = (ctypes.c_char * 64)()
ctypes.c_int.from_buffer(event, 8).value = 18
timer = ctypes.c_void_p()
if libc.timer_create(1, event, ctypes.byref(timer)) == 0:
    libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 1_000_000, 0, 1_000_000), None)
spin_in_threads(1)
""",
}


def cpu_while_frozen(probe: Probe, seconds: float) -> int:
    """Nanoseconds that the clocks of all processes inside moved between a freeze and a thaw."""
    pids = pids_inside(probe)
    freeze(probe)
    before = used_ns(pids)
    time.sleep(seconds)
    used = used_ns(pids) - before
    probe.process.thaw()
    return used


def used_ns(pids: list[int]) -> int:
    """Processor time of these processes, all of which live."""
    return sum(time.clock_gettime_ns((~pid << 3) | 2) for pid in pids)


def freeze(probe: Probe) -> None:
    """Freeze, and wait for the stop: on a busy machine a thread is stopped only when it gets its turn."""
    probe.process.freeze()
    assert comes(probe.process.is_stopped)


def pids_inside(probe: Probe) -> list[int]:
    """Host pids of everything in the probe's pid namespace, or of the one process that has none."""
    info = Path(f"/proc/self/fdinfo/{probe.process.pidfd}").read_text()
    pid = info[info.index("Pid:") :].split()[1]
    namespace = os.readlink(f"/proc/{pid}/ns/pid")
    if namespace == os.readlink("/proc/self/ns/pid"):
        return [int(pid)]
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdigit() and os.readlink(process / "ns/pid") == namespace:
                found.append(int(process.name))
    assert len(found) >= 2
    return found


@pytest.mark.parametrize("preparation", PREPARATIONS.values(), ids=PREPARATIONS)
def test_a_frozen_bot_computes_nothing(start_in_tier: StartProbe, preparation: str) -> None:
    probe = start_in_tier()
    probe.run(SPIN)
    probe.run(preparation)
    assert cpu_while_frozen(probe, 1.0) < FROZEN_NS
    assert probe.run("6 * 7") == 42


EXEC_STORM = """
os.environ["AGAIN"] = 'exec /bin/sh -c "$AGAIN"'
threading.Thread(target=os.execv, args=("/bin/sh", ["sh", "-c", os.environ["AGAIN"]])).start()
"""


def test_a_bot_that_becomes_another_program_without_end_can_be_frozen(start_in_tier: StartProbe) -> None:
    probe = start_in_tier()
    probe.run("1")
    probe.send(EXEC_STORM)
    time.sleep(0.05)
    for _ in range(20):
        assert cpu_while_frozen(probe, 0.005) < FROZEN_NS
    running = probe.process.cpu_ns()
    assert comes(lambda: probe.process.cpu_ns() > running + FROZEN_NS), "the storm goes on"


def test_a_bot_whose_first_thread_has_ended_can_be_frozen(start_in_tier: StartProbe) -> None:
    probe = start_in_tier()
    probe.run(SPIN)
    probe.run("spin_in_threads(2)")
    probe.send(f"syscall({ {'x86_64': 60, 'aarch64': 93}[platform.machine()] }, 0)")
    assert comes(lambda: not _first_thread_lives(probe))
    for _ in range(5):
        assert cpu_while_frozen(probe, 0.05) < FROZEN_NS


def _first_thread_lives(probe: Probe) -> bool:
    return all(stat_fields(pid)[0] != "Z" for pid in pids_inside(probe))


@pytest.mark.parametrize("name", ["a process of its own", "a storm of forks"])
def test_a_build_is_stopped_with_all_its_processes(stage: Path, name: str) -> None:
    probe = Probe(open_sandbox("bwrap-1a"), stage / "probe", profile=Profile.BUILD)
    try:
        probe.run(SPIN)
        probe.run(PREPARATIONS[name])
        probe.process.freeze()
        assert comes(lambda: all(map(all_stopped, pids_inside(probe)))), "each stops when it gets its turn"
        assert cpu_while_frozen(probe, 0.3) < FROZEN_NS
        assert probe.run("6 * 7") == 42
    finally:
        probe.process.close()


def test_without_the_filter_a_timer_wakes_a_frozen_bot(breached: Callable[..., Probe]) -> None:
    probe = breached(seccomp=False)
    probe.run(SPIN)
    # A stop that comes while the timer's signal is pending discards both signal and timer. So this one rings
    # late enough to find the bot stopped, on a busy machine too.
    timer = PREPARATIONS["a kernel timer that sends SIGCONT"].replace("1_000_000", "100_000_000")

    def used_with_a_new_timer() -> int:
        probe.run(timer)
        return cpu_while_frozen(probe, 0.3)

    assert any(used_with_a_new_timer() > 3 * FROZEN_NS for _ in range(20))


def test_without_the_filter_a_process_of_the_bots_own_computes_on(breached: Callable[..., Probe]) -> None:
    probe = breached(seccomp=False)
    probe.run(SPIN)
    probe.run(PREPARATIONS["a process of its own"])
    pids = pids_inside(probe)
    freeze(probe)
    before = used_ns(pids)
    assert comes(lambda: used_ns(pids) - before > 3 * FROZEN_NS)


def test_two_hundred_freezes_hold(start_in_tier: StartProbe) -> None:
    probe = start_in_tier()
    probe.run(SPIN)
    probe.run(PREPARATIONS["threads that wake their process"])
    broken = 0
    for _ in range(200):
        freeze(probe)
        before = probe.process.cpu_ns()
        time.sleep(0.001)
        broken += probe.process.cpu_ns() - before > FROZEN_NS
        probe.process.thaw()
    assert broken == 0


def test_a_frozen_bot_is_deaf_until_thawed(start: StartProbe) -> None:
    probe = start()
    probe.run("1")
    probe.process.freeze()
    probe.process.freeze()
    probe.send("2")
    time.sleep(0.05)
    with pytest.raises(AssertionError, match="no answer"):
        probe.run("3", timeout=0.05)
    probe.process.thaw()
    probe.process.thaw()
    assert probe.run("4") == 2


def test_freezing_a_dead_bot_does_nothing(start: StartProbe) -> None:
    probe = start()
    probe.process.kill()
    probe.process.freeze()
    probe.process.thaw()
    assert probe.process.exit_report() is not None
