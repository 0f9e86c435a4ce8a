"""Asks for io_uring, userfaultfd, bpf, perf, keys and rulesets of its own at every action, and plays."""

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


# Numbers from 424 on are the same everywhere.
CALLS = {"io_uring_setup": 425, "landlock_create_ruleset": 444, "memfd_secret": 447, "fsopen": 430}
if platform.machine() == "x86_64":
    CALLS |= {"userfaultfd": 323, "bpf": 321, "perf_event_open": 298, "keyctl": 250, "add_key": 248}


def act(message):
    room = ctypes.addressof(ctypes.create_string_buffer(256))
    for name, number in CALLS.items():
        attempt(name, lambda number=number: syscall(number, 1, room, 0, 0, 0))
    attempt("a call that is not known", lambda: syscall(470, 0, 0, 0, 0, 0))
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
