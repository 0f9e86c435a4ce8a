"""Writes half of its answer at once and the rest just after its deadline."""

import json
import os
import sys
import time

VERDICTS = ("timeout",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    line = json.dumps({"id": message["id"], "action": message["legal"][0]}).encode() + b"\n"
    os.write(1, line[:-1])
    time.sleep(message["time"]["move_ms"] / 1000 + 3)
    os.write(1, line[-1:])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
