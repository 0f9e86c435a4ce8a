"""What `thousand doctor` prints and the worker's self-test reads: which tiers hold here, and on what."""

import os
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.bubblewrap import bubblewrap_path
from arena.sandbox.cgroups import find_hierarchies
from arena.sandbox.choose import TIERS, TierReport, prove_tier
from arena.sandbox.folders import FolderError, runtime_folder, stage_folder
from arena.sandbox.identity import SLOTS, SlotUsers
from arena.sandbox.landlock import landlock_abi
from arena.sandbox.remedies import in_container


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """Everything about this machine's ability to run bots."""

    tier: str | None
    """The tier matches would run in; null when none holds and nothing may run."""
    tiers: tuple[TierReport, ...]
    """Every tier, best first."""
    facts: tuple[tuple[str, str], ...]
    """Name and value of what the answer depends on."""


def diagnose(slot: int = 0) -> DoctorReport:
    """Let the canary attack every tier, and gather the facts. Does not raise where no tier holds."""
    tiers = tuple(prove_tier(tier, slot) for tier in TIERS)
    usable = [report.tier for report in tiers if report.usable]
    return DoctorReport(usable[0] if usable else None, tiers, tuple(_facts(slot)))


def _facts(slot: int) -> list[tuple[str, str]]:
    return [
        ("kernel", f"{platform.system()} {platform.release()} {platform.machine()}"),
        ("container", "yes" if in_container() else "no"),
        ("bubblewrap", _bubblewrap_version()),
        ("control groups", find_hierarchies().describe()),
        ("landlock", _landlock_version()),
        ("user", _user(slot)),
        ("python", f"{platform.python_version()} in {sys.base_prefix}"),
        ("runtimes", _folder(runtime_folder)),
        ("staging", _folder(stage_folder)),
        ("processor cores", str(os.cpu_count())),
    ]


def _user(slot: int) -> str:
    uids = SlotUsers.for_slot(slot).uids
    if uids:
        return f"root; bots of slot {slot} run as users {uids[0]} to {uids[-1]} ({SLOTS} slots)"
    return f"{os.geteuid()}; bots run as the same user"


def _bubblewrap_version() -> str:
    try:
        path = bubblewrap_path()
        answer = subprocess.run(
            [path, "--version"], capture_output=True, text=True, check=False, timeout=10, env={}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"none ({error})"
    return f"{answer.stdout.strip() or 'unknown version'} at {path}"


def _landlock_version() -> str:
    try:
        return f"version {landlock_abi()}"
    except OSError as error:
        return f"none ({error})"


def _folder(find: Callable[[], Path]) -> str:
    try:
        return str(find())
    except FolderError as error:
        return f"none ({error})"
