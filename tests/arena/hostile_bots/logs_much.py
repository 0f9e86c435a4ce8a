"""Writes a page to its log at every action, and plays."""

import json
import sys

VERDICTS = ("ok",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    sys.stderr.write("thinking about it\n" * 50)
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
