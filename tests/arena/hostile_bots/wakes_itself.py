"""Tries every way to run on while it is frozen, and plays."""

import ctypes
import json
import os
import signal
import sys
import threading

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
    except (OSError, MemoryError, RuntimeError):
        return
    sys.stderr.write(f"ESCAPED: {name}\n")
    sys.stderr.flush()


def timer():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.timer_create(1, None, ctypes.byref(ctypes.c_void_p())) != 0:
        raise OSError(ctypes.get_errno(), "no timer")


def act(message):
    attempt("SIGCONT", lambda: os.kill(os.getpid(), signal.SIGCONT))
    attempt("SIGCONT to its group", lambda: os.kill(0, signal.SIGCONT))
    attempt("setpgid", lambda: os.setpgid(0, 0))
    attempt("setsid", os.setsid)
    attempt("timer", timer)
    attempt("a thread's SIGCONT", lambda: signal.pthread_kill(threading.get_ident(), signal.SIGCONT))

    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
