"""Control groups around bots and builds, where an operator gave some to the arena. Never required.

They add what resource limits cannot: memory counted as the kernel counts it (all processes, files in memory,
kernel memory) with a record of who was ended for it, a cap on processes, and the CPU time of every process
that ever was. Both versions of the interface are spoken. A group counts as given when `THOUSAND_CGROUP` names
it (below the arena's own group in each hierarchy; with a leading slash below the hierarchy's mount point), or
when the arena's own group is delegated to it: owned by its user, or marked so by systemd. What is merely
writable, as everything is to root, belongs to somebody else.
"""

import itertools
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PREFIX = "thousand-"
CONTROLLERS = ("memory", "pids", "cpuacct")
"""Of version 1; version 2 has the third built in."""

_DELEGATED = ("trusted.delegate", "user.delegate")
_REMOVE_PATIENCE_S = 1.0
_MB = 1 << 20
_serial = itertools.count()


@dataclass(frozen=True, slots=True)
class Hierarchies:
    """The groups that the arena may make its own in: one a controller in version 1, one for all in 2."""

    separate: Mapping[str, Path]
    unified: Path | None
    controllers: frozenset[str]
    """Those of version 2 that can be used in `unified`."""

    @property
    def limits_memory(self) -> bool:
        """Can groups bound memory here?"""
        return "memory" in self.separate or "memory" in self.controllers

    def describe(self) -> str:
        """For the doctor: what is used, in a few words."""
        parts = [f"v1 {', '.join(self.separate)}"] if self.separate else []
        if self.unified is not None:
            parts.append(f"v2 {', '.join(sorted(self.controllers)) or 'without controllers'}")
        return "; ".join(parts) or "none given to the arena"


def find_hierarchies(mounts: str = "/proc/self/mountinfo", own: str = "/proc/self/cgroup") -> Hierarchies:
    """Look which groups were given to the arena; empty where none were."""
    named = os.environ.get("THOUSAND_CGROUP", "").rstrip("/")
    paths = {line.split(":")[1]: line.split(":", 2)[2].strip() for line in Path(own).read_text().splitlines()}
    separate: dict[str, Path] = {}
    unified = None
    for mount, kind, options in _mounted(Path(mounts).read_text()):
        if kind == "cgroup2":
            unified = unified or _given(mount, named, paths.get("", "/"))
        for controller in CONTROLLERS:
            owner = next((names for names in paths if controller in names.split(",")), None)
            if kind == "cgroup" and controller in options and owner is not None:
                group = _given(mount, named, paths[owner])
                if group is not None:
                    separate.setdefault(controller, group)
    return Hierarchies(separate, unified, _enable(unified) if unified else frozenset())


def _mounted(mountinfo: str) -> Iterator[tuple[Path, str, list[str]]]:
    """Mount point, type and options of every mounted hierarchy."""
    for line in mountinfo.splitlines():
        left, _dash, right = line.partition(" - ")
        kind, _source, options = right.split(" ", 2)
        if kind in {"cgroup", "cgroup2"}:
            yield Path(left.split()[4]), kind, options.split(",")


def _given(mount: Path, named: str, own: str) -> Path | None:
    mine = mount / own.strip("/")
    if named:
        # Below our own group, what bounds the arena bounds its bots too; elsewhere by the operator's word.
        candidates = [mount / named.strip("/") if named.startswith("/") else mine / named]
    else:
        # The second where the unit's processes have a subgroup of their own (`DelegateSubgroup=`).
        candidates = [group for group in (mine, mine.parent) if _is_delegated(group)]
    for group in candidates:
        if os.access(group, os.W_OK) and os.access(group / "cgroup.procs", os.W_OK):
            return group
    return None


def _is_delegated(group: Path) -> bool:
    with suppress(OSError):
        if os.geteuid() != 0:
            return os.stat(group).st_uid == os.geteuid()
        for name in _DELEGATED:
            with suppress(OSError):
                if os.getxattr(group, name) == b"1":
                    return True
    return False


