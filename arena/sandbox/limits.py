"""Resource limits as arguments of `prlimit`, which sets them inside the user namespace and runs the bot.

Set inside, the limit on processes counts this sandbox alone, however busy the user is outside; and root
without CAP_SYS_RESOURCE, as in containers, could not set them from outside.
"""

from arena.orders import Limits

PRLIMIT = "/usr/bin/prlimit"

ADDRESS_SPACE_EXTRA_MB = 512
"""Address space above the memory limit, for code, reserved arenas and thread stacks that hold no memory."""

OPEN_FILES = 64
PENDING_SIGNALS = 256
STACK_MB = 8
CPU_SLACK_S = 10
"""RLIMIT_CPU only ends what the referee's own clock has missed."""

CORE_BYTES = 1
"""Not 0: a core pattern that pipes into a program ignores 0 and dumps; 1 is the kernel's word for never."""

_MB = 1024 * 1024


def prlimit_argv(limits: Limits) -> tuple[str, ...]:
    """Give the command that limits itself, and then becomes the bot whose command follows."""
    memory = limits.memory_mb * _MB
    cpu_s = (limits.start_ms + limits.bank_ms) // 1000 + CPU_SLACK_S
    return (
        PRLIMIT,
        f"--nproc={limits.processes}",
        f"--nofile={OPEN_FILES}",
        f"--fsize={32 * _MB}",
        f"--cpu={cpu_s}:{cpu_s + 2}",
        f"--core={CORE_BYTES}",
        "--msgqueue=0",
        f"--sigpending={PENDING_SIGNALS}",
        f"--memlock={64 * 1024}",
        f"--stack={STACK_MB * _MB}",
        "--rtprio=0",
        "--nice=0",
        f"--data={memory}",
        f"--as={memory + ADDRESS_SPACE_EXTRA_MB * _MB}",
        "--",
    )
