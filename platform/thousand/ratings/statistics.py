"""Statistics of rated blocks, kept as the blocks close: who won what from whom, and how each version plays.

Both follow from the seats of the blocks. They are brought up to date in the transaction that rates a block,
under the pool's lock; `rebuild_statistics` counts them anew.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations, groupby
from typing import Any

from django.db import transaction

from arena.seat_play import COUNTS, play_of
from bots_sdk.points import half_points
from thousand.core.locks import locked
from thousand.matches.models import Match, MatchState, Pool, Seat
from thousand.matches.visibility import public
from thousand.ratings.models import EntryKind, LedgerEntry, PairScore, PlayTally
from thousand.replays.selectors import document

Key = tuple[int, int]
"""Version and seat."""

_COLUMNS = ("match", "seat", "version", "place", "total", "fault_index", "play")


def count_block(entry: LedgerEntry) -> None:
    """Count a rated block that has just entered the ledger; a second call changes nothing.

    The caller holds the pool's lock, and has since the entry was made.
    """
    if entry.block_id is None or PairScore.objects.filter(entry=entry).exists():
        return
    seats = list(Seat.objects.filter(match__block=entry.block_id).order_by("match", "seat").values(*_COLUMNS))
    PairScore.objects.bulk_create(_pairs(entry, seats))
    added = _tallies(seats)
    versions = {version for version, _seat in added}
    for row in locked(PlayTally.objects.filter(pool=entry.pool_id, version__in=versions)):
        if (more := added.get((row.version_id, row.seat))) is not None:
            _add(more, row)
    for more in added.values():
        more.pool_id = entry.pool_id
    # One statement for new rows and old ones; to write an update of nine rows costs Django far more.
    PlayTally.objects.bulk_create(
        added.values(),
        update_conflicts=True,
        unique_fields=["pool", "version", "seat"],
        update_fields=_TALLIED,
    )


def _pairs(entry: LedgerEntry, seats: Iterable[Mapping[str, Any]]) -> list[PairScore]:
    halves: dict[Key, int] = {}
    for _match, at_table in groupby(seats, key=lambda row: row["match"]):
        places = {row["version"]: row["place"] for row in at_table}
        for one, other in combinations(sorted(places), 2):
            won = 2 if places[one] < places[other] else 1 if places[one] == places[other] else 0
            halves[one, other] = halves.get((one, other), 0) + won
    return [
        PairScore(entry=entry, pool_id=entry.pool_id, first_id=first, second_id=second, halves=won)
        for (first, second), won in halves.items()
    ]


_SUMS = ("blocks", "matches", "won", "faults", "halves", "squares", "total")
_TALLIED = (*_SUMS, "play")


def _tallies(seats: Iterable[Mapping[str, Any]]) -> dict[Key, PlayTally]:
    """Add up one block by version and seat; the pool is the caller's to fill in."""
    found: dict[Key, PlayTally] = {}
    for _match, at_table in groupby(seats, key=lambda row: row["match"]):
        rows = list(at_table)
        for row, won in zip(rows, half_points([row["place"] for row in rows]), strict=True):
            key = row["version"], row["seat"]
            tally = found.setdefault(key, PlayTally(version_id=key[0], seat=key[1], blocks=1, play={}))
            tally.matches += 1
            tally.won += row["place"] == 1
            tally.faults += row["fault_index"] is not None
            tally.halves += won
            tally.total += row["total"] or 0
            add_play(tally.play, row["play"] or {})
    for tally in found.values():
        tally.squares = tally.halves**2
    return found


def _add(tally: PlayTally, more: PlayTally) -> None:
    for name in _SUMS:
        setattr(tally, name, getattr(tally, name) + getattr(more, name))
    add_play(tally.play, more.play)


def add_play(sums: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add what was counted in one place to what was counted in others."""
    for name in COUNTS:
        if name in more:
            sums[name] = sums.get(name, 0) + more[name]
    for contract, (named, made) in more.get("named", {}).items():
        counted = sums.setdefault("named", {}).setdefault(contract, [0, 0])
        counted[0] += named
        counted[1] += made


def fill_in_play(*, batch: int = 200) -> int:
    """Count what seats did in matches that ended before this was kept; return how many matches.

    Reads their replays, a batch at a time. May be stopped and begun again.
    """
    done = 0
    waiting = Match.objects.filter(state=MatchState.FINISHED, seats__play__isnull=True, replay__isnull=False)
    newest = 0
    while True:
        rows = waiting.filter(pk__gt=newest).distinct().select_related("replay").order_by("pk")[:batch]
        matches = list(rows.prefetch_related("seats"))
        if not matches:
            return done
        seats = []
        for match in matches:
            if match.replay is None:
                continue
            play = play_of(document(match.replay))
            for seat in match.seats.all():
                seat.play = play[seat.seat]
                seats.append(seat)
        Seat.objects.bulk_update(seats, ["play"], batch_size=300)
        done += len(matches)
        newest = matches[-1].pk


@transaction.atomic
def rebuild_statistics(*, pool: Pool) -> int:
    """Count a pool's statistics anew from the seats of its rated blocks; return how many blocks."""
    pool = locked(Pool.objects.filter(pk=pool.pk)).get()
    PairScore.objects.filter(pool=pool).delete()
    PlayTally.objects.filter(pool=pool).delete()
    entries = LedgerEntry.objects.filter(pool=pool, kind=EntryKind.BLOCK).in_bulk(field_name="block_id")
    seats = Seat.objects.filter(public("match__block__"), match__block__ledger_entry__pool=pool)
    columns = seats.order_by("match__block", "match", "seat").values("match__block", *_COLUMNS)
    pairs: list[PairScore] = []
    tallies: dict[Key, PlayTally] = {}
    count = 0
    for block, of_block in groupby(columns.iterator(5_000), key=lambda row: row["match__block"]):
        rows = list(of_block)
        pairs += _pairs(entries[block], rows)
        for key, more in _tallies(rows).items():
            if key in tallies:
                _add(tallies[key], more)
            else:
                tallies[key] = more
        count += 1
        if len(pairs) > 5_000:
            PairScore.objects.bulk_create(pairs)
            pairs = []
    PairScore.objects.bulk_create(pairs)
    for tally in tallies.values():
        tally.pool_id = pool.pk
    PlayTally.objects.bulk_create(tallies.values(), batch_size=500)
    return count
