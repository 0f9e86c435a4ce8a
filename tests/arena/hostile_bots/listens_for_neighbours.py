"""Looks for sockets of neighbours, of the host and of the network at every action, and plays."""

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


def attempt(name, attack):
    """Try something forbidden; only success is worth a word."""
    try:
        attack()
    except (OSError, MemoryError, RuntimeError, ValueError):
        return
    sys.stderr.write(f"ESCAPED: {name}\n")
    sys.stderr.flush()


def meet():
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(0.01)
        client.connect("\0thousand-neighbour")


def act(message):
    attempt("a neighbour that listens", meet)
    for name in ("/run/dbus/system_bus_socket", "/var/run/docker.sock", "\0/tmp/.X11-unix/X0", "\0neighbour"):
        attempt(name, lambda name=name: socket.socket(socket.AF_UNIX).connect(name))
    attempt(
        "a pair of datagrams",
        lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"x", "\0thousand-neighbour"),
    )
    attempt("a multicast", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
