"""Starts threads until it may not, and plays."""

import json
import os
import sys
import threading
import time

VERDICTS = ("ok",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def start_threads():
    threading.stack_size(64 * 1024)
    started = 0
    try:
        while started < 1000:
            threading.Thread(target=threading.Event().wait, daemon=True).start()
            started += 1
    except RuntimeError:
        return
    time.sleep(0.3)  # where only a look ends it, it is ended by now: there is one every 50 ms
    sys.stderr.write("ESCAPED: 1000 threads\n")


start_threads()


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
