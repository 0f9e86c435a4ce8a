"""Tier 2, `landlock`: one process with threads behind Landlock, our filter and limits, without namespaces.

For default containers and hosts where bubblewrap may not make namespaces. A bot keeps the host's numbers of
processes and, unless the arena is root, its user; so the filter refuses everything that reaches others by
number, owner or socket. Builds, which fork and write, are not run here.
"""

import ctypes
import os
import resource
import signal
import struct
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from arena.sandbox.base import (
    PYTHON_DIR,
    LaunchSpec,
    Profile,
    SandboxedProcess,
    StartsLater,
)
from arena.sandbox.bootstrap import gated_python
from arena.sandbox.cores import Cores
from arena.sandbox.environment import (
    DEVICES,
    ENVIRONMENT,
    HIDDEN_FOLDERS,
    SYSTEM_FILES,
    SYSTEM_FOLDERS,
)
from arena.sandbox.identity import SlotUsers
from arena.sandbox.landlock import landlock_abi, open_ruleset, restrict_self
from arena.sandbox.landlock_process import LandlockProcess
from arena.sandbox.limits import resource_limits
from arena.sandbox.orphans import adopt_orphans
from arena.sandbox.places import Places
from arena.sandbox.runtime import python_runtime
from arena.sandbox.seccomp import filter_program
from arena.verdicts import ArenaFault

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
SECCOMP_MODE_FILTER = 2

_ANY_PID = 0x7A7A_7A7A
"""Stands in the filter where the bot's pid goes once it has one. Above every pid, and no other number."""

_libc = ctypes.CDLL(None, use_errno=True)


class _FilterProgram(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


@dataclass(frozen=True, slots=True)
class LandlockWalls:
    """What keeps a bot in. The defaults are the whole of it; tests take a wall down to see it missed."""

    landlock: bool = True
    seccomp: bool = True
    lone: bool = True
    """The filter's rules for a bot without namespaces."""
    rlimits: bool = True


class LandlockSandbox:
    """One slot's sandbox. Start bots from the main thread of a small process: it forks."""

    tier = "landlock"

    def __init__(
        self,
        *,
        slot: int = 0,
        half: int | None = None,
        walls: LandlockWalls | None = None,
    ) -> None:
        landlock_abi()
        self._walls = walls or LandlockWalls()
        self._free_uids = list(SlotUsers.for_slot(slot, half).uids)
        self._runtime = python_runtime()
        self._system = _system_files()
        self._cores = Cores()
        self._filter = filter_program(lone_pid=_ANY_PID)
        self._filter_alone = filter_program()
        adopt_orphans()

    def start(self, spec: LaunchSpec) -> SandboxedProcess:
        """Start a bot; see `Sandbox.start`."""
        return self.prepare(spec).start()

    def prepare(self, spec: LaunchSpec) -> "PreparedLandlock | StartsLater":
        """Begin to set up a sandbox; see `Sandbox.prepare`. Only a Python bot has a gate to wait at."""
        if spec.profile is Profile.BUILD:
            raise ArenaFault("builds need bubblewrap; the tier landlock plays bots only")
        limits = dict(resource_limits(spec)) if self._walls.rlimits else {}
        if os.geteuid() != 0:
            # Counted for the whole user, it would refuse threads because of what runs elsewhere.
            limits.pop("nproc", None)
        gated = gated_python(spec.argv, limits)
        if gated is None:
            return StartsLater(partial(self._begin, spec, spec.argv, limits))
        return PreparedLandlock(self._begin(spec, gated, {}), self._cores.settle)

    def use_core(self, core: int | None) -> None:
        """Bind bots to another core; see `Sandbox.use_core`."""
        self._cores.use(core)

    def _begin(
        self, spec: LaunchSpec, argv: tuple[str, ...], limits: Mapping[str, tuple[int, int]]
    ) -> LandlockProcess:
        uid = None
        if os.geteuid() == 0:
            if not self._free_uids:
                raise ArenaFault("every user of this slot is running a bot already; close one first")
            uid = self._free_uids.pop(0)
        try:
            bot = self._confined(spec, uid, argv, limits)
        except BaseException as error:
            self._release(uid)
            if isinstance(error, OSError | subprocess.SubprocessError):
                raise ArenaFault(f"the sandbox could not be started: {error}") from error
            raise
        return LandlockProcess(bot, spec.limits, lambda: self._release(uid), counted=uid is not None)

    def _release(self, uid: int | None) -> None:
        if uid is not None:
            self._free_uids.append(uid)

    def _confined(
        self,
        spec: LaunchSpec,
        uid: int | None,
        argv: tuple[str, ...],
        limits: Mapping[str, tuple[int, int]],
    ) -> "subprocess.Popen[bytes]":
        places = Places.of(spec, self._runtime.sdk, {PYTHON_DIR: str(self._runtime.python)})
        environment = places.environment({**ENVIRONMENT, **spec.env})

        def launch(*command: str) -> "subprocess.Popen[bytes]":
            with self._cores.spread():
                return subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    env=environment,
                    cwd=spec.bot_dir,
                    start_new_session=True,
                    preexec_fn=self._confinement(os.getpid(), uid, limits, ruleset),
                )

        ruleset = None
        if self._walls.landlock:
            shown = [*self._system, *map(Path, places.hosts.values())]
            ruleset = open_ruleset(shown, [Path("/dev/null")])
        command = places.command(argv)
        try:
            return launch(*command)
        except OSError as error:
            if error.filename != command[0]:
                raise
            # Its command cannot be run: that is the bot's doing, and it ends as a shell would end it.
            words = f"{argv[0]}: {error.strerror}"
            return launch("/bin/sh", "-c", 'echo "$1" >&2; exit 127', "sh", words)
        finally:
            if ruleset is not None:
                os.close(ruleset)

    def _confinement(
        self, parent: int, uid: int | None, limits: Mapping[str, tuple[int, int]], ruleset: int | None
    ) -> Callable[[], None]:
        """What the new process does to itself before it becomes the bot."""
        walls = self._walls
        numbers = [(getattr(resource, f"RLIMIT_{name.upper()}"), pair) for name, pair in limits.items()]

        def confine() -> None:
            if uid is not None:
                _become(uid)
            if 0 in os.getresuid():
                raise PermissionError("a bot must not run as root")
            if os.sched_getscheduler(0) != os.SCHED_OTHER:
                os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)  # the referee died before the kernel knew that we go with it
            _prctl(PR_SET_NO_NEW_PRIVS, 1)
            if ruleset is not None:
                restrict_self(ruleset)
            if walls.seccomp:
                program = self._filter_alone
                if walls.lone:
                    program = self._filter.replace(
                        struct.pack("=I", _ANY_PID), struct.pack("=I", os.getpid())
                    )
                pointer = _FilterProgram(len(program) // 8, program)
                _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(pointer))
            # Last, as the small memory of a bot may be less than what this fork of the arena holds.
            for number, pair in numbers:
                resource.setrlimit(number, pair)

        return confine


