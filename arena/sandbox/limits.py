"""What the kernel limits in a sandbox: for each kind of program the same numbers, whoever sets them.

In bubblewrap's tiers they are set inside the user namespace, by the interpreter of a Python bot before it
turns to the bot's code, by `prlimit` for programs in other languages. Set there, the limit on processes
counts this sandbox alone, however busy the user is outside; and root without CAP_SYS_RESOURCE, as in
containers, could not set them from outside.
"""

from collections.abc import Mapping

from arena.sandbox.base import LaunchSpec, Profile

PRLIMIT = "/usr/bin/prlimit"

ADDRESS_SPACE_EXTRA_MB = 512
"""Address space above the memory limit, for code, reserved arenas and thread stacks that hold no memory."""

BUILD_ADDRESS_SPACE_EXTRA_MB = 4096
"""The same for compilers, whose memory the watchdog bounds."""

OPEN_FILES = 64
BUILD_OPEN_FILES = 512
PENDING_SIGNALS = 256
STACK_MB = 8
FILE_MB = 32
CPU_SLACK_S = 10
"""RLIMIT_CPU only ends what the referee's own clock has missed."""

CORE_BYTES = 1
"""Not 0: a core pattern that pipes into a program ignores 0 and dumps; 1 is the kernel's word for never."""

_MB = 1024 * 1024


def resource_limits(spec: LaunchSpec) -> Mapping[str, tuple[int, int]]:
    """Give soft and hard limit in bytes, seconds or pieces, by the lower-case name of `RLIMIT_*`."""
    limits, building = spec.limits, spec.profile is Profile.BUILD
    extra_mb = BUILD_ADDRESS_SPACE_EXTRA_MB if building else ADDRESS_SPACE_EXTRA_MB
    space_mb = max(limits.memory_mb, spec.address_space_mb or limits.memory_mb + extra_mb)
    cpu_s = (limits.start_ms + limits.bank_ms) // 1000 + CPU_SLACK_S
    numbers = {
        "nproc": limits.processes,
        "nofile": BUILD_OPEN_FILES if building else OPEN_FILES,
        "fsize": max(spec.scratch_mb, FILE_MB) * _MB,
        "core": CORE_BYTES,
        "msgqueue": 0,
        "sigpending": PENDING_SIGNALS,
        "memlock": 64 * 1024,
        "stack": STACK_MB * _MB,
        "rtprio": 0,
        "nice": 0,
        "data": limits.memory_mb * _MB,
        "as": space_mb * _MB,
    }
    return {"cpu": (cpu_s, cpu_s + 2), **{name: (number, number) for name, number in numbers.items()}}


def prlimit_argv(limits: Mapping[str, tuple[int, int]]) -> tuple[str, ...]:
    """Give the command that limits itself, and then becomes the program whose command follows."""
    options = (f"--{name}={soft}:{hard}" for name, (soft, hard) in limits.items())
    return (PRLIMIT, *options, "--")
