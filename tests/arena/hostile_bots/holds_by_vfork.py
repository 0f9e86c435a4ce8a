"""Tries to hold itself in a vfork, and to become another program, at every action, and plays."""

import ctypes
import json
import os
import platform
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


VFORK, CLONE = {"x86_64": (58, 56), "aarch64": (500, 220)}[platform.machine()]


def act(message):
    attempt("vfork", lambda: syscall(VFORK, 0))
    attempt("a process that shares its memory", lambda: syscall(CLONE, 0x4111, 0, 0, 0, 0))
    attempt("posix_spawn", lambda: os.posix_spawn("/usr/bin/sleep", ["sleep", "60"], {}))
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
