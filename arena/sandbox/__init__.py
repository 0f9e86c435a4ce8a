"""Runs strangers' code and lets it reach nothing: not the host, not the network, not the other bots."""

from arena.sandbox.base import (
    EXIT_UNAVAILABLE,
    Bind,
    ExitReport,
    LaunchSpec,
    PreparedBot,
    Profile,
    Sandbox,
    SandboxedProcess,
    SandboxUnavailableError,
    TierReason,
)
from arena.sandbox.bootstrap import python_argv
from arena.sandbox.choose import choose_sandbox, open_sandbox
from arena.sandbox.folders import new_stage
from arena.sandbox.job import JobEnd, JobResult, run_job
from arena.sandbox.orphans import adopt_orphans

__all__ = [
    "EXIT_UNAVAILABLE",
    "Bind",
    "ExitReport",
    "JobEnd",
    "JobResult",
    "LaunchSpec",
    "PreparedBot",
    "Profile",
    "Sandbox",
    "SandboxUnavailableError",
    "SandboxedProcess",
    "TierReason",
    "adopt_orphans",
    "choose_sandbox",
    "new_stage",
    "open_sandbox",
    "python_argv",
    "run_job",
]
