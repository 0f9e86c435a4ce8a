"""Reads address 0 at its second action."""

import ctypes
import itertools
import json
import sys

VERDICTS = ("crash",)
asked = itertools.count()


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    if next(asked) == 1:
        ctypes.string_at(0)
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
