"""The gate a bot waits at until its sandbox will die with its referee, and what can go wrong before.

Bubblewrap ends with its parent (`--die-with-parent`), but its process inside asks for that late: a referee
killed in the milliseconds of a start would leave a bot that runs for ever. So the bot's command begins with a
program of ours that waits for a line on its standard input, which is written only when the process inside is
armed: the interpreter of a Python bot, else a shell. The end of that input, as when the referee dies, ends it
and with it the sandbox.
"""

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.bootstrap import BOOTSTRAP

START_TIMEOUT_S = 10.0
"""A sandbox that is not at the gate by then has failed; the usual figure is 5 ms."""

LOOK_EVERY_S = 0.0003

GATE_ARGV = ("/bin/sh", "-c", 'read -r go && exec "$@"', "gate")

_GATES = {GATE_ARGV[2].encode(), BOOTSTRAP.encode()}
_STUCK_AFTER_S = 5.0


class SetUpError(Exception):
    """Bubblewrap did not bring a bot to the gate; what there was of it has been ended and reaped."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The two processes of a sandbox, by the host's numbers."""

    init_pid: int
    init_pidfd: int
    """Bubblewrap's pid 1 inside: when it has ended, everything has."""
    bot_pid: int
    bot_pidfd: int
    group: int
    """Process group of the bot, `init` included, that nothing inside can leave."""


def wait_for_gate(monitor: subprocess.Popen[bytes], status_fd: int, *, filtered: bool) -> Inside:
    """Wait until the bot stands at the gate and its sandbox would die with us."""
    deadline = time.monotonic() + START_TIMEOUT_S
    init_pid = None
    try:
        while time.monotonic() < deadline:
            time.sleep(LOOK_EVERY_S)
            init_pid = init_pid or status_value(status_fd, "child-pid")
            bot_pid = _bot_at_gate(init_pid, filtered=filtered) if init_pid else None
            if init_pid and bot_pid:
                return _open(init_pid, bot_pid)
            if monitor.poll() is not None:
                raise SetUpError("bubblewrap gave up")
        raise SetUpError(f"bubblewrap was not ready within {START_TIMEOUT_S:.0f} s")
    except BaseException:
        _clear_away(monitor, init_pid)
        raise


def status_value(status_fd: int, key: str) -> int | None:
    """Read a number from the lines of JSON that bubblewrap writes (`child-pid`, at the end `exit-code`)."""
    for line in os.pread(status_fd, 4096, 0).splitlines(keepends=True):
        if line.endswith(b"\n"):
            value = json.loads(line).get(key)
            if value is not None:
                return int(value)
    return None


def _bot_at_gate(init_pid: int, *, filtered: bool) -> int | None:
    """Give the pid of `init`'s child once `init` is armed: it asks for its death signal just before it loads
    the filter, so the filter tells.
    """
    armed = b"\nSeccomp:\t2\n" if filtered else b"\nSeccomp:\t0\n"
    with suppress(FileNotFoundError, ProcessLookupError):
        children = Path(f"/proc/{init_pid}/task/{init_pid}/children").read_bytes().split()
        if children and armed in Path(f"/proc/{init_pid}/status").read_bytes():
            return int(children[0])
    return None


def _open(init_pid: int, bot_pid: int) -> Inside:
    try:
        init_pidfd = os.pidfd_open(init_pid)
    except ProcessLookupError as error:
        raise SetUpError("bubblewrap's process ended at the gate") from error
    try:
        return Inside(init_pid, init_pidfd, bot_pid, os.pidfd_open(bot_pid), os.getpgid(bot_pid))
    except ProcessLookupError as error:
        os.close(init_pidfd)
        raise SetUpError("the bot's process ended at the gate") from error


def _clear_away(monitor: subprocess.Popen[bytes], init_pid: int | None) -> None:
    """End and reap what a failed set-up left: the monitor, and `init` if that has become our child."""
    if monitor.poll() is None:
        if init_pid is not None:  # its parent has not reaped it, so the number is still its own
            with suppress(ProcessLookupError):
                os.kill(init_pid, signal.SIGKILL)
        monitor.kill()
        monitor.wait()
    if init_pid is not None:
        with suppress(ChildProcessError):
            os.waitpid(init_pid, 0)


def stat_fields(pid: int | str) -> list[str]:
    """`/proc/<pid>/stat` from its third field on: state, parent, …; `pid` may name a thread below `task`."""
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()


def end_stuck(older_than_s: float = _STUCK_AFTER_S) -> None:
    """End processes of bubblewrap that hang because their referee was killed in the middle of a start.

    Between arming itself and waking the process inside, the monitor takes some us; killed just then, it
    leaves that process waiting for ever, before it has run anything. It is known by its command and by a
    parent that is not bubblewrap. Nothing alive looks like that for longer than a moment.
    """
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                if _is_stuck(folder, older_than_s):
                    os.kill(int(folder.name), signal.SIGKILL)


def _is_stuck(process: Path, older_than_s: float) -> bool:
    if not _is_bubblewrap(process):
        return False
    fields = stat_fields(int(process.name))
    age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    in_own_namespace = os.readlink(process / "ns/user") != os.readlink("/proc/self/ns/user")
    return in_own_namespace and age_s > older_than_s and not _is_bubblewrap(Path("/proc") / fields[1])


def _is_bubblewrap(process: Path) -> bool:
    words = (process / "cmdline").read_bytes().split(b"\0")
    return words[1:2] == [b"--args"] and bool(_GATES & set(words))
