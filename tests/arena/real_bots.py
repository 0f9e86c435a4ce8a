"""Bots as one-file artifacts for tests with real processes: the shortest program that misbehaves as named."""

from pathlib import Path

# Answers properly without the SDK; `{first}`, `{before}` and `{after}` are where the misbehaviour goes.
PLAIN = """\
import json, os, signal, sys, time
def say(text):
    os.write(1, text.encode() if isinstance(text, str) else text)
for line in sys.stdin.buffer:
    message = json.loads(line)
    if message["type"] == "hello":
{first}
        say('{{"type":"ready"}}\\n')
    elif message["type"] == "act":
        number, legal = message["id"], message["legal"]
        choice = next(text for text in reversed(legal) if text != "concede")
{before}
        say(json.dumps({{"id": number, "action": choice}}) + "\\n")
{after}
"""


def source(*, first: str = "pass", before: str = "pass", after: str = "pass") -> str:
    """A proper bot with a statement before `ready`, before each answer, or after it."""
    parts = {"first": first, "before": before, "after": after}
    return PLAIN.format(
        **{name: " " * 8 + code.replace("\n", "\n" + " " * 8) for name, code in parts.items()}
    )


def write_bot(folder: Path, code: str, name: str = "bot") -> Path:
    """Write a one-file artifact."""
    path = folder / f"{name}.py"
    path.write_text(code)
    return path
