"""Looks for secrets on the host at every action, and plays."""

import json
import os
import sys

VERDICTS = ("ok",)


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
    for path in ("/etc/passwd", "/etc/shadow", "/root/.bashrc", "/proc/1/environ", "/proc/1/mem", "/var/lib"):
        attempt(
            path, lambda path=path: os.listdir(path) if path.endswith("lib") else os.open(path, os.O_RDONLY)
        )
    attempt("the host", lambda: os.listdir("/home"))

    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
