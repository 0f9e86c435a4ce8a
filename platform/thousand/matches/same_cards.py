"""The same cards in every seating of a block, deal by deal, read from the stored replays."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from thousand.accounts.selectors import Viewer
from thousand.core.errors import ConflictError, NotFoundError
from thousand.matches.models import Block, BlockState, Match
from thousand.matches.visibility import is_public, visible
from thousand.replays.selectors import document


@dataclass(frozen=True, slots=True)
class DealCell:
    """One deal of one seating: "Same cards, deal N"."""

    match_id: str
    replay_id: str
    seating: int
    deal: int
    """0-based."""
    declarer_slot: int | None
    declarer_seat: int | None
    contract: int | None
    result: str
    """made, failed or conceded."""
    changes: tuple[int, ...]
    """Change of the total by slot of the block, not by seat."""


@dataclass(frozen=True, slots=True)
class SameCards:
    """The deals of a closed block side by side: deals of one number share the deck."""

    deals: int
    """Number of deals of the longest seating."""
    rows: tuple[tuple[DealCell | None, ...], ...]
    """`rows[deal][column]`, columns as `BlockView.matches`; None: ended before, or no replay."""


def same_cards(block_id: str, viewer: Viewer = None) -> SameCards:
    """Return the deals of a closed block side by side.

    Raises NotFoundError for a block that is unknown or somebody else's own, ConflictError for an open one.
    """
    block = Block.objects.filter(visible(viewer), public_id=block_id).first()
    if block is None:
        raise NotFoundError(_("There is no block {block}.").format(block=block_id))
    if block.state == BlockState.OPEN:
        raise ConflictError(
            _("Block {block} is being played. Cards appear when it closes.").format(block=block_id)
        )
    matches = Match.objects.filter(block=block).select_related("replay").prefetch_related("seats")
    columns = [_cells(match, is_public(block)) for match in matches.order_by("seating")]
    deals = max((len(cells) for cells in columns), default=0)
    return SameCards(
        deals=deals,
        rows=tuple(
            tuple(cells[deal] if deal < len(cells) else None for cells in columns) for deal in range(deals)
        ),
    )


def _cells(match: Match, when_published: bool) -> list[DealCell]:
    if match.replay is None or (when_published and match.replay.published_at is None):
        return []
    slots = {seat.seat: seat.slot for seat in match.seats.all()}
    return [
        _cell(match, match.replay.public_id, slots, event)
        for deal in document(match.replay)["deals"]
        for event in deal["events"]
        if event["event"] == "deal_end"
    ]


def _cell(match: Match, replay_id: str, slots: dict[int, int], event: dict[str, Any]) -> DealCell:
    """Return what one `deal_end` says, with seats turned into the block's slots."""
    declarer = event["declarer"]
    change_by_slot = {
        slots[seat]: after - before
        for seat, (before, after) in enumerate(zip(event["before"], event["after"], strict=True))
    }
    return DealCell(
        match_id=match.public_id,
        replay_id=replay_id,
        seating=match.seating,
        deal=event["deal"],
        declarer_slot=None if declarer is None else slots[declarer],
        declarer_seat=declarer,
        contract=event["contract"],
        result=event["result"],
        changes=tuple(change for _slot, change in sorted(change_by_slot.items())),
    )
