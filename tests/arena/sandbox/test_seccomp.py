"""The filter, run step by step as the kernel would run it: which calls pass, on which machine."""

import errno
import platform
import re
import struct
from pathlib import Path

import pytest

from arena.sandbox.seccomp import FCNTL_ALLOWED, Rule, Why, filter_program, rules
from arena.sandbox.syscalls import AUDIT_ARCH, LAST_KNOWN, NUMBERS

ALLOW, KILL = "allow", "kill"

BOTH = pytest.mark.parametrize("machine", ["x86_64", "aarch64"])


def decide(program: bytes, arch: int, number: int, *arguments: int) -> str | int:
    """What the kernel does with a call: `allow`, `kill`, or fail with this errno."""
    data = struct.pack("=IIQ6Q", number, arch, 0, *(arguments + (0,) * (6 - len(arguments))))
    steps = list(struct.iter_unpack("=HBBI", program))
    accumulator, at = 0, 0
    for _ in range(len(steps)):
        code, if_true, if_false, k = steps[at]
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, k)
            case 0x54:
                accumulator &= k
            case 0x15:
                at += if_true if accumulator == k else if_false
            case 0x25:
                at += if_true if accumulator > k else if_false
            case 0x35:
                at += if_true if accumulator >= k else if_false
            case 0x45:
                at += if_true if accumulator & k else if_false
            case 0x06:
                action = k & 0xFFFF_0000
                return {0x7FFF_0000: ALLOW, 0x8000_0000: KILL, 0x0005_0000: k & 0xFFFF}[action]
            case _:
                raise AssertionError(f"no such instruction: {code:#x}")
    raise AssertionError("the program does not end")


class Filter:
    """A policy on a machine, asked by the name of a call."""

    def __init__(self, machine: str, *, forking: bool = False) -> None:
        self.machine = machine
        self.program = filter_program(machine=machine, forking=forking)

    def __call__(self, call: str, *arguments: int) -> str | int:
        return decide(self.program, AUDIT_ARCH[self.machine], NUMBERS[self.machine][call], *arguments)


@BOTH
@pytest.mark.parametrize("forking", [False, True])
def test_every_rule_without_an_argument_refuses_its_call(machine: str, forking: bool) -> None:
    ask = Filter(machine, forking=forking)
    for rule in rules(forking=forking):
        if rule.argument is None and rule.call in NUMBERS[machine]:
            assert ask(rule.call) == rule.error, rule.call


@BOTH
def test_a_call_without_a_rule_passes(machine: str) -> None:
    ask = Filter(machine)
    refused = {
        number for call, number in NUMBERS[machine].items() if call in {r.call for r in rules(forking=False)}
    }
    for number in set(range(LAST_KNOWN + 1)) - refused:
        assert decide(ask.program, AUDIT_ARCH[machine], number) == ALLOW


@BOTH
def test_calls_nobody_knew_are_not_there(machine: str) -> None:
    for number in (LAST_KNOWN + 1, 500, 4096, 0x3FFF_FFFF):
        assert decide(Filter(machine).program, AUDIT_ARCH[machine], number) == errno.ENOSYS


@BOTH
def test_another_architecture_is_killed(machine: str) -> None:
    program = Filter(machine).program
    for arch in (0x40000003, 0xC00000B7 if machine == "x86_64" else 0xC000003E, 0):
        assert decide(program, arch, 39) == KILL
    if machine == "x86_64":
        assert decide(program, AUDIT_ARCH[machine], 0x4000_0000 | 39) == KILL


@BOTH
@pytest.mark.parametrize(
    ("call", "index"),
    [
        ("kill", 1),
        ("tkill", 1),
        ("tgkill", 2),
        ("rt_sigqueueinfo", 1),
        ("rt_tgsigqueueinfo", 2),
        ("pidfd_send_signal", 1),
    ],
)
def test_only_sigcont_is_refused(machine: str, call: str, index: int) -> None:
    ask = Filter(machine)
    for number in range(65):
        arguments = [7] * index + [number]
        assert ask(call, *arguments) == (errno.EPERM if number == 18 else ALLOW)
    high = [7] * index + [18 | 1 << 32]
    assert ask(call, *high) == errno.EPERM, "the kernel looks at 32 bits of a signal"


