"""Opens the memory, files and namespaces of every process it can guess at every action, and plays."""

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


def act(message):
    own = os.getpid()
    for pid in (1, 2, os.getppid(), *range(3, 60)):
        if pid == own:
            continue
        attempt(f"memory of {pid}", lambda pid=pid: os.close(os.open(f"/proc/{pid}/mem", os.O_RDWR)))
        attempt(f"environment of {pid}", lambda pid=pid: open(f"/proc/{pid}/environ").read(1))
        attempt(f"files of {pid}", lambda pid=pid: os.listdir(f"/proc/{pid}/fd"))
        attempt(f"root of {pid}", lambda pid=pid: os.listdir(f"/proc/{pid}/root/"))
        attempt(f"attaching to {pid}", lambda pid=pid: syscall(101, 16, pid, 0, 0))
        attempt(f"handle of {pid}", lambda pid=pid: syscall(438, os.pidfd_open(pid), 0, 0))
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
