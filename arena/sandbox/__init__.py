"""Runs strangers' code and lets it reach nothing: not the host, not the network, not the other bots."""

from arena.sandbox.base import (
    EXIT_UNAVAILABLE,
    ExitReport,
    LaunchSpec,
    Sandbox,
    SandboxedProcess,
    SandboxUnavailableError,
    TierReason,
)

__all__ = [
    "EXIT_UNAVAILABLE",
    "ExitReport",
    "LaunchSpec",
    "Sandbox",
    "SandboxUnavailableError",
    "SandboxedProcess",
    "TierReason",
]
