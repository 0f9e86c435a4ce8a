"""Tries to leave files behind at every action, and plays."""

import json
import os
import sys
import tempfile

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
    for directory in ("/", "/tmp", "/bot", "/sdk", "/dev/shm", "/dev", "/var/tmp", "/usr", "/home"):
        attempt(
            directory,
            lambda directory=directory: os.open(os.path.join(directory, "left"), os.O_CREAT | os.O_WRONLY),
        )
    attempt("tempfile", lambda: tempfile.mkdtemp())
    attempt("unlink", lambda: os.unlink(__file__))

    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
