"""Tiers 1a and 1b: bubblewrap with every namespace, a read-only world, our seccomp filter and limits.

A bot sees its own files at `/bot`, the interpreter at `/python`, the SDK at `/sdk` and the distribution's
`/usr`, all read-only; no network, no other process, no writable place, three pipes and an emptied
environment. Tier 1b leaves `/proc` out, for containers whose `/proc` is masked.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.base import BOT_DIR, SCRATCH_DIR, SDK_DIR, LaunchSpec, Profile
from arena.sandbox.bootstrap import gated_python
from arena.sandbox.cgroups import ControlGroup, Hierarchies, find_hierarchies, remove_leftovers
from arena.sandbox.cores import Cores
from arena.sandbox.environment import (
    DEVICES,
    ENVIRONMENT,
    HIDDEN_FOLDERS,
    SYSTEM_FILES,
    SYSTEM_FOLDERS,
)
from arena.sandbox.gate import GATE_ARGV, Inside, SetUpError, end_stuck, wait_for_gate
from arena.sandbox.identity import SlotUsers
from arena.sandbox.limits import prlimit_argv, resource_limits
from arena.sandbox.memory import BotMemory, BuildMemory, open_scratch
from arena.sandbox.orphans import adopt_orphans
from arena.sandbox.process import UNLIMITED_MB, BubblewrapProcess
from arena.sandbox.runtime import python_runtime
from arena.sandbox.seccomp import filter_program
from arena.verdicts import ArenaFault


@dataclass(frozen=True, slots=True)
class Walls:
    """What keeps a bot in. The defaults are the whole of it; tests take a wall down to see it missed."""

    seccomp: bool = True
    rlimits: bool = True
    own_network: bool = True
    read_only: bool = True
    hidden_init: bool = True
    """Bubblewrap's process inside cannot be opened through `/proc/1`."""


