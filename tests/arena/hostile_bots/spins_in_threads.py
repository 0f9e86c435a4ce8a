"""Answers at once, with three threads that never stop computing."""

import json
import sys
import threading

VERDICTS = ("ok", "timeout")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def spin():
    while True:
        sum(range(1000))


for _ in range(3):
    threading.Thread(target=spin, daemon=True).start()


def act(message):
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
