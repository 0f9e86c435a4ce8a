"""Makes and enters namespaces in every way it knows at every action, and plays."""

import ctypes
import json
import os
import sys

VERDICTS = ("ok",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def attempt(name, attack):
    """Try something forbidden; only success is worth a word."""
    try:
        attack()
    except (OSError, MemoryError, RuntimeError, ValueError):
        return
    sys.stderr.write(f"ESCAPED: {name}\n")
    sys.stderr.flush()


libc = ctypes.CDLL(None, use_errno=True)


def syscall(number, *arguments):
    if libc.syscall(number, *[ctypes.c_long(argument) for argument in arguments]) == -1:
        raise OSError(ctypes.get_errno(), "refused")


# user, mount, pid, network, ipc, uts, cgroup, time
KINDS = (0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000, 0x00000080)


def enter(name):
    file = os.open(f"/proc/self/ns/{name}", os.O_RDONLY)
    try:
        if libc.setns(file, 0) != 0:
            raise OSError(ctypes.get_errno(), "refused")
    finally:
        os.close(file)


def unshare(kind):
    if libc.unshare(kind) != 0:
        raise OSError(ctypes.get_errno(), "refused")


def act(message):
    for kind in KINDS:
        attempt(f"unshare {kind:x}", lambda kind=kind: unshare(kind))
    for name in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup"):
        attempt(f"setns {name}", lambda name=name: enter(name))
    attempt("chroot", lambda: os.chroot("/tmp"))
    attempt("uid map", lambda: os.write(os.open("/proc/self/uid_map", os.O_WRONLY), b"0 0 1"))
    attempt("clone3", lambda: syscall(435, 0, 88))
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
