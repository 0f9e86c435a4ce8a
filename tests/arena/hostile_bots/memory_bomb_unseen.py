"""Fills memory and makes it read-only, which RLIMIT_DATA then forgets."""

import ctypes
import json
import mmap
import os
import sys

VERDICTS = ("memory_limit",)

if os.environ.get("OPENSSL_CONF") != "/dev/null":  # as every sandbox has it
    sys.exit("This bot is for sandboxes only: outside it would do real harm.")
SIZE = 8 * 1024 * 1024
kept = []
libc = ctypes.CDLL(None)


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def act(message):
    while True:
        block = mmap.mmap(-1, SIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        block.write(b"x" * SIZE)
        kept.append(block)
        address = ctypes.addressof(ctypes.c_char.from_buffer(block))
        libc.mprotect(ctypes.c_void_p(address), SIZE, mmap.PROT_READ)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
