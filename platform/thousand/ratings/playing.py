"""Reads of how a version plays: by seat, by contract, from sums that are kept as blocks close."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from arena.quantiles import quantile_975
from thousand.bots.models import Bot, BotVersion
from thousand.core.errors import NotFoundError
from thousand.matches.models import Pool
from thousand.ratings.models import PlayTally
from thousand.ratings.pairs import FEWEST_BLOCKS
from thousand.ratings.statistics import add_play


@dataclass(frozen=True, slots=True)
class SeatPlay:
    """A version in one seat, over the rated blocks of a pool."""

    seat: int
    blocks: int
    matches: int
    share: float
    """Mean place score there, 0 … 1."""
    half_width: float | None
    """Half of its 95 % interval, blocks being the observations; None below ten."""
    won: float
    """Share of matches in which it was first."""
    mean_total: float
    """Mean of its final totals."""
    faults: int


@dataclass(frozen=True, slots=True)
class ContractPlay:
    """How often a contract was named, and made."""

    contract: int
    named: int
    made: int

    @property
    def share_made(self) -> float:
        """Return the share that was made."""
        return self.made / self.named


@dataclass(frozen=True, slots=True)
class Play:
    """Everything counted of a version in a pool; annulled blocks are in it, for they were played."""

    matches: int
    seats: tuple[SeatPlay, ...]
    contracts: tuple[ContractPlay, ...]
    """From the lowest to the highest."""
    deals: int
    declared: int
    made: int
    conceded: int
    mean_bid: float | None
    """Mean of the bids that won the auction."""
    mean_contract: float | None
    """Mean of the contracts named."""
    declarer_points: float | None
    """Change of its total a deal as declarer."""
    defender_points: float | None
    """The same in all other deals."""
    marriages: int
    marriage_points: int
    bolts: int
    barrels: int
    """Times it took its place on the barrel."""
    falls: int
    """Times it fell off."""

    @property
    def share_declared(self) -> float | None:
        """Return the share of deals it was the declarer of."""
        return self.declared / self.deals if self.deals else None

    @property
    def share_made(self) -> float | None:
        """Return the share of its contracts that it made."""
        return self.made / self.declared if self.declared else None

    def per_deal(self, count: int) -> float | None:
        """Return a count a deal."""
        return count / self.deals if self.deals else None


def version_shown(bot: Bot, number: str = "") -> BotVersion | None:
    """Return the version of this number; without one the version that plays, or the newest, if any.

    Raises NotFoundError for a number that no version has.
    """
    versions = BotVersion.objects.filter(bot=bot)
    if not number:
        return bot.active_version or versions.order_by("-number").first()
    found = versions.filter(number=int(number)).first() if number.isdecimal() and len(number) < 9 else None
    if found is None:
        raise NotFoundError(_("“{bot}” has no version {number}.").format(bot=bot.name, number=number[:20]))
    return found


def play_of_version(pool: Pool, version: BotVersion) -> Play | None:
    """Return what is counted of a version in a pool; None before its first rated block. One query."""
    rows = list(PlayTally.objects.filter(pool=pool, version=version).order_by("seat"))
    if not rows:
        return None
    sums: dict[str, Any] = {}
    for row in rows:
        add_play(sums, row.play)
    counted = {name: int(sums.get(name, 0)) for name in _SHOWN}
    declared, deals = int(sums.get("declared", 0)), int(sums.get("deals", 0))
    defended = deals - declared
    return Play(
        matches=sum(row.matches for row in rows),
        seats=tuple(_seat(row, pool.players) for row in rows),
        contracts=_contracts(sums.get("named", {})),
        mean_bid=sums["bids"] / declared if declared else None,
        mean_contract=sums["contracts"] / declared if declared else None,
        declarer_points=sums["declarer_points"] / declared if declared else None,
        defender_points=sums["defender_points"] / defended if defended else None,
        **counted,
    )


_SHOWN = (
    "deals",
    "declared",
    "made",
    "conceded",
    "marriages",
    "marriage_points",
    "bolts",
    "barrels",
    "falls",
)


def _contracts(named: dict[str, Sequence[int]]) -> tuple[ContractPlay, ...]:
    found = [ContractPlay(int(contract), *counted) for contract, counted in named.items()]
    return tuple(sorted(found, key=lambda row: row.contract))


def _seat(row: PlayTally, players: int) -> SeatPlay:
    most = 2 * (players - 1) * row.matches / row.blocks  # half points of one block in this seat
    half_width = None
    if row.blocks >= FEWEST_BLOCKS:
        spread = max(0.0, row.squares - row.halves**2 / row.blocks) / (row.blocks - 1)
        half_width = quantile_975(row.blocks) * math.sqrt(spread / row.blocks) / most
    return SeatPlay(
        seat=row.seat,
        blocks=row.blocks,
        matches=row.matches,
        share=row.halves / (most * row.blocks),
        half_width=half_width,
        won=row.won / row.matches,
        mean_total=row.total / row.matches,
        faults=row.faults,
    )
