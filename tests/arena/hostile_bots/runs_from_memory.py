"""Tries to run a program that lies in no file, and to run one from a pipe, at every action, and plays."""

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


def from_memory():
    file = os.memfd_create("program", 0)
    os.write(file, open("/usr/bin/true", "rb").read())
    os.execve(f"/proc/self/fd/{file}", ["true"], {})


def from_a_file_without_a_name():
    file = os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o700)
    os.write(file, open("/usr/bin/true", "rb").read())
    os.execve(file, ["true"], {})


def act(message):
    attempt("a program in memory", from_memory)
    attempt("a program in a file without a name", from_a_file_without_a_name)
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
