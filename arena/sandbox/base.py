"""What a sandbox is: one per slot, it starts bots and hands back processes the referee can time and stop.

A failure of the sandbox itself is an exception (`ArenaFault`, `SandboxUnavailableError`); whatever a bot does
inside one is a value (`ExitReport`), so that our fault and a bot's fault can never share a code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Protocol

from arena.orders import Limits

BOT_DIR = "/bot"
"""Where a bot finds its own files inside every sandbox, read-only; also its working directory."""

SDK_DIR = "/sdk"
"""Where `engine` and `bots_sdk` lie inside every sandbox, read-only."""

PYTHON_DIR = "/python"
"""Where the arena's own interpreter lies inside every sandbox, read-only."""

SCRATCH_DIR = "/tmp"  # noqa: S108 - inside a sandbox
"""The one writable folder of a build; read-only and empty for a bot that plays."""

BIND_ROOTS = ("/runtime", "/toolchain")
"""Where further folders of the host may be shown inside a sandbox."""

EXIT_UNAVAILABLE = 78
"""Exit code of every command that needs a sandbox on a machine where none works (EX_CONFIG)."""


class Profile(StrEnum):
    """What runs in a sandbox, and so what it may do there."""

    PLAY = "play"
    """A bot in a match: one process with threads, nothing writable, stopped between its turns."""
    BUILD = "build"
    """A compiler with strangers' sources: processes under a cap, a writable `/tmp` of limited size, a look
    at the memory and files of all of it. What it makes leaves through its standard output and nowhere else.
    """


@dataclass(frozen=True, slots=True)
class Bind:
    """A folder or file of the host that a sandbox shows read-only."""

    source: Path
    """On the host; readable by everybody."""
    target: str
    """Inside: a path below `/runtime` or `/toolchain`."""

    def __post_init__(self) -> None:
        target = PurePosixPath(self.target)
        below = any(target.is_relative_to(root) for root in BIND_ROOTS)
        if not below or ".." in target.parts or str(target) != self.target:
            roots = " or ".join(BIND_ROOTS)
            raise ValueError(f"cannot show {self.source} at {self.target!r}; give a plain path below {roots}")


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """One bot to start, or one build: what to run, which files it gets, what it may use."""

    argv: tuple[str, ...]
    """Command as the bot's world sees it (`python_argv(entry)` for a Python bot)."""
    bot_dir: Path
    """Staged files of this bot: regular files only, readable by everybody; shown read-only at `/bot`."""
    limits: Limits = field(default_factory=Limits)
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to the few fixed variables every bot gets; nothing of the host's environment passes."""
    profile: Profile = Profile.PLAY
    binds: tuple[Bind, ...] = ()
    """Tool chains and runtime folders besides the interpreter and the SDK."""
    scratch_mb: int = 0
    """Size of a build's `/tmp` in MiB, held in memory on top of `limits.memory_mb`; 0 for a bot."""
    address_space_mb: int | None = None
    """Address space in MiB for runtimes that reserve far more than they use (Node.js, Go, Java); by default
    half a GiB above the memory limit. What is really used stays bounded by `memory_exceeded`.
    """

    def __post_init__(self) -> None:
        if self.profile is Profile.PLAY and self.scratch_mb:
            raise ValueError(f"a bot that plays has no scratch folder, so no scratch_mb={self.scratch_mb}")


@dataclass(frozen=True, slots=True)
class ExitReport:
    """How a bot's processes ended, as far as the host can tell."""

    exit_code: int | None = None
    """Exit code of the bot, or null when a signal ended it or it never started."""
    signal: int | None = None
    """Signal that ended the bot. An exit code above 128 is read as one, as shells do."""
    memory_limit_hit: bool = False
    """It ended by using more memory than allowed: see `arena.sandbox.process` for what can be told apart."""
    sandbox_was_set_up: bool = True
    """False: the sandbox failed before the bot ran, which is an arena fault unless the bot has been heard."""


