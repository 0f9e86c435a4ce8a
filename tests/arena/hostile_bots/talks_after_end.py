"""Plays, and prints its opinion when the match is over."""

import json
import sys

VERDICTS = ("ok",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break

sys.stdout.write("good game\n" * 1000)
