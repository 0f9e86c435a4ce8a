"""Where the time of a match goes."""

from dataclasses import asdict, dataclass


@dataclass(slots=True)
class MatchTiming:
    """Nanoseconds of wall time by what they were spent on; `bots_ns` and `waiting_ns` share the turns."""

    engine_ns: int = 0
    """Applying actions, listing the next legal ones, encoding what happened."""
    encode_ns: int = 0
    """Writing requests as JSON, views included."""
    bots_ns: int = 0
    """CPU time of the bots on move: their reading, thinking and writing."""
    waiting_ns: int = 0
    """The rest of the turns: pipes, stop and go, the operating system's scheduler, decoding replies."""
    start_ns: int = 0
    """Sandboxes, interpreters and handshakes."""
    end_ns: int = 0
    """Saying goodbye and tidying up."""
    total_ns: int = 0
    """From the first sandbox to the report."""
    decisions: int = 0
    """Requests answered, fallbacks apart."""

    def shares(self) -> dict[str, float]:
        """Return each part of the total, `other` included; they sum to 1."""
        parts = {
            name.removesuffix("_ns"): value
            for name, value in asdict(self).items()
            if name.endswith("_ns") and name != "total_ns"
        }
        total = max(self.total_ns, 1)
        return {name: value / total for name, value in parts.items()} | {
            "other": (total - sum(parts.values())) / total
        }

    def add(self, other: "MatchTiming") -> None:
        """Add the times of another match."""
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)
