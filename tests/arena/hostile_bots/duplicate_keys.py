"""Names its action twice in one answer."""

import json
import sys

VERDICTS = ("invalid_message",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    first, last = json.dumps(message["legal"][0]), json.dumps(message["legal"][-1])
    sys.stdout.write(f'{{"id":{message["id"]},"action":{first},"action":{last}}}\n')
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