class SandboxedProcess(Protocol):
    """A running bot with everything it started. Owned by the thread that started it."""

    stdin_fd: int
    """Our end of the bot's standard input, non-blocking."""
    stdout_fd: int
    """Our end of its standard output, non-blocking; stays readable after `kill` until `close`."""
    stderr_fd: int
    """Our end of its standard error, non-blocking; stays readable after `kill` until `close`."""
    pidfd: int
    """Becomes readable when everything inside has ended; -1 where the host has no pidfds (tier `none`)."""
    bot_pidfd: int
    """Becomes readable when the bot has ended and `let_end` is due; -1 where nothing outlives the bot."""

    def settle(self) -> None:
        """Lay to rest what only waits for the bot's end; from now on `bot_pidfd` must be watched."""

    def let_end(self) -> None:
        """Let what was laid to rest see the end of the bot; without effect where nothing was."""

    def freeze(self) -> None:
        """Stop everything inside until `thaw`; without effect on a dead or frozen process."""

    def is_stopped(self) -> bool:
        """Has the stop reached it? On a busy machine that takes some ms, in which it may compute on."""

    def thaw(self) -> None:
        """Let it run on; without effect on a dead or running process."""

    def cpu_ns(self) -> int:
        """CPU nanoseconds used by everything inside since its start; never falls, also after its death."""

    def memory_exceeded(self) -> bool:
        """Does it hold more memory than its limit allows, or a build more files? Ask at least every 50 ms
        while it runs.
        """

    def kill(self) -> None:
        """End everything inside and reap it; idempotent, and on return nothing of it runs any more."""

    def close_stdin(self) -> None:
        """Close our end of the bot's standard input, so that it sees the end of its requests; idempotent."""

    def close(self) -> None:
        """`kill`, then close our ends of its pipes; idempotent. Every start needs one."""

    def exit_report(self) -> ExitReport | None:
        """How it ended, or null while something inside may still run."""


class PreparedBot(Protocol):
    """A sandbox coming up around a bot that does not run before `start`. It needs `start` or `discard`."""

    def start(self) -> SandboxedProcess:
        """Let the bot run. Raises `arena.verdicts.ArenaFault` when the sandbox could not be set up."""

    def discard(self) -> None:
        """End and remove what was set up; without effect after `start`, idempotent."""


@dataclass(frozen=True, slots=True)
class StartsLater:
    """A bot for which nothing is set up ahead of its start."""

    start: Callable[[], SandboxedProcess]

    def discard(self) -> None:
        """There is nothing to end."""


class Sandbox(Protocol):
    """A way to run bots that this machine has proved to be tight (tier `none` claims nothing)."""

    tier: str
    """Name stored with every match: `bwrap-1a`, `bwrap-1b`, `landlock` or `none`."""

    def prepare(self, spec: LaunchSpec) -> PreparedBot:
        """Begin to set up a sandbox; several of them come up side by side. Call it from a thread that
        outlives the bot, as the kernel kills the sandbox when that thread ends. Raises
        `arena.verdicts.ArenaFault` when the sandbox cannot be set up.
        """

    def start(self, spec: LaunchSpec) -> SandboxedProcess:
        """Set up a sandbox and let its bot run."""

    def use_core(self, core: int | None) -> None:
        """Bind bots to another core, from the next one that is started; None binds them to none."""


@dataclass(frozen=True, slots=True)
class TierReason:
    """Why a tier cannot be used here, and what would change that."""

    tier: str
    reason: str
    remedy: str


class SandboxUnavailableError(Exception):
    """No tier holds on this machine, so no bot is started: there is no unsandboxed path.

    Commands print it and end with `EXIT_UNAVAILABLE` (78).
    """

    exit_code = EXIT_UNAVAILABLE

    def __init__(self, reasons: tuple[TierReason, ...]) -> None:
        self.reasons = reasons
        lines = [f"- {item.tier}: {item.reason}\n  What to do: {item.remedy}" for item in reasons]
        super().__init__("No sandbox works on this machine, so no bot was started.\n" + "\n".join(lines))
