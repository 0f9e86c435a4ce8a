"""Answers with an action that is never legal."""

import json
import sys

VERDICTS = ("illegal_action",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    say({"id": message["id"], "action": "bid 999"})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
