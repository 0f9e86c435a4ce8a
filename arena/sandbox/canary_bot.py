"""A bot that tries to escape: run inside a sandbox before the sandbox is trusted. Standard library only.

Reads one JSON line that names decoys, tries everything, answers with one line `{attack: what came of it}`
where an empty text means the attack failed as it should. Then it spins in a thread; at the next line it
starts more threads than allowed, says what came of it, and keeps them until it is killed.
"""

import ctypes
import errno
import json
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
PR_GET_NO_NEW_PRIVS = 39
CAPABILITY_VERSION_3 = 0x20080522
PTRACE_CONT = 7
CLONE_NEWUSER = 0x10000000
ATTEMPTED_DIRECTORIES = (
    "/ /tmp /bot /sdk /python /dev /dev/shm /etc /var/tmp /run /usr /usr/lib /usr/local /proc /home"
)


def refused(attack: Callable[[], object]) -> str:
    """Empty when the attack raises OSError or MemoryError, else what it got."""
    try:
        got = attack()
    except (OSError, MemoryError):
        return ""
    return f"it got {str(got)[:120]!r}"


def call(result: int) -> int:
    """Raise OSError for a C library call that failed."""
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def connect(family: int, address: Any) -> str:
    """Open a connection that must not be there."""
    with socket.socket(family) as connection:
        connection.settimeout(1)
        connection.connect(address)
        return f"connected to {address!r}"


def read(path: str, mode: str = "rb") -> bytes:
    """Read a file that must not be there."""
    with open(path, mode) as file:
        return bytes(file.read(0) if "+" in mode else file.read(80))


def write_somewhere() -> str:
    """Try to leave a file anywhere."""
    written = []
    for directory in ATTEMPTED_DIRECTORIES.split(" "):
        path = os.path.join(directory, "canary")
        try:
            with open(path, "w") as file:
                file.write("tweet")
        except OSError:
            continue
        os.unlink(path)
        written.append(directory)
    return f"it could write to {' '.join(written)}" if written else ""


def open_descriptors() -> str:
    """Nothing but the three pipes may be open."""
    found = []
    for descriptor in range(3, 1024):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(descriptor)
    return f"it inherited the descriptors {found}" if found else ""


def privileges() -> str:
    """No capability, none to pass on, no new ones by a set-uid program (so that a bounding set is idle)."""
    header, sets = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0), (ctypes.c_uint32 * 6)()
    call(LIBC.capget(header, sets))
    if any(sets):
        return f"it holds capabilities: {[f'{word:08x}' for word in sets]}"
    if LIBC.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        return "it could gain privileges by a set-uid program"
    return "" if os.getuid() != 0 and os.geteuid() != 0 else "it is root inside"


def send_anywhere(addresses: list[str]) -> str:
    """A pair of sockets needs no network; one of datagrams could write to any name."""
    for address in addresses:
        got = refused(lambda: send(address))  # noqa: B023
        if got:
            return got
    return ""


def send(address: str) -> str:
    """Send a datagram to a name, as one half of a pair."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs:
        ours.sendto(b"tweet", address)
        return f"an answer from {address!r}"


def change_settings(pid: int) -> str:
    """Slow another process down, or take its files away."""
    for attack in (
        lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
        lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)),
        lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)),
    ):
        got = refused(attack)
        if got:
            return got
    return ""


def change_attributes(path: str) -> str:
    """Shut a file of somebody else, or the folder of its own."""
    for target in (path, "/proc/self", os.getcwd()):
        got = refused(lambda: os.chmod(target, 0o700)) or refused(lambda: os.utime(target))  # noqa: B023
        if got:
            return got
    return ""


def too_many(limit: int, what: str, open_one: Callable[[], Any]) -> str:
    """Make more of something than allowed; a limit stops it with an error."""
    kept: list[Any] = []
    try:
        while len(kept) <= limit:
            kept.append(open_one())
    except (OSError, RuntimeError, MemoryError):
        return ""
    return f"it has {len(kept)} {what}, {limit} are allowed"


def threads_over(limit: int) -> str:
    """Start more threads than processes are allowed, and keep them."""
    stop = threading.Event()

    def start() -> threading.Thread:
        thread = threading.Thread(target=stop.wait, daemon=True)
        thread.start()
        return thread

    threading.stack_size(256 * 1024)
    return too_many(limit, "threads", start)


def fork() -> int:
    """Start a process; the child must not be."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def trace() -> str:
    """Ask to go on with a process that does not exist: whoever may trace hears that, others are refused."""
    LIBC.ptrace(PTRACE_CONT, 0, 0, 0)
    return "it may trace processes" if ctypes.get_errno() == errno.ESRCH else ""


def attacks(decoys: dict[str, Any]) -> Iterable[tuple[str, Callable[[], str]]]:
    """Every attack by the name that the doctor prints."""
    pid, memory = int(decoys["pid"]), int(decoys["memory_mb"])
    known = set(decoys["environment"])
    yield "network", lambda: refused(lambda: connect(socket.AF_INET, ("127.0.0.1", decoys["port"])))
    yield "sockets", lambda: refused(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close())
    yield "host sockets", lambda: refused(lambda: connect(socket.AF_UNIX, "\0" + decoys["abstract"]))
    yield "datagrams", lambda: send_anywhere(decoys["datagrams"])
    yield "files of others", lambda: refused(lambda: read(decoys["secret"]))
    yield "attributes of files", lambda: change_attributes(decoys["secret"])
    yield "settings of others", lambda: change_settings(pid)
    yield "other processes", lambda: refused(lambda: os.kill(pid, 0))
    yield "process memory", lambda: refused(lambda: read("/proc/1/mem", "rb+"))
    yield "environment", lambda: " ".join(sorted(set(os.environ) - known))
    yield "descriptors", open_descriptors
    yield "writing", write_somewhere
    yield "privileges", privileges
    yield "processes", lambda: refused(fork)
    yield "namespaces", lambda: refused(lambda: call(LIBC.unshare(CLONE_NEWUSER)))
    yield "memory", lambda: refused(lambda: len(bytearray((memory + 16) * 1024 * 1024)))
    yield (
        "open files",
        lambda: too_many(int(decoys["open_files"]), "open files", lambda: os.fdopen(os.dup(0))),
    )
    yield "hidden memory", lambda: refused(lambda: os.memfd_create("canary"))
    yield "waking itself", lambda: refused(lambda: os.kill(os.getpid(), signal.SIGCONT))
    yield "leaving its group", lambda: refused(lambda: os.setpgid(0, 0))
    yield "tracing", trace


def spin() -> None:
    """Think on other people's time."""
    while True:
        sum(range(1000))


def say(something: Any) -> None:
    """Answer with a line."""
    sys.stdout.write(json.dumps(something) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Attack, answer, and go on computing."""
    decoys = json.loads(sys.stdin.readline())
    results = {}
    for name, attack in attacks(decoys):
        try:
            results[name] = attack()
        except Exception as error:  # an attack that breaks has not been shown to fail
            results[name] = f"could not be tried: {error!r}"
    threading.Thread(target=spin, daemon=True).start()
    say(results)
    sys.stdin.readline()
    say(threads_over(int(decoys["processes"])))
    sys.stdin.readline()


main()