class BubblewrapSandbox:
    """One slot's sandbox. Start bots from the main thread only; the kernel ends them with that thread.

    Makes this process the parent of its descendants' orphans, so open it in runners and commands, not in a
    process that lives for weeks.
    """

    def __init__(
        self,
        *,
        proc: bool = True,
        slot: int = 0,
        half: int | None = None,
        bwrap: Path | None = None,
        walls: Walls | None = None,
    ) -> None:
        self.tier = "bwrap-1a" if proc else "bwrap-1b"
        self._proc = proc
        self._walls = walls or Walls()
        self._bwrap = bwrap or bubblewrap_path()
        self._free_uids = list(SlotUsers.for_slot(slot, half).uids)
        self._cores = Cores()
        self._runtime = python_runtime()
        self._filters = {
            profile: filter_program(forking=profile is Profile.BUILD) if self._walls.seccomp else None
            for profile in Profile
        }
        self._hierarchies = find_hierarchies()
        remove_leftovers(self._hierarchies)
        adopt_orphans()
        end_stuck()

    def start(self, spec: LaunchSpec) -> BubblewrapProcess:
        """Start a bot; see `Sandbox.start`."""
        return self.prepare(spec).start()

    def prepare(self, spec: LaunchSpec) -> "PreparedBubblewrap":
        """Begin to set up a sandbox; see `Sandbox.prepare`."""
        with ExitStack() as undo:
            uid = self._take_uid()
            undo.callback(self._release, uid)
            try:
                prepared = self._prepare(spec, uid)
            except OSError as error:
                raise ArenaFault(f"the sandbox could not be started: {error}") from error
            undo.pop_all()
            return prepared

    def use_core(self, core: int | None) -> None:
        """Bind bots to another core; see `Sandbox.use_core`."""
        self._cores.use(core)

    def _take_uid(self) -> int | None:
        if os.geteuid() != 0:
            return None
        if not self._free_uids:
            raise ArenaFault("every user of this slot is running a bot already; close one first")
        return self._free_uids.pop(0)

    def _release(self, uid: int | None) -> None:
        if uid is not None:
            self._free_uids.append(uid)

    def _prepare(self, spec: LaunchSpec, uid: int | None) -> "PreparedBubblewrap":
        with ExitStack() as ours, ExitStack() as theirs:
            stdin_inside, stdin = _pipe(theirs, ours)
            stdout, stdout_inside = _pipe(ours, theirs)
            stderr, stderr_inside = _pipe(ours, theirs)
            # A file and not a pipe: writing to it neither wakes us nor fails when we are dead.
            status = _memory_file("status", b"", ours)
            arguments = [*self._arguments(spec), "--json-status-fd", str(status)]
            passed = [status]
            program = self._filters[spec.profile]
            if program is not None:
                passed.append(_memory_file("seccomp", program, theirs))
                arguments += ["--seccomp", str(passed[-1])]
            passed.append(_memory_file("arguments", "\0".join([*arguments, ""]).encode(), theirs))
            with self._cores.spread():
                monitor = subprocess.Popen(
                    [str(self._bwrap), "--args", str(passed[-1]), "--", *self._command(spec)],
                    stdin=stdin_inside,
                    stdout=stdout_inside,
                    stderr=stderr_inside,
                    pass_fds=passed,
                    env={},
                    cwd="/",
                    start_new_session=True,
                    user=uid,
                    group=uid,
                    extra_groups=None if uid is None else [],
                )
            return PreparedBubblewrap(
                spec=spec,
                monitor=monitor,
                pipes=(stdin, stdout, stderr),
                status_fd=status,
                descriptors=ours.pop_all(),
                filtered=program is not None,
                settle=self._cores.settle,
                hierarchies=self._hierarchies,
                on_end=lambda: self._release(uid),
            )

    def _command(self, spec: LaunchSpec) -> tuple[str, ...]:
        limits = resource_limits(spec) if self._walls.rlimits else {}
        gated = gated_python(spec.argv, limits)
        return gated or GATE_ARGV + (prlimit_argv(limits) if limits else ()) + spec.argv

    def _arguments(self, spec: LaunchSpec) -> Iterator[str]:
        """Options of bubblewrap, passed through a file so that no process list shows the host's paths."""
        yield from ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts")
        yield "--unshare-cgroup-try"
        if self._walls.own_network:
            yield "--unshare-net"
        # Run by root, bubblewrap leaves every capability to the bot unless told otherwise.
        yield from ("--uid", "1000", "--gid", "1000", "--hostname", "bot", "--cap-drop", "ALL")
        yield from ("--die-with-parent", "--new-session", "--clearenv")
        for name, value in {**ENVIRONMENT, **spec.env}.items():
            yield from ("--setenv", name, value)
        yield from self._files()
        if spec.scratch_mb:
            # Its files may be programs. How many there may be, no option of a mount says: see `BuildMemory`.
            yield from ("--size", str(spec.scratch_mb << 20), "--perms", "1777", "--tmpfs", SCRATCH_DIR)
        else:
            yield from ("--dir", SCRATCH_DIR)
        for bind in spec.binds:
            yield from ("--ro-bind", str(bind.source), bind.target)
        yield from ("--ro-bind", str(spec.bot_dir), BOT_DIR, "--chdir", BOT_DIR)
        # The root is a fresh file system in memory, writable and without a size unless shut.
        if self._walls.read_only:
            yield from ("--remount-ro", "/")

    def _files(self) -> Iterator[str]:
        yield from ("--ro-bind", "/usr", "/usr")
        for hidden in HIDDEN_FOLDERS:
            if Path(hidden).is_dir():
                yield from ("--tmpfs", hidden, "--remount-ro", hidden)
        for top in SYSTEM_FOLDERS:
            if Path(top).is_symlink():
                yield from ("--symlink", os.readlink(top), top)
            elif Path(top).is_dir():
                yield from ("--ro-bind", top, top)
        for name in SYSTEM_FILES:
            yield from ("--ro-bind-try", name, name)
        if self._proc:
            yield from ("--proc", "/proc")
            if self._walls.hidden_init:
                yield from ("--tmpfs", "/proc/1", "--remount-ro", "/proc/1")
        for device in DEVICES:
            yield from ("--dev-bind", device, device)
        yield from ("--ro-bind", str(self._runtime.python), "/python")
        yield from ("--ro-bind", str(self._runtime.sdk), SDK_DIR)


