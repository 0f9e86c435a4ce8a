"""Writes half an answer and hangs."""

import json
import sys
import time

VERDICTS = ("timeout",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    sys.stdout.write('{"id":')
    sys.stdout.flush()
    time.sleep(3600)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