def _enable(group: Path) -> frozenset[str]:
    """Pass controllers of version 2 on to groups made in `group`; the kernel refuses where processes live."""
    for controller in ("memory", "pids"):
        with suppress(OSError):
            (group / "cgroup.subtree_control").write_text(f"+{controller}")
    with suppress(OSError):
        return frozenset((group / "cgroup.subtree_control").read_text().split()) & {"memory", "pids"}
    return frozenset()


class ControlGroup:
    """The groups of one bot or build. Made empty; `attach` moves a process in, `close` removes them."""

    def __init__(self, hierarchies: Hierarchies, *, memory_mb: int, processes: int | None) -> None:
        name = f"{PREFIX}{os.getpid()}-{next(_serial)}"
        self._folders = {kind: parent / name for kind, parent in hierarchies.separate.items()}
        if hierarchies.unified is not None:
            self._folders["unified"] = hierarchies.unified / name
        self._oom: Path | None = None
        try:
            for folder in self._folders.values():
                folder.mkdir()
            self._limit(hierarchies, memory_mb * _MB, processes)
        except OSError:
            self.close()
            raise

    def _limit(self, hierarchies: Hierarchies, memory: int, processes: int | None) -> None:
        if (group := self._folders.get("memory")) is not None:
            (group / "memory.limit_in_bytes").write_text(str(memory))
            with suppress(OSError):  # only where the kernel counts swap
                (group / "memory.memsw.limit_in_bytes").write_text(str(memory))
            self._oom = group / "memory.oom_control"
        if (group := self._folders.get("pids")) is not None and processes is not None:
            (group / "pids.max").write_text(str(processes))
        if (group := self._folders.get("unified")) is not None:
            if "memory" in hierarchies.controllers:
                (group / "memory.max").write_text(str(memory))
                with suppress(OSError):
                    (group / "memory.swap.max").write_text("0")
                (group / "memory.oom.group").write_text("1")
                self._oom = group / "memory.events"
            if "pids" in hierarchies.controllers and processes is not None:
                (group / "pids.max").write_text(str(processes))

    def attach(self, pid: int) -> None:
        """Move a process in, with all its threads; what it holds already stays with its old group."""
        for folder in self._folders.values():
            (folder / "cgroup.procs").write_text(str(pid))

    def ended_for_memory(self) -> bool:
        """Has the kernel ended anything inside because the group's memory was used up?"""
        if self._oom is None:
            return False
        with suppress(OSError):
            counts = dict(map(str.split, self._oom.read_text().splitlines()))
            return int(counts.get("oom_kill", 0)) > 0
        return False

    def cpu_ns(self) -> int:
        """CPU time of everything that ever ran inside; 0 where no group counts it."""
        with suppress(OSError, KeyError):
            if (group := self._folders.get("cpuacct")) is not None:
                return int((group / "cpuacct.usage").read_text())
            counts = dict(
                line.split() for line in (self._folders["unified"] / "cpu.stat").read_text().splitlines()
            )
            return int(counts["usage_usec"]) * 1000
        return 0

    def kill(self) -> None:
        """End everything inside at once, where version 2 can."""
        if "unified" in self._folders:
            with suppress(OSError):
                (self._folders["unified"] / "cgroup.kill").write_text("1")

    def close(self) -> None:
        """Remove the groups, which must have no processes any more; idempotent."""
        deadline = time.monotonic() + _REMOVE_PATIENCE_S
        for folder in self._folders.values():
            while folder.exists():
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:  # its last process is being buried
                    if time.monotonic() > deadline:
                        break
                    time.sleep(0.001)


def remove_leftovers(hierarchies: Hierarchies) -> None:
    """Remove groups whose arena was killed; a living one's name begins with its pid."""
    parents = [*hierarchies.separate.values(), *([hierarchies.unified] if hierarchies.unified else [])]
    for parent in parents:
        for group in parent.glob(f"{PREFIX}*-*"):
            owner = group.name.removeprefix(PREFIX).partition("-")[0]
            if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
                with suppress(OSError):
                    group.rmdir()
