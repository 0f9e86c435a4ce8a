"""Which sandbox this machine can give: proved by a bot that tries to escape, never by a list of features."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arena.sandbox.base import Sandbox, SandboxUnavailableError, TierReason
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.canary import CheckResult, run_canary
from arena.sandbox.folders import FolderError
from arena.sandbox.landlock_sandbox import LandlockSandbox
from arena.sandbox.remedies import remedy_for
from arena.verdicts import ArenaFault

TIERS: Mapping[str, Callable[[int, int | None], Sandbox]] = MappingProxyType(
    {
        "bwrap-1a": lambda slot, half: BubblewrapSandbox(proc=True, slot=slot, half=half),
        "bwrap-1b": lambda slot, half: BubblewrapSandbox(proc=False, slot=slot, half=half),
        "landlock": lambda slot, half: LandlockSandbox(slot=slot, half=half),
    }
)
"""Best first: how to make the sandbox of a slot, or of a half of it, by the name stored with every match."""

_LEAKS = (
    "No match is played in a sandbox that leaks. Play on another machine, and report this one with the "
    "output of `thousand doctor --json`."
)
_TOO_BUSY = "Start the worker again when the machine has less to do, or give it fewer slots."

FLIGHTS = 3
"""Tries a canary has before a machine counts as too busy for a proof."""


@dataclass(frozen=True, slots=True)
class TierReport:
    """What the canary found out about one tier."""

    tier: str
    usable: bool
    reason: str = ""
    """Why it is not usable; empty when it is."""
    remedy: str = ""
    checks: tuple[CheckResult, ...] = ()
    """Every attack of the canary; empty when it could not even be started."""
    seconds: float = 0.0
    """How long the proof took."""


def choose_sandbox(slot: int = 0) -> Sandbox:
    """Give the best tier that holds here, for a slot number no other process of this host is using.

    Raises `SandboxUnavailableError` with a reason and a remedy per tier; there is no unsandboxed way on.
    """
    return choose_with_reasons(slot)[0]


def choose_with_reasons(slot: int = 0) -> tuple[Sandbox, tuple[TierReason, ...]]:
    """The same, and why each better tier was passed over."""
    reasons: list[TierReason] = []
    for tier in TIERS:
        report = prove_tier(tier, slot)
        if report.usable:
            return open_sandbox(tier, slot), tuple(reasons)
        reasons.append(TierReason(tier, report.reason, report.remedy))
    raise SandboxUnavailableError(tuple(reasons))


def prove_tier(tier: str, slot: int = 0) -> TierReport:
    """Let the canary attack a tier."""
    begin = time.monotonic()
    try:
        return judge(open_sandbox(tier, slot))
    except SandboxUnavailableError as error:
        first = error.reasons[0]
        return TierReport(tier, False, first.reason, first.remedy, (), time.monotonic() - begin)


def judge(sandbox: Sandbox) -> TierReport:
    """Say whether a sandbox holds: only if every attack fails.

    An attack that gets through once is final. A canary that could not fly, or to which the machine was too
    slow, has shown nothing and flies again; after `FLIGHTS` the tier counts as unproved.
    """
    begin = time.monotonic()
    for _flight in range(FLIGHTS):
        report = _fly(sandbox, begin)
        if report.usable or any(not check.held and not check.late for check in report.checks):
            break
    return report


def _fly(sandbox: Sandbox, begin: float) -> TierReport:
    try:
        checks = run_canary(sandbox)
    except (ArenaFault, FolderError, OSError) as error:
        reason = str(error)
        return TierReport(sandbox.tier, False, reason, remedy_for(reason), (), time.monotonic() - begin)
    reason, remedy = "", ""
    if escapes := [check for check in checks if not check.held and not check.late]:
        reason, remedy = f"a test bot got through: {_list(escapes)}", _LEAKS
    elif late := [check for check in checks if not check.held]:
        reason, remedy = f"this machine is too busy to prove it: {_list(late)}", _TOO_BUSY
    return TierReport(sandbox.tier, not reason, reason, remedy, checks, time.monotonic() - begin)


def _list(checks: list[CheckResult]) -> str:
    return "; ".join(f"{check.name}: {check.text}" for check in checks)


def open_sandbox(tier: str, slot: int = 0, core: int | None = None, *, half: int | None = None) -> Sandbox:
    """Make the sandbox of a tier that this host's worker has proved already, without another canary.

    Bots are bound to `core`; call it before this process binds itself. `half` is the one of the slot's users.

    Raises `SandboxUnavailableError`, also for `none`: no setting can talk a worker out of its sandbox.
    """
    if tier not in TIERS:
        remedy = f"Use one of {', '.join(TIERS)}."
        raise SandboxUnavailableError((TierReason(tier, "is not a sandbox tier", remedy),))
    try:
        sandbox = TIERS[tier](slot, half)
    except (OSError, FolderError, ValueError) as error:
        reason = str(error)
        raise SandboxUnavailableError((TierReason(tier, reason, remedy_for(reason)),)) from error
    sandbox.use_core(core)
    return sandbox
