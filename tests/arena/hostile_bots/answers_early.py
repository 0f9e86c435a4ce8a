"""Sends the answer to the next request along with this one."""

import json
import sys

# The second when the referee stops it between its two lines: then the early one comes after its request.
VERDICTS = ("invalid_message", "illegal_action")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    say({"id": message["id"], "action": message["legal"][0]})
    say({"id": message["id"] + 1, "action": "pass"})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
