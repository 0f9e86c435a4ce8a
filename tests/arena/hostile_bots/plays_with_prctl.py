"""Changes every setting of its process that a parent or referee could rely on at every action, and plays."""

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


PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_MM, PR_SCHED_CORE = 1, 4, 22, 35, 62


def refused(*arguments):
    if libc.prctl(*arguments) != 0:
        raise OSError(ctypes.get_errno(), "refused")


def act(message):
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(36, 1, 0, 0, 0)  # reaper of its descendants
    libc.prctl(41, 1, 0, 0, 0)  # no huge pages
    libc.prctl(29, 1_000_000_000, 0, 0, 0)  # a timer that may be a second late
    attempt("the signal at its parent's death", lambda: refused(PR_SET_PDEATHSIG, 0, 0, 0, 0))
    attempt("a filter of its own", lambda: refused(PR_SET_SECCOMP, 2, 0, 0, 0))
    attempt("another map of its memory", lambda: refused(PR_SET_MM, 1, 4096, 0, 0))
    attempt("a core of its own", lambda: refused(PR_SCHED_CORE, 1, 0, 0, 0))
    attempt("no_new_privs taken back", lambda: refused(38, 0, 0, 0, 0))
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
