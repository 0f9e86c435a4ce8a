"""The score sheet of one deal: what was, what the deal brought, what has been written so far."""

from dataclasses import dataclass, field
from typing import Any

from tests.engine.second_opinion.points import Points
from tests.engine.second_opinion.values import Values


@dataclass
class Sheet:
    """Lists are by seat. `gains` and `fines` wait for steps 9 and 10, which decide what is written."""

    values: Values
    deal: dict[str, Any]
    before: dict[str, Any]
    players: int
    total: list[Points]
    barrel: list[bool]
    attempts: list[int]
    falls: list[int]
    bolts: list[int]
    run: list[int]
    conc: list[int]
    golden_index: int
    golden_made: bool
    deals: int
    was_barrel: list[bool]
    gains: list[list[tuple[str, Points]]]
    fines: list[list[tuple[str, Points]]]
    raw: list[int] = field(default_factory=list)
    made: bool = False
    loss: Points = 0  # what step 3 takes from the declarer
    fallen: list[int] = field(default_factory=list)
    sitting: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    winner: int | None = None
    events: list[str] = field(default_factory=list)
    ledger: list[dict[str, Any]] = field(default_factory=list)

    @property
    def seats(self) -> list[int]:
        return list(range(self.players))

    @property
    def active(self) -> list[int]:
        return [seat for seat in self.seats if seat != self.deal.get("dealer_out")]

    @property
    def declarer(self) -> int | None:
        seat = self.deal["declarer"]
        return None if seat is None else int(seat)

    @property
    def defenders(self) -> list[int]:
        return [seat for seat in self.active if seat != self.declarer]

    @property
    def contract(self) -> int:
        return int(self.deal["contract"] or 0)

    @property
    def kind(self) -> str:
        return str(self.deal.get("kind", "normal"))

    @property
    def doubled(self) -> bool:
        return self.kind in ("golden", "blind")

    @property
    def outcome(self) -> str:
        return str(self.deal.get("outcome", "played"))

    @property
    def counts_as_a_deal(self) -> bool:
        """`concession_counts_as_deal`: "the deal rotates, barrel attempts and golden turns are used up"."""
        return self.outcome != "conceded" or bool(self.values["concession_counts_as_deal"])

    def distance_from_forehand(self, seat: int) -> int:
        return int((seat - self.deal["forehand"]) % self.players)

    def gain(self, seat: int, cause: str, amount: Points) -> None:
        self.gains[seat].append((cause, amount))

    def fine(self, seat: int, cause: str, amount: Points) -> None:
        if amount > 0:
            self.fines[seat].append((cause, amount))

    def write(self, seat: int, cause: str, amount: Points) -> None:
        """Change the total; nothing else does, so the ledger always sums to the changes."""
        if amount != 0:
            self.total[seat] += amount
            self.ledger.append({"seat": seat, "cause": cause, "amount": amount})

    def write_total(self, seat: int, cause: str, total: Points) -> None:
        self.write(seat, cause, total - self.total[seat])

    def write_fines(self, seat: int) -> None:
        for cause, amount in self.fines[seat]:
            self.write(seat, cause, -amount)

    def fall(self, seat: int) -> None:
        if seat not in self.fallen:
            self.fallen.append(seat)


def open_sheet(values: Values, before: dict[str, Any], deal: dict[str, Any]) -> Sheet:
    players = len(before["total"])
    if players != values["players"]:
        raise ValueError(f"{players} totals for {values['players']} players")
    was_barrel = [bool(flag) for flag in before.get("barrel", [False] * players)]
    zeros = [0] * players
    return Sheet(
        values=values,
        deal=deal,
        before=before,
        players=players,
        total=list(before["total"]),
        barrel=list(was_barrel),
        attempts=list(before.get("attempts", zeros)),
        falls=list(before.get("falls", zeros)),
        bolts=list(before.get("bolts", zeros)),
        run=list(before.get("run", zeros)),
        conc=list(before.get("conc", zeros)),
        golden_index=before.get("golden_index", 0),
        golden_made=before.get("golden_made", False),
        deals=before.get("deals", 0),
        # "was_barrel[i] = on_barrel[i] frozen now"
        was_barrel=was_barrel,
        gains=[[] for _ in range(players)],
        fines=[[] for _ in range(players)],
    )