class PreparedLandlock:
    """A Python bot whose interpreter waits at the gate."""

    def __init__(self, process: LandlockProcess, settle: Callable[[int], None]) -> None:
        self._process = process
        self._settle = settle
        self._over = False

    def start(self) -> LandlockProcess:
        """Open the gate."""
        self._over = True
        self._settle(self._process.pid)
        with suppress(BrokenPipeError):  # ended at the gate: its exit report will say so
            os.write(self._process.stdin_fd, b"\n")
        return self._process

    def discard(self) -> None:
        """End a bot that nobody wants."""
        if not self._over:
            self._over = True
            self._process.close()


def _system_files() -> list[Path]:
    """What of the host's system every bot may read and run."""
    hidden = [Path(folder) for folder in HIDDEN_FOLDERS]
    folders = [part for top in ("/usr", *SYSTEM_FOLDERS) for part in _without(Path(top), hidden)]
    return [*folders, *map(Path, (*SYSTEM_FILES, *DEVICES))]


def _without(folder: Path, hidden: list[Path]) -> list[Path]:
    """The folder, or all in it but what is hidden: Landlock can only add."""
    if folder.is_symlink() or not any(path.is_relative_to(folder) for path in hidden):
        return [folder] if folder not in hidden and not folder.is_symlink() else []
    with suppress(FileNotFoundError):
        return [
            part
            for inside in folder.iterdir()
            if inside not in hidden and not inside.is_symlink()
            for part in _without(inside, hidden)
        ]
    return []


def _become(uid: int) -> None:
    """Turn from root into the slot's user, with no capability left to regain."""
    for capability in range(64):
        with suppress(OSError):  # the kernel knows some 40
            _prctl(PR_CAPBSET_DROP, capability)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _prctl(option: int, value: int, pointer: int = 0) -> None:
    arguments = [ctypes.c_ulong(number) for number in (value, pointer, 0, 0)]
    if _libc.prctl(ctypes.c_int(option), *arguments) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"prctl {option}: {os.strerror(error)}")
