"""Makes, stretches and maps files of terabytes wherever it may write at every action, and plays."""

import json
import mmap
import os
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


def stretch(folder):
    file = os.open(f"{folder}/sparse", os.O_CREAT | os.O_RDWR)
    os.ftruncate(file, 1 << 42)
    os.posix_fallocate(file, 0, 1 << 30)


def act(message):
    for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/bot", "."):
        attempt(f"a sparse file in {folder}", lambda folder=folder: stretch(folder))
        attempt(f"a link in {folder}", lambda folder=folder: os.symlink("/etc/shadow", f"{folder}/link"))
        attempt(f"a pipe in {folder}", lambda folder=folder: os.mkfifo(f"{folder}/pipe"))
    attempt("an anonymous shared map", lambda: mmap.mmap(-1, 1 << 20))
    say({"id": message["id"], "action": message["legal"][0]})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "act":
        act(message)
    else:
        break
