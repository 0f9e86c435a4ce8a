"""What happened, in order: public values, and hidden ones with the seats that may see them.

The exact keys of every kind are listed in docs/protocol.md; `docs/rules.md` says when each happens.
"""

from typing import Any

Seats = int
"""A set of seats: bit `seat` is set."""
Hidden = dict[str, Seats | list[Seats]]
"""Names of hidden fields, with the seats that see them."""


class Event:
    """One thing that happened; nobody changes it."""

    # No dataclass: a frozen one takes ten times as long to make, and every deal has some twenty.
    def __init__(self, kind: str, data: dict[str, Any], see: Hidden | None = None) -> None:
        self.kind = kind
        """`deal` `redeal` `bid` `pass` `widow` `give` `contract` `concede` `play` `trick` `deal_end`."""
        self.data = data
        """Everything, plain JSON values."""
        self.see: Hidden = {} if see is None else see
        """Hidden fields of `data`: who may see the value, or (a list) each element of a list value."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.full() == other.full()

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.data!r}, {self.see!r})"

    def full(self) -> dict[str, Any]:
        """Everything, for records and replays; `see` is left out when nothing is hidden."""
        if self.see:
            return {"event": self.kind, **self.data, "see": self.see}
        return {"event": self.kind, **self.data}

    def seen_by(self, seat: int) -> dict[str, Any]:
        """What a seat may know: hidden values are null."""
        return self._masked(1 << seat)

    def public(self) -> dict[str, Any]:
        """What everybody may know."""
        return self._masked(0)

    def _masked(self, viewer: Seats) -> dict[str, Any]:
        shown = {"event": self.kind, **self.data}
        for name, mask in self.see.items():
            if isinstance(mask, int):
                if not mask & viewer:
                    shown[name] = None
            else:
                shown[name] = [
                    value if one & viewer else None for value, one in zip(shown[name], mask, strict=True)
                ]
        return shown
