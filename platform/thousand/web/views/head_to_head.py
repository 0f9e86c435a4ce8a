"""The head-to-head matrix of a ladder: who beats whom, and what the ratings do not explain of it."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from thousand.ratings.head_to_head import Matrix, matrix
from thousand.ratings.pairs import FEWEST_BLOCKS, Pair
from thousand.ratings.selectors import Standing
from thousand.tournaments import selectors as tournaments
from thousand.web.templatetags.arena import MINUS, share

MOST = 25
"""Bots of one matrix: more columns than that nobody reads."""
SHOWS = ("score", "difference")

_TONES = ((0.15, "2"), (0.0, "1"))
"""From this distance to even (or to the expectation) on, the stronger of two tints."""


@dataclass(frozen=True)
class MatrixCell:
    """One field: a number, how many blocks it is from, and how sure it is."""

    text: str
    blocks: int
    tone: str
    """`up2`, `up1`, `even`, `down1`, `down2`: tinted only where the result is clear."""
    words: str
    """Everything about it, for a title and for those who hear the table."""


@dataclass(frozen=True)
class MatrixRow:
    """A bot with its fields; None where two bots never met, and on the diagonal."""

    row: Standing
    cells: tuple[MatrixCell | None, ...]


@require_safe
def head_to_head_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show up to 25 bots, the best first; `?name=` looks for some, `?show=difference` for what surprises."""
    ladder = tournaments.ladder_by_slug(slug)
    name = request.GET.get("name", "").strip()[:60]
    shows = request.GET.get("show", "")
    shows = shows if shows in SHOWS else SHOWS[0]
    after = request.GET.get("after") or None
    found = matrix(ladder.pool, limit=MOST, name=name, after=after)
    context = {
        "ladder": ladder,
        "rows": _rows(found, shows),
        "name": name,
        "show": shows,
        "after": after,
        "next_after": found.rows[-1].cursor if len(found.rows) == MOST else None,
        "fewest": FEWEST_BLOCKS,
        "most": MOST,
    }
    return render(request, "web/head_to_head.html", context)


def _rows(found: Matrix, shows: str) -> list[MatrixRow]:
    return [
        MatrixRow(
            row,
            tuple(
                None if pair is None else _cell(pair, shows, row, other)
                for pair, other in zip(cells, found.rows, strict=True)
            ),
        )
        for row, cells in zip(found.rows, found.cells, strict=True)
    ]


def _cell(pair: Pair, shows: str, row: Standing, other: Standing) -> MatrixCell:
    words = _words(pair, row, other)
    if pair.error is None:
        return MatrixCell("\u00b7", pair.blocks, "few", words)
    if shows == "difference":
        if pair.difference is None or pair.z is None:
            return MatrixCell("\u2013", pair.blocks, "even", words)
        return MatrixCell(
            _signed(pair.difference), pair.blocks, _tone(pair.difference, abs(pair.z) >= 2), words
        )
    return MatrixCell(f"{100 * pair.share:.1f}", pair.blocks, _tone(pair.share - 0.5, pair.is_clear), words)


def _tone(distance: float, is_clear: bool) -> str:
    if not is_clear:
        return "even"
    strength = next(tone for least, tone in _TONES if abs(distance) >= least)
    return ("up" if distance > 0 else "down") + strength


def _signed(share_of_one: float) -> str:
    value = 100 * share_of_one
    return f"{'+' if value > 0 else MINUS if value < 0 else ''}{abs(value):.1f}"


def _words(pair: Pair, row: Standing, other: Standing) -> str:
    names = {"bot": row.version.bot_name, "other": other.version.bot_name}
    if pair.half_width is None or pair.superiority is None:
        return _("%(bot)s against %(other)s: %(blocks)d blocks, too few to tell") % {
            **names, "blocks": pair.blocks,
        }  # fmt: skip
    text = _(
        "%(bot)s against %(other)s: %(share)s ± %(width)s in %(blocks)d blocks, stronger with %(los)s"
    ) % {
        **names,
        "share": share(pair.share),
        "width": f"{100 * pair.half_width:.1f}",
        "blocks": pair.blocks,
        "los": share(pair.superiority),
    }
    if pair.difference is None:
        return text
    return text + _("; the ratings expect %(expected)s") % {"expected": share(pair.expected)}
