"""Writes its answer one byte a second."""

import json
import sys
import time

VERDICTS = ("timeout",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    for character in json.dumps({"id": message["id"], "action": message["legal"][0]}) + "\n":
        sys.stdout.write(character)
        sys.stdout.flush()
        time.sleep(1)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
