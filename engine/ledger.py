"""The score sheet while one deal is being written: every change of a total is an entry with its cause."""

from typing import Any

from engine.ruleset import Ruleset
from engine.standing import DealResult, Entry, Standing

Amount = Any
"""Points: an int, except for half of an odd contract, which is a float (`scoring.concession_share`)."""


class ScoreSheet:
    """Totals and counters in the making; used inside one call of `score_deal` only."""

    def __init__(self, ruleset: Ruleset, before: Standing, deal: DealResult) -> None:
        self.ruleset = ruleset
        self.before = before
        self.deal = deal
        self.seats = range(len(before.total))
        self.active = tuple(seat for seat in self.seats if seat != deal.dealer_out)
        self.total: list[Amount] = list(before.total)
        self.barrel = list(before.barrel)
        self.attempts = list(before.attempts)
        self.falls = list(before.falls)
        self.bolts = list(before.bolts)
        self.run = list(before.run)
        self.conc = list(before.conc)
        self.golden_index = before.golden_index
        self.golden_made = before.golden_made
        self.earned: list[list[tuple[str, Amount]]] = [[] for _ in self.seats]
        """Base deltas by seat, (cause, amount), not yet added to any total."""
        self.fines: list[list[tuple[str, Amount]]] = [[] for _ in self.seats]
        """Fines by seat, (cause, amount as a positive number), not yet taken from any total."""
        self.ledger: list[Entry] = []
        self.events: list[str] = []
        self.made = False
        self.winner: int | None = None

    @property
    def counts(self) -> bool:
        """Whether the deal uses up attempts, golden turns and the deal limit."""
        return self.deal.outcome != "conceded" or bool(self.ruleset.concession_counts_as_deal)

    @property
    def forehand_order(self) -> tuple[int, ...]:
        """All seats, clockwise from forehand."""
        count = len(self.seats)
        return tuple((self.deal.forehand + offset) % count for offset in range(count))

    def add(self, seat: int, cause: str, amount: Amount) -> None:
        """Change a total."""
        if amount:
            self.total[seat] += amount
            self.ledger.append(Entry(seat, cause, amount))

    def set_total(self, seat: int, cause: str, total: Amount) -> None:
        """Bring a total to a value."""
        self.add(seat, cause, total - self.total[seat])

    def add_earned(self, seat: int) -> None:
        """Write down what a seat earned."""
        for cause, amount in self.earned[seat]:
            self.add(seat, cause, amount)

    def add_fines(self, seat: int) -> None:
        """Take a seat's fines."""
        for cause, amount in self.fines[seat]:
            self.add(seat, cause, -amount)

    def note(self, code: str, seat: int) -> None:
        """Record what happened to a seat."""
        self.events.append(f"{code}{seat}")

    def after(self) -> Standing:
        """Counters after the deal."""
        return Standing(
            tuple(self.total),
            tuple(self.barrel),
            tuple(self.attempts),
            tuple(self.falls),
            tuple(self.bolts),
            tuple(self.run),
            tuple(self.conc),
            self.golden_index,
            self.golden_made,
            self.before.deals + self.counts,
        )
