"""Runs one build from start to end: its output collected, its time, memory and output bounded.

`arena.referee` does the same for bots, which are asked and answered; a build only runs and writes.
"""

import os
import select
import time
from dataclasses import dataclass
from enum import StrEnum

from arena.output import OutputLog
from arena.sandbox.base import ExitReport, LaunchSpec, Sandbox, SandboxedProcess
from arena.sandbox.forks import ForkWatch
from arena.verdicts import ArenaFault

WATCH_S = 0.025
"""How often its memory is looked at: a program fills some 100 MiB in that time."""

READ_BYTES = 1 << 16


class JobEnd(StrEnum):
    """Why a job ended."""

    EXITED = "exited"
    """By itself; `JobResult.report` says how."""
    TIMEOUT = "timeout"
    MEMORY = "memory"
    """More memory than allowed, or more files in its scratch folder."""
    OUTPUT = "output"
    """More on standard output or standard error than allowed."""
    FORKS = "forks"
    """As many processes as allowed for some seconds, or new ones without end."""


@dataclass(frozen=True, slots=True)
class JobResult:
    """What came of a job, whatever it did. Nothing of it runs any more."""

    end: JobEnd
    report: ExitReport
    stdout: bytes
    log: OutputLog
    """What it wrote to standard error: head and tail."""
    wall_ms: int
    cpu_ms: int

    @property
    def succeeded(self) -> bool:
        """It ended by itself with exit code 0."""
        return self.end is JobEnd.EXITED and self.report.exit_code == 0


def run_job(
    sandbox: Sandbox,
    spec: LaunchSpec,
    *,
    deadline_s: float,
    stdout_bytes: int,
    stderr_bytes: int = 8 << 20,
) -> JobResult:
    """Run a job without input to its end, `deadline_s` of wall time, or a limit, whatever comes first.

    Call it from a thread that outlives the job. ArenaFault where the sandbox could not be set up.
    """
    began = time.monotonic()
    process = sandbox.start(spec)
    try:
        forks = ForkWatch(process.pidfd, spec.limits.processes)
        job = _Job(process, forks, stdout_bytes, stderr_bytes)
        process.close_stdin()
        end = job.watch(began + deadline_s)
        process.kill()
        if job.collect() and end is JobEnd.EXITED:
            end = JobEnd.OUTPUT
        report = process.exit_report()
        if report is None or not (report.sandbox_was_set_up or job.log.total or job.stdout):
            raise ArenaFault("the sandbox of a build could not be set up")
        if end is JobEnd.EXITED and report.memory_limit_hit:
            end = JobEnd.MEMORY
        wall_ms = round((time.monotonic() - began) * 1000)
        return JobResult(end, report, bytes(job.stdout), job.log, wall_ms, process.cpu_ns() // 1_000_000)
    finally:
        process.close()


class _Job:
    """Output and limits of a running job."""

    def __init__(
        self, process: SandboxedProcess, forks: ForkWatch, stdout_bytes: int, stderr_bytes: int
    ) -> None:
        self._forks = forks
        self.stdout = bytearray()
        self.log = OutputLog()
        self._process = process
        self._stdout_bytes = stdout_bytes
        self._stderr_bytes = stderr_bytes
        self._open = {process.stdout_fd, process.stderr_fd}

    def watch(self, deadline: float) -> JobEnd:
        """Collect output until the job ends or breaks a limit; it may still run on return."""
        poller = select.poll()
        for descriptor in (*self._open, self._process.pidfd):
            poller.register(descriptor, select.POLLIN)
        looked = time.monotonic()
        while True:
            ready = {descriptor for descriptor, _event in poller.poll(WATCH_S * 1000)}
            for descriptor in ready & self._open:
                if self._read(descriptor) == b"":
                    poller.unregister(descriptor)
                    self._open.discard(descriptor)
            now = time.monotonic()
            if self._too_much():
                return JobEnd.OUTPUT
            if self._process.pidfd in ready:
                return JobEnd.EXITED
            if now >= deadline:
                return JobEnd.TIMEOUT
            if now - looked >= WATCH_S:
                looked = now
                if self._process.memory_exceeded():
                    return JobEnd.MEMORY
                if self._forks.is_bomb():
                    return JobEnd.FORKS

    def collect(self) -> bool:
        """Read what an ended job left in its pipes; say whether it is too much altogether."""
        for descriptor in self._open:
            while self._read(descriptor) and not self._too_much():
                pass
        return self._too_much()

    def _too_much(self) -> bool:
        return len(self.stdout) > self._stdout_bytes or self.log.total > self._stderr_bytes

    def _read(self, descriptor: int) -> bytes | None:
        """Take what is there; b"" at the end of the stream, None when nothing is there now."""
        try:
            data = os.read(descriptor, READ_BYTES)
        except BlockingIOError:
            return None
        if descriptor == self._process.stdout_fd:
            self.stdout += data
        else:
            self.log.add(data)
        return data
