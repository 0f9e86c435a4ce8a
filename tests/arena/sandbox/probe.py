"""A bot that does what a test tells it: the attacker inside a sandbox, or outside one as the control."""

import json
import os
import select
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.orders import Limits
from arena.sandbox import LaunchSpec, Profile, Sandbox, SandboxedProcess, python_argv

PATIENCE_S = 60.0
"""For whatever comes at once on a quiet machine: past it something hangs, and is not slow."""

SOURCE = '''\
import ctypes, errno, fcntl, json, mmap, os, resource, signal, socket, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
world = globals()

def syscall(number, *arguments):
    """Make a system call by number; raise OSError when it fails."""
    result = libc.syscall(number, *[ctypes.c_long(argument) for argument in arguments])
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def grab(path, mode="rb"):
    with open(path, mode) as file:
        return file.read(64)

def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

for line in sys.stdin:
    try:
        code = json.loads(line)
        try:
            answer = {"value": eval(code, world)}
        except SyntaxError:
            exec(code, world)
            answer = {"value": None}
    except OSError as error:
        answer = {"error": errno.errorcode.get(error.errno, str(error))}
    except BaseException as error:
        answer = {"error": type(error).__name__}
    print(json.dumps(answer, default=repr), flush=True)
'''


class Refused(Exception):
    """The probe's code raised; the text is the error's name (`EPERM`, `MemoryError`)."""


class Probe:
    """One started probe."""

    def __init__(
        self,
        sandbox: Sandbox,
        folder: Path,
        limits: Limits | None = None,
        profile: Profile = Profile.PLAY,
    ) -> None:
        self.tier = sandbox.tier
        self.process: SandboxedProcess = sandbox.start(
            LaunchSpec(python_argv("bot.py"), stage_bot(folder, SOURCE), limits or Limits(), profile=profile)
        )

    def run(self, code: str, timeout: float = PATIENCE_S) -> Any:
        """Evaluate an expression (or execute statements) inside; give its value as JSON carries it."""
        self.send(code)
        answer = json.loads(read_line(self.process, timeout))
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["value"]

    def send(self, code: str) -> None:
        """Start an evaluation without waiting for it."""
        os.write(self.process.stdin_fd, json.dumps(code).encode() + b"\n")

    def error(self, code: str) -> str:
        """The name of the error the code ends with; empty when it succeeds."""
        try:
            self.run(code)
        except Refused as refused:
            return str(refused)
        return ""


def stage_bot(folder: Path, source: str, entry: str = "bot.py") -> Path:
    """Write a bot of one file into a folder that every user can read."""
    folder.mkdir(exist_ok=True)
    path = folder / entry
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    path.chmod(0o644)
    path.parent.chmod(0o755)
    folder.chmod(0o755)
    return folder


def read_line(process: SandboxedProcess, timeout: float = PATIENCE_S) -> bytes:
    """One line from the bot; AssertionError with its log when there is none."""
    poller = select.poll()
    poller.register(process.stdout_fd, select.POLLIN)
    deadline = time.monotonic() + timeout
    line = b""
    while not line.endswith(b"\n"):
        ready = poller.poll(max(0.0, deadline - time.monotonic()) * 1000)
        chunk = os.read(process.stdout_fd, 1) if ready else b""
        assert chunk, f"no answer; log: {read_all(process.stderr_fd).decode(errors='replace')}"
        line += chunk
    return line


def read_all(handle: int) -> bytes:
    """What a non-blocking pipe holds now."""
    content = b""
    while True:
        try:
            chunk = os.read(handle, 65_536)
        except BlockingIOError:
            return content
        if not chunk:
            return content
        content += chunk


def wait_for_end(process: SandboxedProcess, timeout: float = PATIENCE_S) -> None:
    """Until everything inside has ended."""
    assert ends(process.pidfd, timeout), "still running"


def ends(pidfd: int, timeout: float = PATIENCE_S) -> bool:
    """Whether the process of a handle ends while we wait for it."""
    poller = select.poll()
    poller.register(pidfd, select.POLLIN)
    return bool(poller.poll(timeout * 1000))


def comes(condition: Callable[[], bool], timeout: float = PATIENCE_S) -> bool:
    """Whether a condition comes to hold while we wait for it."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True
