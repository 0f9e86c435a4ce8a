"""Closes its standard output when it is to act, and hangs."""

import json
import os
import sys
import time

VERDICTS = ("timeout", "crash")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    os.close(1)
    time.sleep(3600)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
