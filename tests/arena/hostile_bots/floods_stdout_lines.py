"""Writes lines without end instead of one answer."""

import json
import sys

VERDICTS = ("invalid_message", "output_limit")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    while True:
        sys.stdout.write('{"id":1,"action":"pass"}\n' * 1000)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
