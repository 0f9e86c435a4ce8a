"""Answers with bytes that are not UTF-8."""

import json
import sys

VERDICTS = ("invalid_message",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    sys.stdout.buffer.write(b'{"id": 1, "action": "\xff\xb7"}\n')
    sys.stdout.buffer.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
