"""Answers with words that are no action."""

import json
import sys

VERDICTS = ("illegal_action", "invalid_message")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    say({"id": message["id"], "action": "fold \u202e\u0007"})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
