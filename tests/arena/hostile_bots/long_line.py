"""Answers with one line of 200 kB."""

import json
import sys

VERDICTS = ("invalid_message", "output_limit")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    say({"id": message["id"], "action": message["legal"][0], "why": "x" * 200_000})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
