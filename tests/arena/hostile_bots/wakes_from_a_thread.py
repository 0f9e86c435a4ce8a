"""Has threads that send SIGCONT without end, and computes in others while it should be stopped, and plays."""

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress

VERDICTS = ("ok",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def wake():
    while True:
        for send in (
            os.kill,
            lambda pid, number: os.killpg(0, number),
            lambda _pid, number: signal.pthread_kill(main, number),
        ):
            with suppress(OSError):
                send(os.getpid(), signal.SIGCONT)
        time.sleep(0.0005)


main = threading.main_thread().ident
signal.signal(signal.SIGCONT, lambda *_: None)


def act(message):
    if threading.active_count() < 4:
        threading.Thread(target=wake, daemon=True).start()
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
