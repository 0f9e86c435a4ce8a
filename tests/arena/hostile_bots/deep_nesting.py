"""Answers with brackets nested ten thousand deep."""

import json
import sys

VERDICTS = ("invalid_message",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    sys.stdout.write('{"id":1,"action":' + "[" * 10000 + "]" * 10000 + "}\n")
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
