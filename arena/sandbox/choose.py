"""Which sandbox this machine can give: proved by a bot that tries to escape, never by a list of features."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from arena.sandbox.base import Sandbox, SandboxUnavailableError, TierReason
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.folders import FolderError

TIERS: Mapping[str, Callable[[int], Sandbox]] = MappingProxyType(
    {
        "bwrap-1a": lambda slot: BubblewrapSandbox(proc=True, slot=slot),
        "bwrap-1b": lambda slot: BubblewrapSandbox(proc=False, slot=slot),
    }
)
"""Best first: how to make the sandbox of a slot, by the name stored with every match."""


def choose_sandbox(slot: int = 0) -> Sandbox:
    """Give the best tier that holds here, for a slot number no other process of this host is using.

    Raises `SandboxUnavailableError` with a reason and a remedy per tier; there is no unsandboxed way on.
    """
    reasons: list[TierReason] = []
    for tier in TIERS:
        try:
            return open_sandbox(tier, slot)
        except SandboxUnavailableError as error:
            reasons += error.reasons
    raise SandboxUnavailableError(tuple(reasons))


def open_sandbox(tier: str, slot: int = 0) -> Sandbox:
    """Make the sandbox of a tier that this host's worker has proved already, without another canary.

    Raises `SandboxUnavailableError`, also for `none`: no setting can talk a worker out of its sandbox.
    """
    if tier not in TIERS:
        known = ", ".join(TIERS)
        raise SandboxUnavailableError((TierReason(tier, "is not a sandbox tier", f"Use one of {known}."),))
    try:
        return TIERS[tier](slot)
    except FileNotFoundError as error:
        remedy = "Install it: apt-get install bubblewrap (or dnf, pacman, apk)."
        raise SandboxUnavailableError((TierReason(tier, str(error), remedy),)) from error
    except FolderError as error:
        raise SandboxUnavailableError((TierReason(tier, str(error), "See the reason."),)) from error
