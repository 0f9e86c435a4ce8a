"""Annulment: an organiser decides that blocks do not count, and may take it back.

Nothing is deleted. The ledger tells when an annulment was made and lifted, the blocks it covers are
skipped by the fold, and the ratings of every pool concerned are recomputed. When it is lifted the fold
is the same as before, so every number is what it was, bit for bit. What a new version entered with was
written once and is not recomputed.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.bots.models import BotVersion
from thousand.core.errors import ConflictError, InvalidInputError
from thousand.core.locks import locked
from thousand.matches.models import Block, Pool
from thousand.ratings.elo import RATING_RULES_VERSION
from thousand.ratings.models import Annulment, AnnulmentTarget, EntryKind, LedgerEntry
from thousand.ratings.services import lock_pool, mark_annulled, next_seq, rebuild_ratings

LONGEST_REASON = 1000


@transaction.atomic
def annul_block(*, block: Block, reason: str, by: User) -> Annulment:
    """Let one rated block not count. Raises ConflictError if it is not rated, or annulled already."""
    covered = LedgerEntry.objects.filter(block=block)
    if not covered.exists():
        raise ConflictError(
            _("Block {block} is not rated, so there is nothing to annul.").format(block=block.public_id)
        )
    return _annul(
        Annulment(target=AnnulmentTarget.BLOCK, block=block),
        covered=covered,
        pools=Pool.objects.filter(ledger__block=block),
        reason=reason,
        by=by,
    )


@transaction.atomic
def annul_version(*, version: BotVersion, reason: str, by: User) -> Annulment:
    """Let no block of a version count, in any pool, now or later."""
    return _annul(
        Annulment(target=AnnulmentTarget.VERSION, version=version),
        covered=LedgerEntry.objects.filter(block__entries__version=version),
        pools=Pool.objects.filter(ledger__version=version),
        reason=reason,
        by=by,
    )


@transaction.atomic
def annul_owner(*, owner: User, reason: str, by: User) -> Annulment:
    """Let no block of any bot of an owner count, in any pool, now or later."""
    return _annul(
        Annulment(target=AnnulmentTarget.OWNER, owner=owner),
        covered=LedgerEntry.objects.filter(block__entries__version__bot__owner=owner),
        pools=Pool.objects.filter(ledger__version__bot__owner=owner),
        reason=reason,
        by=by,
    )


@transaction.atomic
def lift_annulment(*, annulment: Annulment, by: User, reason: str = "") -> Annulment:
    """Let what an annulment covers count again, unless another one covers it too."""
    concerned = Q(ledger__annulment=annulment) | Q(ledger__covered_by=annulment)
    pools = _locked_pools(Pool.objects.filter(concerned))
    annulment = locked(Annulment.objects.filter(pk=annulment.pk)).get()
    if annulment.lifted_at is not None:
        raise ConflictError(_("This annulment was lifted already."))
    annulment.lifted_at = timezone.now()
    annulment.lifted_by = by
    annulment.lift_reason = _checked_reason(reason, needed=False)
    annulment.save(update_fields=["lifted_at", "lifted_by", "lift_reason"])
    _recompute(annulment, pools, EntryKind.RESTORED)
    return annulment


def annulled_versions() -> QuerySet[BotVersion]:
    """Return the versions whose blocks do not count: there is no use in playing them."""
    standing = Annulment.objects.filter(lifted_at=None)
    return BotVersion.objects.filter(
        Q(pk__in=standing.filter(version__isnull=False).values("version"))
        | Q(bot__owner__in=standing.filter(owner__isnull=False).values("owner"))
    )


def _annul(
    annulment: Annulment,
    *,
    covered: QuerySet[LedgerEntry],
    pools: QuerySet[Pool],
    reason: str,
    by: User,
) -> Annulment:
    annulment.reason = _checked_reason(reason, needed=True)
    annulment.annulled_by = by
    locked_pools = _locked_pools(pools)
    if not locked_pools:
        raise ConflictError(_("It takes part in no ladder or tournament, so there is nothing to annul."))
    twins = Annulment.objects.filter(
        target=annulment.target,
        block=annulment.block,
        version=annulment.version,
        owner=annulment.owner,
        lifted_at=None,
    )
    if twins.exists():
        raise ConflictError(_("This is annulled already."))
    annulment.save()
    annulment.entries.set(covered.values_list("pk", flat=True).distinct())
    _recompute(annulment, locked_pools, EntryKind.ANNULLED)
    return annulment


def _locked_pools(pools: QuerySet[Pool]) -> list[Pool]:
    keys = sorted(set(pools.values_list("pk", flat=True)))
    return [lock_pool(Pool(pk=key)) for key in keys]


def _recompute(annulment: Annulment, pools: Iterable[Pool], kind: EntryKind) -> None:
    """Note it in each ledger and fold anew. The caller holds the pools' locks."""
    mark_annulled(annulment.entries.all())
    for pool in pools:
        LedgerEntry.objects.create(
            pool=pool,
            seq=next_seq(pool),
            kind=kind,
            annulment=annulment,
            rating_rules_version=RATING_RULES_VERSION,
        )
        rebuild_ratings(pool=pool)


def _checked_reason(reason: str, *, needed: bool) -> str:
    reason = reason.strip()
    if needed and not reason:
        raise InvalidInputError(
            _("Say why: the reason is public, and the owners of the bots read it."), field="reason"
        )
    if len(reason) > LONGEST_REASON:
        raise InvalidInputError(
            _("A reason has at most {most} characters; this one has {count}.").format(
                most=LONGEST_REASON, count=len(reason)
            ),
            field="reason",
        )
    return reason
