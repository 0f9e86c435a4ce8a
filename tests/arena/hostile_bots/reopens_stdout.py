"""Closes its standard output, opens it again through /proc and otherwise, and answers there."""

import json
import os
import sys

VERDICTS = ("ok",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    kept = os.dup(1)
    os.close(1)
    try:
        os.open(f"/proc/self/fd/{kept}", os.O_WRONLY)
    except OSError:
        os.dup2(kept, 1)
    os.close(kept)
    line = json.dumps({"id": message["id"], "action": message["legal"][0]})
    os.write(1, line.encode() + b"\n")


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
