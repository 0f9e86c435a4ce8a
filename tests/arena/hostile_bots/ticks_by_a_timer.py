"""Waits on timers of the kernel's in threads that compute whenever one rings, and plays."""

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


libc = ctypes.CDLL(None, use_errno=True)


signal.signal(signal.SIGALRM, lambda *_: sum(range(200)))


def ring():
    """A thread that wakes by a timer every ms and computes a little."""
    timer = libc.timerfd_create(1, 0)
    libc.timerfd_settime(timer, 0, (ctypes.c_long * 4)(0, 1_000_000, 0, 1_000_000), None)
    while True:
        os.read(timer, 8)
        sum(range(2000))


def act(message):
    if threading.active_count() < 4:
        threading.Thread(target=ring, daemon=True).start()
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
