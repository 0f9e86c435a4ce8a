"""Grows its environment, its name and its arguments as far as they go at every action, and plays."""

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


def grow():
    for number in range(200):
        os.environ[f"X{number}"] = "x" * 100_000
    os.execve(sys.executable, [sys.executable, *(["x" * 100_000] * 200)], dict(os.environ))


def act(message):
    if os.environ:
        attempt("an environment of 20 MB", grow)
        os.environ.clear()
    libc.prctl(15, b"/usr/sbin/worker", 0, 0, 0)
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
