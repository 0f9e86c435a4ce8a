"""What a bot may use: memory, processor, threads, open files; and what is told when it takes more."""

import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.orders import Limits
from arena.sandbox import open_sandbox
from arena.sandbox.bootstrap import MEMORY_EXIT_CODE
from arena.sandbox.limits import ADDRESS_SPACE_EXTRA_MB, CPU_SLACK_S, OPEN_FILES, PENDING_SIGNALS
from tests.arena.sandbox.conftest import RunToEnd, StartProbe
from tests.arena.sandbox.probe import Probe, comes, read_line

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

MB = 1024 * 1024
SMALL = Limits(memory_mb=64, processes=8)

HOLD = """
kept = []
def hold(size, most):
    try:
        while sum(map(len, kept)) < most:
            kept.append(bytearray(size))
    except MemoryError:
        pass
    return sum(map(len, kept))
"""

HOLD_READ_ONLY = """
def hold_read_only(most):
    size = 4 * 1024 * 1024
    while size * len(kept) < most:
        block = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        block.write(b"x" * size)
        kept.append(block)
        address = ctypes.addressof(ctypes.c_char.from_buffer(block))
        libc.mprotect(ctypes.c_void_p(address), size, mmap.PROT_READ)
"""


@pytest.mark.parametrize("block", [100_000, MB, 48 * MB])
def test_memory_ends_at_the_limit(start_in_tier: StartProbe, block: int) -> None:
    probe = start_in_tier(limits=SMALL)
    probe.run(HOLD)
    assert probe.run(f"hold({block}, 200 * {MB})") <= 64 * MB
    assert not probe.process.memory_exceeded()


def test_most_of_the_limit_can_be_used(start: StartProbe) -> None:
    probe = start(limits=Limits(memory_mb=256))
    probe.run(HOLD)
    assert probe.run(f"hold({MB}, 1000 * {MB})") > 0.9 * 256 * MB


def test_without_limits_the_same_code_takes_more(breached: Callable[..., Probe]) -> None:
    probe = breached(rlimits=False)
    probe.run(HOLD)
    assert probe.run(f"hold({MB}, 100 * {MB})") >= 100 * MB


def test_threads_share_the_limit(start_in_tier: StartProbe) -> None:
    probe = start_in_tier(limits=SMALL)
    probe.run(HOLD)
    probe.run("threading.stack_size(256 * 1024)")
    probe.run("begin = threading.Event()")
    probe.run(f"work = lambda: begin.wait() and hold({MB}, 200 * {MB})")
    probe.run("workers = [threading.Thread(target=work) for _ in range(4)]")
    probe.run("[one.start() for one in workers]")
    probe.run("begin.set() or [one.join() for one in workers]")
    assert probe.run("sum(map(len, kept))") <= 64 * MB


def test_memory_that_the_limit_forgets_is_seen_and_bounded(start_in_tier: StartProbe) -> None:
    probe = start_in_tier(limits=SMALL)
    probe.run(HOLD + HOLD_READ_ONLY)
    probe.run(f"hold_read_only({40 * MB})")
    assert not probe.process.memory_exceeded()
    probe.send(f"hold_read_only({2048 * MB})")
    assert comes(probe.process.memory_exceeded)
    probe.process.kill()
    report = probe.process.exit_report()
    assert report is not None
    assert report.memory_limit_hit


def test_the_look_at_memory_is_not_fooled_by_the_end_of_the_first_thread(start_in_tier: StartProbe) -> None:
    probe = start_in_tier(limits=SMALL)
    probe.run(HOLD + HOLD_READ_ONLY)
    end_of_thread = {"x86_64": 60, "aarch64": 93}[platform.machine()]
    probe.run(f"threading.Thread(target=lambda: time.sleep(0.1) or hold_read_only({200 * MB})).start()")
    probe.send(f"syscall({end_of_thread}, 0)")
    assert comes(probe.process.memory_exceeded)


def test_the_look_at_memory_needs_no_leave_of_the_bot(start_in_tier: StartProbe) -> None:
    """A process may declare itself private; its size, its threads and its state are told all the same."""
    probe = start_in_tier(limits=SMALL)
    probe.run(HOLD + HOLD_READ_ONLY)
    assert probe.run("libc.prctl(4, 0, 0, 0, 0)") == 0, "PR_SET_DUMPABLE"
    probe.send(f"hold_read_only({300 * MB})")
    assert comes(probe.process.memory_exceeded)
    probe.process.freeze()
    assert comes(probe.process.is_stopped)


def test_what_empties_the_hosts_caches_pretends_to_work(inside: Probe) -> None:
    assert inside.run("os.sync()") is None
    assert (
        inside.run("os.posix_fadvise(os.open('bot.py', os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)") is None
    )


def test_memory_that_the_limit_forgets_ends_with_the_address_space(start_in_tier: StartProbe) -> None:
    probe = start_in_tier(limits=SMALL)
    probe.run(HOLD + HOLD_READ_ONLY)
    probe.error(f"hold_read_only({2048 * MB})")
    assert probe.run("4 * len(kept)") <= 64 + ADDRESS_SPACE_EXTRA_MB


@pytest.mark.parametrize(
    ("source", "memory"),
    [
        ("kept = bytearray(10**9)", True),
        ("kept = []\nwhile True: kept.append('x' * 10**6)", True),
        ("import sys\nkept = bytearray(10**6)\nsys.exit(1)", False),
        ("1 / 0", False),
        ("kept = bytearray(40 * 1024 * 1024)", False),
    ],
)
def test_the_report_tells_memory_from_other_ends(run_to_end: RunToEnd, source: str, memory: bool) -> None:
    assert run_to_end(source, SMALL).report.memory_limit_hit == memory


