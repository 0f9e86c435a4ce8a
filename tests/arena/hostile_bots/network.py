"""Tries to reach the network at every action, and plays."""

import json
import socket
import sys

VERDICTS = ("ok",)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def attempt(name, attack):
    """Try something forbidden; only success is worth a word."""
    try:
        attack()
    except (OSError, MemoryError, RuntimeError):
        return
    sys.stderr.write(f"ESCAPED: {name}\n")
    sys.stderr.flush()


def act(message):
    attempt("tcp", lambda: socket.create_connection(("127.0.0.1", 80), 0.2))
    attempt("internet", lambda: socket.create_connection(("192.0.2.1", 80), 0.2))
    attempt(
        "udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", 53))
    )
    attempt("name", lambda: socket.getaddrinfo("example.org", 80))
    attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))

    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
