"""Spins in threads until the moment it is told that the match is over, and does not end."""

import json
import os
import sys
import threading

VERDICTS = ("ok",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def spin():
    while True:
        sum(range(1000))


def act(message):
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        for _ in range(8):
            threading.Thread(target=spin).start()
