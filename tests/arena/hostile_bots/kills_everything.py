"""Signals every process it can think of at every action, and plays."""

import json
import os
import signal
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
    except (OSError, MemoryError, RuntimeError):
        return
    sys.stderr.write(f"ESCAPED: {name}\n")
    sys.stderr.flush()


def act(message):
    for pid in (-1, *range(3, 400)):
        attempt(f"kill {pid}", lambda pid=pid: os.kill(pid, signal.SIGKILL))
    os.kill(1, signal.SIGKILL)

    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
