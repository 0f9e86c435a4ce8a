"""Leaves with exit code 0 instead of its third answer."""

import itertools
import json
import sys

VERDICTS = ("crash",)
asked = itertools.count()


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    if next(asked) == 2:
        sys.exit(0)
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
