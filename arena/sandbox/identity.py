"""Which user of the host a bot runs as: never root.

As root every slot has users of its own, one for each bot of a match, so that limits the kernel counts by
user (pipes, pending signals) are not shared with another bot. They own nothing and need no entry in
`/etc/passwd`. An ordinary user's bots run as that user, inside a user namespace.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")

FIRST_UID = 60_720
"""Start of the slots' users: 60706 to 61183 is a range that distributions and systemd leave alone."""

UIDS_PER_SLOT = 8
UIDS_PER_HALF = 4
"""As many as a match has seats at the most."""
SLOTS = (61_184 - FIRST_UID) // UIDS_PER_SLOT


@dataclass(frozen=True, slots=True)
class SlotUsers:
    """The users of one slot; empty when the arena itself is an ordinary user."""

    uids: tuple[int, ...]

    @classmethod
    def for_slot(cls, slot: int, half: int | None = None) -> "SlotUsers":
        """Give slot 0, 1, … its users. Slots that run at the same time on a host need different numbers.

        `half`, 0 or 1, gives a half of them: a slot's two runners have bots at the same time.
        """
        if not 0 <= slot < SLOTS:
            raise ValueError(f"slot {slot} is not one of 0 to {SLOTS - 1}")
        if os.geteuid() != 0:
            return cls(())
        first = FIRST_UID + slot * UIDS_PER_SLOT
        uids = tuple(range(first, first + UIDS_PER_SLOT))
        if half is None:
            return cls(uids)
        return cls(uids[half * UIDS_PER_HALF : (half + 1) * UIDS_PER_HALF])


def as_owner(pid: int, action: Callable[[], Result]) -> Result:
    """Do something to a bot's process as its own user: root in a container lacks the capabilities for it.

    Only for a process without other threads, as the runner is.
    """
    if os.geteuid() != 0:
        return action()
    with open(f"/proc/{pid}/status") as file:
        owner = next(int(line.split()[1]) for line in file if line.startswith("Uid:"))
    os.seteuid(owner)
    try:
        return action()
    finally:
        os.seteuid(0)
