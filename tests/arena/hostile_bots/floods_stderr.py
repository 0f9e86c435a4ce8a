"""Writes to its log without end."""

import json
import sys

VERDICTS = ("output_limit",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    while True:
        sys.stderr.write("log " * 16384 + "\n")


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
