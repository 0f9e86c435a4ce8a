"""Answers from a thread some ms after it was stopped once already, and tries to answer twice."""

import json
import os
import sys
import threading
import time

VERDICTS = ("invalid_message",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def later(line):
    os.write(1, line)
    time.sleep(0.002)
    os.write(1, line)


def act(message):
    line = json.dumps({"id": message["id"], "action": message["legal"][0]}).encode() + b"\n"
    threading.Thread(target=later, args=(line,)).start()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