class PreparedBubblewrap:
    """A sandbox coming up, with its bot at the gate in the end."""

    def __init__(
        self,
        *,
        spec: LaunchSpec,
        monitor: "subprocess.Popen[bytes]",
        pipes: tuple[int, int, int],
        status_fd: int,
        descriptors: ExitStack,
        filtered: bool,
        settle: Callable[[int], None],
        hierarchies: Hierarchies,
        on_end: Callable[[], None],
    ) -> None:
        self._hierarchies = hierarchies
        self._spec = spec
        self._monitor = monitor
        self._pipes = pipes
        self._status_fd = status_fd
        self._descriptors = descriptors
        self._filtered = filtered
        self._settle = settle
        self._on_end = on_end
        self._over = False

    def start(self) -> BubblewrapProcess:
        """Wait until the bot stands at the gate, and open it."""
        process = self._at_gate()
        with suppress(BrokenPipeError):  # ended at the gate: its exit report will say so
            os.write(self._pipes[0], b"\n")
        return process

    def discard(self) -> None:
        """End a sandbox that nobody wants; its gate stays shut."""
        if not self._over:
            with suppress(ArenaFault):
                self._at_gate().close()

    def _at_gate(self) -> BubblewrapProcess:
        inside = self._wait()
        self._over = True
        group = None
        try:
            group = _group(self._spec, inside, self._hierarchies)
            memory = _memory(self._spec, inside)
            _settle(inside.bot_pid)
            self._settle(inside.bot_pid)
        except BaseException as error:
            signal.pidfd_send_signal(inside.init_pidfd, signal.SIGKILL)
            self._monitor.wait()
            if group is not None:
                group.close()
            self._give_up()
            if isinstance(error, OSError):
                raise ArenaFault(f"the sandbox could not be set up: {error}") from error
            raise
        return BubblewrapProcess(
            monitor=self._monitor,
            inside=inside,
            pipes=self._pipes,
            status_fd=self._status_fd,
            memory_mb=self._spec.limits.memory_mb,
            memory=memory,
            group=group,
            on_end=self._on_end,
        )

    def _wait(self) -> Inside:
        try:
            return wait_for_gate(self._monitor, self._status_fd, filtered=self._filtered)
        except SetUpError as error:
            said = _said(self._pipes[2]) or error
            self._give_up()
            raise ArenaFault(f"the sandbox could not be set up: {said}") from error
        except BaseException:
            self._give_up()
            raise

    def _give_up(self) -> None:
        self._over = True
        self._descriptors.close()
        self._on_end()


def bubblewrap_path() -> Path:
    """Give the program: `$BWRAP`, else the distribution's, else the first on the path.

    Raises FileNotFoundError when there is none.
    """
    chosen = os.environ.get("BWRAP") or "/usr/bin/bwrap"
    found = shutil.which(chosen) or ("BWRAP" not in os.environ and shutil.which("bwrap"))
    if not found:
        raise FileNotFoundError(f"{chosen} is not installed")
    return Path(found)


def _pipe(read_side: ExitStack, write_side: ExitStack) -> tuple[int, int]:
    reader, writer = os.pipe2(os.O_CLOEXEC)
    read_side.callback(os.close, reader)
    write_side.callback(os.close, writer)
    return reader, writer


def _memory_file(name: str, content: bytes, stack: ExitStack) -> int:
    handle = os.memfd_create(name, os.MFD_CLOEXEC)
    stack.callback(os.close, handle)
    os.write(handle, content)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


def _memory(spec: LaunchSpec, inside: Inside) -> BotMemory | BuildMemory:
    limit_mb = spec.limits.memory_mb + UNLIMITED_MB
    if spec.profile is Profile.PLAY:
        return BotMemory(inside.bot_pid, limit_mb)
    scratch = open_scratch(inside.bot_pid, SCRATCH_DIR) if spec.scratch_mb else None
    return BuildMemory(inside.init_pid, limit_mb, scratch)


def _group(spec: LaunchSpec, inside: Inside, hierarchies: Hierarchies) -> ControlGroup | None:
    """A group around the bot, where groups can bound memory: a file in a build's scratch folder is memory."""
    if not hierarchies.limits_memory:
        return None
    memory_mb = spec.limits.memory_mb + UNLIMITED_MB + spec.scratch_mb
    processes = spec.limits.processes if spec.profile is Profile.BUILD else None
    group = ControlGroup(hierarchies, memory_mb=memory_mb, processes=processes)
    try:
        group.attach(inside.bot_pid)
    except OSError:
        group.close()
        raise
    return group


def _said(stderr: int) -> str:
    """Bubblewrap's own words."""
    os.set_blocking(stderr, False)
    try:
        return os.read(stderr, 4096).decode(errors="replace").strip()
    except BlockingIOError:
        return ""


def _settle(bot_pid: int) -> None:
    """What the bot gets while it stands at the gate.

    Short of memory, the host ends bots first. A worker run with a real-time priority does not pass it on.
    """
    with suppress(OSError), open(f"/proc/{bot_pid}/oom_score_adj", "w") as file:
        file.write("1000")
    if os.sched_getscheduler(0) != os.SCHED_OTHER:
        os.sched_setscheduler(bot_pid, os.SCHED_OTHER, os.sched_param(0))