@BOTH
def test_threads_start_and_processes_do_not(machine: str) -> None:
    ask = Filter(machine)
    thread = 0x3D0F00  # what glibc's pthread_create asks for
    assert ask("clone", thread) == ALLOW
    for flags in (17, 0x1200011, 0x4111, thread & ~0x400, thread | 17, thread | 0x10000000):
        assert ask("clone", flags) == errno.EPERM
    assert ask("clone3") == errno.ENOSYS


@BOTH
def test_forking_bots_start_processes_that_cannot_wake_them(machine: str) -> None:
    ask = Filter(machine, forking=True)
    assert ask("clone", 17) == ALLOW
    assert ask("clone", 0x4111) == ALLOW, "posix_spawn"
    assert ask("clone", 18) == errno.EPERM, "a child whose death would send SIGCONT"
    for new_namespace in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert ask("clone", 17 | new_namespace) == errno.EPERM


@BOTH
def test_memory_no_limit_counts_is_refused(machine: str) -> None:
    ask = Filter(machine)
    private, shared, anonymous = 2, 1, 0x20
    assert ask("mmap", 0, 4096, 3, private | anonymous) == ALLOW
    assert ask("mmap", 0, 4096, 1, private) == ALLOW
    assert ask("mmap", 0, 4096, 1, shared) == ALLOW, "a file"
    assert ask("mmap", 0, 4096, 3, shared | anonymous) == errno.EPERM
    assert ask("mmap", 0, 4096, 3, 3 | anonymous) == errno.EPERM, "MAP_SHARED_VALIDATE"
    assert ask("mmap", 0, 4096, 3, private | anonymous | 0x100) == errno.ENOMEM, "MAP_GROWSDOWN"
    assert ask("mmap", 0, 4096, 3, private | anonymous | 0x40000) == errno.ENOMEM, "MAP_HUGETLB"
    assert Filter(machine, forking=True)("mmap", 0, 4096, 3, shared | anonymous) == errno.EPERM


@BOTH
def test_a_build_may_lock_files_and_a_bot_may_not(machine: str) -> None:
    set_lock, set_signal = 6, 10
    for forking, expected in ((True, ALLOW), (False, errno.EPERM)):
        ask = Filter(machine, forking=forking)
        assert ask("flock", 3, 2) == expected
        assert ask("fcntl", 3, set_lock) == expected
        assert ask("fcntl", 3, set_signal) == errno.EPERM


@BOTH
def test_only_local_sockets_open(machine: str) -> None:
    ask = Filter(machine)
    assert ask("socket", 1) == ALLOW
    assert {ask("socket", family) for family in range(46) if family != 1} == {errno.EAFNOSUPPORT}


@BOTH
def test_descriptors_are_controlled_by_a_short_list(machine: str) -> None:
    ask = Filter(machine)
    for command in range(2048):
        assert ask("fcntl", 0, command) == (ALLOW if command in FCNTL_ALLOWED else errno.EPERM)


@BOTH
def test_nobody_types_into_a_terminal(machine: str) -> None:
    ask = Filter(machine)
    assert ask("ioctl", 0, 0x5412) == errno.EPERM
    assert ask("ioctl", 0, 0x541C) == errno.EPERM
    assert ask("ioctl", 0, 0x5401) == ALLOW


@BOTH
def test_pinning_pretends_to_work(machine: str) -> None:
    assert Filter(machine)("sched_setaffinity") == 0


@BOTH
def test_jumps_stay_inside_the_program(machine: str) -> None:
    steps = list(struct.iter_unpack("=HBBI", Filter(machine).program))
    assert len(steps) < 4096, "the kernel's limit"
    for at, (code, if_true, if_false, _k) in enumerate(steps):
        if code in {0x15, 0x25, 0x35, 0x45}:
            assert at + 1 + max(if_true, if_false) < len(steps)


def test_every_rule_says_what_it_protects_and_names_a_known_call() -> None:
    every: list[Rule] = [*rules(forking=False), *rules(forking=True)]
    assert {rule.why for rule in every} == set(Why)
    for rule in every:
        assert rule.call in NUMBERS["x86_64"]


def test_an_unknown_machine_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="riscv64"):
        filter_program(machine="riscv64")


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@BOTH
def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not installed")
    text = HEADERS[machine].read_text()
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text))
    compared = {call: number for call, number in NUMBERS[machine].items() if call in known}
    assert len(compared) > 90, platform.release()
    assert compared == {call: int(known[call]) for call in compared}
