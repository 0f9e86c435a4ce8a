"""What a runner and whoever started it say to each other, one line of JSON each.

→ {"kind": "match" | "validation", "order": {…}, "core": 1, "waits": false}
← {"kind": "prepared"}              only for a match that waits, which then begins when told to:
→ {"kind": "go", "core": 1}
← {"kind": "started"}               from here on bots run
← {"kind": "match_report" | "validation_report", "report": {…}}
"""

from typing import Literal

import msgspec

from arena.orders import MatchReport, ValidationReport


class Task(msgspec.Struct, frozen=True):
    """An order, handed over."""

    kind: str
    order: msgspec.Raw
    core: int | None = None
    """For the match and its bots."""
    waits: bool = False


class Go(msgspec.Struct, frozen=True):
    """The turn of a match that waits has come."""

    kind: Literal["go"]
    core: int | None


class Prepared(msgspec.Struct, frozen=True, tag_field="kind", tag="prepared"):
    """The match waits for its turn; nothing of a bot has run."""


class Started(msgspec.Struct, frozen=True, tag_field="kind", tag="started"):
    """From here on bots run, and the order is never handed over again."""


class MatchDone(msgspec.Struct, frozen=True, tag_field="kind", tag="match_report"):
    """A match is over."""

    report: MatchReport


class ValidationDone(msgspec.Struct, frozen=True, tag_field="kind", tag="validation_report"):
    """A validation is over."""

    report: ValidationReport


Said = Prepared | Started | MatchDone | ValidationDone
