"""Closes its standard input after the handshake, answers once, and hangs."""

import json
import os
import sys
import time

VERDICTS = ("timeout", "crash", "invalid_message")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    os.close(0)
    say({"id": message["id"], "action": message["legal"][0]})
    time.sleep(3600)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