def test_an_author_reads_what_happened(run_to_end: RunToEnd) -> None:
    ended = run_to_end("def think():\n    return bytearray(10**9)\nthink()", SMALL)
    assert ended.report.exit_code == MEMORY_EXIT_CODE
    assert ended.stderr.splitlines()[-1] == "MemoryError"
    assert 'File "/bot/bot.py", line 2, in think' in ended.stderr


def test_no_process_can_be_started(inside: Probe, outside: Probe) -> None:
    for attack in ("os.fork() or os._exit(0)", "subprocess.run(['/usr/bin/true'])"):
        assert inside.error(attack) == "EPERM"
    assert outside.error("subprocess.run(['/usr/bin/true'])") == ""


@pytest.mark.parametrize("tier", ["bwrap-1a", "bwrap-1b"])
def test_threads_end_at_the_limit(start: StartProbe, tier: str) -> None:
    probe = start(open_sandbox(tier), SMALL)
    probe.run("threading.stack_size(64 * 1024)")
    probe.run("waiting = [threading.Thread(target=time.sleep, args=(60,), daemon=True) for _ in range(20)]")
    assert probe.error("[one.start() for one in waiting]") == "RuntimeError"
    assert probe.run("threading.active_count()") <= SMALL.processes


def test_open_files_end_at_the_limit(start_in_tier: StartProbe) -> None:
    probe = start_in_tier()
    probe.run("copies = []")
    assert probe.error("while True: copies.append(os.dup(0))") == "EMFILE"
    assert probe.run("len(copies)") <= OPEN_FILES - 3


def test_signals_waiting_to_be_delivered_are_few(inside: Probe) -> None:
    inside.run("signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])")
    inside.run("waiting = 0\nwhile libc.sigqueue(os.getpid(), signal.SIGRTMIN, 0) == 0: waiting += 1")
    assert inside.run("waiting") <= PENDING_SIGNALS
    inside.run("while signal.sigtimedwait([signal.SIGRTMIN], 0): pass")


def test_no_limit_can_be_raised(inside: Probe) -> None:
    limited = "resource.RLIMIT_DATA resource.RLIMIT_AS resource.RLIMIT_NPROC resource.RLIMIT_NOFILE"
    for name in (*limited.split(), "resource.RLIMIT_CPU"):
        hard = inside.run(f"resource.getrlimit({name})")[1]
        assert hard > 0
        assert inside.error(f"resource.setrlimit({name}, ({hard + 1}, {hard + 1}))") == "ValueError"
    assert inside.error("os.nice(-1)") in {"EPERM", "EACCES"}
    assert inside.error("os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))") == "EPERM"


def test_a_crash_never_reaches_the_hosts_core_handler(inside: Probe) -> None:
    assert inside.run("resource.getrlimit(resource.RLIMIT_CORE)") == [1, 1]


def test_pinning_itself_to_a_core_pretends_to_work(inside: Probe) -> None:
    before = inside.run("sorted(os.sched_getaffinity(0))")
    inside.run("os.sched_setaffinity(0, {0})")
    assert inside.run("sorted(os.sched_getaffinity(0))") == before


def test_the_processor_time_of_dead_threads_is_charged(start_in_tier: StartProbe) -> None:
    probe = start_in_tier()
    probe.run("workers = [threading.Thread(target=spin, args=(0.05,)) for _ in range(3)]")
    first = probe.run("time.process_time_ns()")
    before = probe.process.cpu_ns()
    begun = probe.run("time.process_time_ns()")
    probe.run("[one.start() for one in workers] and [one.join() for one in workers]")
    ended = probe.run("time.process_time_ns()")
    charged = probe.process.cpu_ns() - before
    last = probe.run("time.process_time_ns()")
    # The bot's own clock, read within and around the arena's: however slow the machine, nothing lies between.
    assert 150e6 <= ended - begun <= charged <= last - first


def test_sleeping_costs_no_processor_time(start: StartProbe) -> None:
    probe = start()
    first = probe.run("time.process_time_ns()")
    before = probe.process.cpu_ns()
    probe.run("time.sleep(0.2)")
    charged = probe.process.cpu_ns() - before
    assert charged <= probe.run("time.process_time_ns()") - first
    assert charged < 5e6


def test_processor_time_never_falls_also_after_death(start: StartProbe) -> None:
    probe = start()
    probe.run("spin(0.05)")
    alive = probe.process.cpu_ns()
    probe.process.kill()
    assert probe.process.cpu_ns() >= alive >= 50e6


@pytest.mark.thorough
def test_a_bot_the_referee_forgot_is_ended_by_the_kernel(run_to_end: RunToEnd) -> None:
    ended = run_to_end("while True: pass", Limits(start_ms=0, bank_ms=0))
    assert ended.report.signal in {9, 24}
    # The kernel counts this limit in timer ticks, which a busy virtual machine stretches.
    assert 0.6 * CPU_SLACK_S <= ended.cpu_s <= CPU_SLACK_S + 3


def test_four_bots_at_once_are_charged_what_each_used(stage: Path) -> None:
    """However they share the processor: CPU time, not wall time."""
    sandbox = open_sandbox("bwrap-1a")
    probes = [Probe(sandbox, stage / f"seat{number}") for number in range(4)]
    try:
        for probe in probes:
            probe.run("1")
        before = [probe.process.cpu_ns() for probe in probes]
        for probe in probes:
            probe.send("spin(0.2)")
        for probe in probes:
            read_line(probe.process)
        charged = [probe.process.cpu_ns() - start for probe, start in zip(probes, before, strict=True)]
    finally:
        for probe in probes:
            probe.process.close()
    assert all(0.95 * 200e6 <= used <= 1.05 * 200e6 for used in charged), charged
