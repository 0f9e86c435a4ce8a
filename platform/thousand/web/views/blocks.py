"""A block, with its seatings side by side, and one match of it."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine import seed_commitment
from thousand.matches import selectors as matches
from thousand.matches.models import BlockState
from thousand.matches.selectors import BlockView, DealCell, MatchRow, SameCards, SeatRow
from thousand.web.requests import viewer_of, wants_part

POLL_SECONDS = 3


@dataclass(frozen=True)
class Change:
    """What one deal did to one bot's total in one seating."""

    slot: int
    points: int
    tone: str
    """`up2`, `up1`, `even`, `down1`, `down2`: five steps of a tint; the number is always there."""


@dataclass(frozen=True)
class SameCardsCell:
    """One seating's deal of the chosen number; `cell` is None where that match had ended before."""

    match: MatchRow
    cell: DealCell | None
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class SameCardsView:
    """The chosen deal in every seating, and all deals as rows of changes."""

    deal: int
    deals: range
    cells: tuple[SameCardsCell, ...]
    strip: tuple[tuple[int, tuple[tuple[Change, ...] | None, ...]], ...]
    """(deal, changes by column or None) for every deal."""


@require_safe
def block_page(request: HttpRequest, public_id: str) -> HttpResponse:
    viewer = viewer_of(request)
    block = matches.block_detail(public_id, viewer)
    context: dict[str, object] = {
        "arena_block": block,
        "block_is_open": block.state == BlockState.OPEN,
        "poll_seconds": POLL_SECONDS,
        "faults": _faults(block),
        "seed_matches": block.seed is not None and _commitment(block.seed) == block.commitment,
    }
    if block.state == BlockState.COMPLETE:
        context["same"] = _same_cards_view(
            block, matches.same_cards(public_id, viewer), request.GET.get("deal", "")
        )
    template = "web/parts/block_body.html" if wants_part(request) else "web/block.html"
    return render(request, template, context)


@require_safe
def match_page(request: HttpRequest, public_id: str) -> HttpResponse:
    match = matches.match_detail(public_id, viewer_of(request))
    template = "web/parts/match_body.html" if wants_part(request) else "web/match.html"
    seats = list(zip(match.seats, match.private, strict=True))
    context = {
        "match": match,
        "block_is_open": match.block.state == BlockState.OPEN,
        "seats": seats,
        "poll_seconds": POLL_SECONDS,
    }
    return render(request, template, context)


def _commitment(seed: str) -> str:
    return seed_commitment(bytes.fromhex(seed))


def _faults(block: BlockView) -> list[tuple[MatchRow, SeatRow]]:
    """Return who faulted where; empty until the block is closed."""
    return [
        (match, seat) for match in block.matches for seat in match.seats if seat.verdict not in ("", "ok")
    ]


def _same_cards_view(block: BlockView, same: SameCards, asked: str) -> SameCardsView | None:
    if not same.deals:
        return None
    deal = min(int(asked), same.deals - 1) if asked.isdecimal() and len(asked) < 6 else 0
    cells = tuple(
        SameCardsCell(match, cell, _changes(cell) if cell else ())
        for match, cell in zip(block.matches, same.rows[deal], strict=True)
    )
    strip = tuple(
        (number, tuple(_changes(cell) if cell else None for cell in row))
        for number, row in enumerate(same.rows)
    )
    return SameCardsView(deal, range(same.deals), cells, strip)


def _changes(cell: DealCell) -> tuple[Change, ...]:
    return tuple(Change(slot, points, _tone(points)) for slot, points in enumerate(cell.changes))


def _tone(points: int) -> str:
    if points == 0:
        return "even"
    return ("up" if points > 0 else "down") + ("2" if abs(points) >= 100 else "1")
