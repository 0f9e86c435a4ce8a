"""Answers, and answers again after a moment."""

import json
import sys
import threading
import time

VERDICTS = ("invalid_message",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def again(message):
    time.sleep(0.001)
    say({"id": message["id"], "action": message["legal"][-1]})


def act(message):
    say({"id": message["id"], "action": message["legal"][0]})
    threading.Thread(target=again, args=(message,)).start()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
