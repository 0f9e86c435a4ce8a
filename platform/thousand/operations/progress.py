"""What `manage.py up` says while it plays: a line a block, and now and then the standings."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from thousand.bots.models import BotVersion, VersionState
from thousand.matches.models import Block, BlockState, Pool
from thousand.matches.visibility import public
from thousand.ratings.models import EntryKind, LedgerEntry, Rating, RatingChange
from thousand.tournaments.models import Entry, Ladder


class Progress:
    """Remembers what has been told. Blocks and validations that ended before it was made are not news."""

    def __init__(self) -> None:
        self._last_entry = _newest(LedgerEntry)
        self._since = timezone.now()
        self._told: set[str] = set()
        self.rated = 0
        """Blocks rated since then."""

    def news(self) -> Iterator[str]:
        """Yield a line for each thing that has happened since the last call."""
        # A minute back, because what has the earlier time may be committed later.
        since = max(self._since, timezone.now() - timedelta(minutes=1))
        settled = BotVersion.objects.filter(validated_at__gt=since, bot__is_house=False).order_by(
            "validated_at", "id"
        )
        for version in settled.exclude(public_id__in=self._told).select_related("bot"):
            self._told.add(version.public_id)
            yield version_line(version)
        voids = Block.objects.filter(public(), state=BlockState.VOID, closed_at__gt=since)
        for block in voids.exclude(public_id__in=self._told):
            self._told.add(block.public_id)
            yield _("block {block} void: {cause}").format(block=block.public_id, cause=block.void_cause)
        entries = LedgerEntry.objects.filter(kind=EntryKind.BLOCK, id__gt=self._last_entry)
        for entry in entries.select_related("block", "pool").order_by("id"):
            self._last_entry = entry.pk
            self.rated += 1
            yield block_line(entry)


def block_line(entry: LedgerEntry) -> str:
    """Tell a rated block: number, score and rating change of each bot, and how long it took."""
    block = entry.block
    if block is None:
        raise ValueError(f"ledger entry {entry.pk} is not a block")
    number = LedgerEntry.objects.filter(pool=entry.pool_id, kind=EntryKind.BLOCK, seq__lte=entry.seq).count()
    changes = entry.changes.select_related("version__bot").order_by("-score", "slot")
    matches = block.matches.count()
    parts = ", ".join(_change(change, matches) for change in changes)
    line = _("block {block} rated #{number}: {parts}; {took:.1f} s").format(
        block=block.public_id, number=number, parts=parts, took=_seconds(block)
    )
    if Pool.objects.count() == 1:
        return line
    return _("{pool}: {line}").format(pool=entry.pool.name, line=line)


def _change(change: RatingChange, matches: int) -> str:
    delta = change.after - change.before
    return f"{change.version.bot.name} {score_text(change.score * 2 * matches)} ({delta:+.1f})"


def score_text(points: float) -> str:
    """Return place points as people write them: `7½`."""
    halves = round(points * 2)
    whole, half = divmod(halves, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def _seconds(block: Block) -> float:
    first = block.matches.aggregate(first=Min("started_at"))["first"]
    if first is None or block.closed_at is None:
        return 0.0
    return float((block.closed_at - first).total_seconds())


def version_line(version: BotVersion) -> str:
    """Tell how a validation ended."""
    if version.state == VersionState.READY:
        return _("{version} is ready and plays from now on").format(version=version)
    return _("{version} was rejected: {reason}").format(version=version, reason=version.reject_reason)


def standings_lines() -> list[str]:
    """Return the standings of every running ladder as a small table."""
    lines: list[str] = []
    for ladder in Ladder.objects.filter(running=True).select_related("pool").order_by("-is_main", "id"):
        lines += [_("Standings, {ladder}").format(ladder=ladder.pool.name), *_table(ladder.pool)]
    return lines


def _table(pool: Pool) -> Iterator[str]:
    playing = Entry.objects.filter(pool=pool, active=True).values("version")
    ratings: Sequence[Rating] = list(
        Rating.objects.filter(pool=pool, version__in=playing)
        .select_related("version__bot")
        .order_by("-value", "id")[:20]
    )
    width = max((len(str(rating.version)) for rating in ratings), default=0)
    for rank, rating in enumerate(ratings, start=1):
        share = f"{100 * rating.score_sum / rating.blocks:3.0f} %" if rating.blocks else "  – "
        yield (
            f"{rank:4}. {rating.version!s:{width}}  {int(rating.value + 0.5):5}  {share}  "
            + ngettext("{count} block", "{count} blocks", rating.blocks).format(count=rating.blocks)
        )


def _newest(model: type[LedgerEntry]) -> int:
    return model.objects.order_by("-id").values_list("id", flat=True).first() or 0
