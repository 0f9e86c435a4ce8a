"""Opens as many pipes and pairs of sockets as it may, and fills them all, and plays."""

import json
import os
import socket
import sys

VERDICTS = ("ok",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


kept = []


def act(message):
    if not kept:
        try:
            while True:
                kept.append(os.pipe() if len(kept) % 2 else tuple(s.detach() for s in socket.socketpair()))
        except OSError:
            pass
        for _reader, writer in kept:
            os.set_blocking(writer, False)
            try:
                while os.write(writer, bytes(1 << 20)):
                    pass
            except OSError:
                pass
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
