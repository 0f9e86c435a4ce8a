"""Begins its answer with a byte-order mark."""

import json
import sys

VERDICTS = ("invalid_message",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    answer = json.dumps({"id": message["id"], "action": message["legal"][0]})
    sys.stdout.buffer.write(b"\xef\xbb\xbf" + answer.encode() + b"\n")
    sys.stdout.buffer.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
