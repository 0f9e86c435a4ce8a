"""The tables of a bot's page: formatted here, drawn by `web/parts/table.html`."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from thousand.ratings.head_to_head import Opponent
from thousand.ratings.pairs import Pair
from thousand.ratings.playing import Play
from thousand.ratings.selectors import RatingPoint
from thousand.web.tables import Cell, Column, Table
from thousand.web.templatetags.arena import MINUS, NO_BREAK, count, instant, rating, share, verdict_word

DASH = "\u2013"
LARGE_Z = 2.0


def plus_minus(value: float, half_width: float | None, *, unit: str = "") -> tuple[str, str]:
    """Return a signed whole number and what is said less loudly after it."""
    sign = "+" if value > 0 else MINUS if value < 0 else ""
    width = "?" if half_width is None else f"{half_width:.0f}"
    return f"{sign}{abs(value):.0f}{unit}", f"±{NO_BREAK}{width}"


def share_cell(value: float, half_width: float | None) -> Cell:
    """Return a share with its interval in points of a hundred."""
    width = "?" if half_width is None else f"{100 * half_width:.1f}"
    hint = _("An interval needs ten blocks") if half_width is None else ""
    return Cell(share(value), muted=f"±{NO_BREAK}{width}", hint=hint)


def seats_table(play: Play) -> Table:
    """How the version does in each seat."""
    return Table(
        columns=(
            Column(_("Seat"), number=True),
            Column(_("Score"), number=True, hint=_("Mean place score: first 1, second one half, last 0")),
            Column(_("First"), number=True, hint=_("Share of matches in which it came first")),
            Column(_("Mean total"), number=True),
            Column(_("Faults"), number=True),
            Column(_("Matches"), number=True),
        ),
        rows=[
            (
                Cell(str(row.seat)),
                share_cell(row.share, row.half_width),
                Cell(share(row.won)),
                Cell(rating(row.mean_total)),
                Cell(count(row.faults)),
                Cell(count(row.matches)),
            )
            for row in play.seats
        ],
    )


def contracts_table(play: Play) -> Table:
    """Which contracts the version names, and how many of each it makes."""
    return Table(
        columns=(
            Column(_("Contract"), number=True),
            Column(_("Named"), number=True),
            Column(_("Share"), number=True),
            Column(_("Made"), number=True),
            Column(_("Made, share"), number=True),
        ),
        rows=[
            (
                Cell(count(row.contract)),
                Cell(count(row.named)),
                Cell(share(row.named / play.declared)),
                Cell(count(row.made)),
                Cell(share(row.share_made)),
            )
            for row in play.contracts
        ],
        tall=len(play.contracts) > 12,
    )


def opponents_table(opponents: Sequence[Opponent]) -> Table:
    """Whom the version met, and what it won from each."""
    return Table(
        columns=(
            Column(_("Opponent")),
            Column(_("Blocks"), number=True),
            Column(
                _("Score"), number=True, hint=_("Share of matches in which it was placed before this one")
            ),
            Column(
                _("Elo"), number=True, hint=_("The score as a difference in strength, with its 95 % interval")
            ),
            Column(_("Stronger"), number=True, hint=_("Likelihood that it is the stronger of the two (LOS)")),
            Column(
                _("Beyond rating"),
                number=True,
                hint=_(
                    "Score less what the fit expects, in points of a hundred; "
                    "marked from two standard errors on"
                ),
            ),
        ),
        rows=[_opponent_row(row) for row in opponents],
        tall=len(opponents) > 12,
    )


def _opponent_row(row: Opponent) -> tuple[Cell, ...]:
    pair = row.pair
    return (
        Cell(
            row.version.bot_name,
            url=reverse("web:bot", args=[row.version.bot_id]),
            muted=f"v{row.version.number}",
            bot=True,
        ),
        Cell(count(pair.blocks)),
        share_cell(pair.share, pair.half_width),
        elo_cell(pair),
        Cell(DASH if pair.superiority is None else share(pair.superiority)),
        difference_cell(pair),
    )


def elo_cell(pair: Pair) -> Cell:
    """Return the difference in strength that a pair's score means."""
    if pair.elo is None:
        return Cell(DASH, hint=_("One of the two has won everything"))
    text, muted = plus_minus(pair.elo, pair.elo_half_width)
    return Cell(text, muted=muted)


def difference_cell(pair: Pair) -> Cell:
    """Return how far a pair's score is from what the ratings say."""
    if pair.difference is None:
        return Cell(DASH, hint=_("No fit yet"))
    value = 100 * pair.difference
    text = f"{'+' if value > 0 else MINUS if value < 0 else ''}{abs(value):.1f}"
    if pair.z is not None and abs(pair.z) >= LARGE_Z:
        return Cell(text, muted="!", hint=_("More than two standard errors: not explained by the ratings"))
    return Cell(text)


def verdicts_table(counts: dict[str, int]) -> Table | None:
    """How the bot's matches ended, the good end first."""
    total = sum(counts.values())
    if not total:
        return None
    order = sorted(counts.items(), key=lambda row: (row[0] != "ok", -row[1], row[0]))
    return Table(
        columns=(Column(_("Verdict")), Column(_("Matches"), number=True), Column(_("Share"), number=True)),
        rows=[
            (
                Cell(verdict_word(verdict), icon="ok" if verdict == "ok" else "fault"),
                Cell(count(number)),
                Cell(share(number / total)),
            )
            for verdict, number in order
            if number
        ],
    )


def history_table(points: Sequence[RatingPoint]) -> Table:
    """The points of the rating graph, newest first."""
    return Table(
        columns=(
            Column(_("Time")),
            Column(_("Rating"), number=True),
            Column(_("Version"), number=True),
            Column(_("Block")),
        ),
        rows=[
            (
                Cell(instant(point.at)),
                Cell(rating(point.shown)),
                Cell(f"v{point.version_number}"),
                _block_cell(point.block),
            )
            for point in points
        ],
    )


def _block_cell(block: str | None) -> Cell:
    if block is None:
        return Cell(_("entered the ladder"))
    return Cell(block, url=reverse("web:block", args=[block]))
