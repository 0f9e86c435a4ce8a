"""Ties its pipes together with splice and tee, so that its requests come back as answers."""

import json
import os
import sys

VERDICTS = ("invalid_message",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    reader, writer = os.pipe()
    os.write(writer, json.dumps(message).encode() + b"\n")
    try:
        os.splice(reader, 1, 1 << 16)
    except (AttributeError, OSError):
        os.write(1, os.read(reader, 1 << 16))


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
