"""Pools are made here, for ladders and tournaments alike: name, address, rules and limits are checked."""

from collections.abc import Mapping
from functools import lru_cache

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from arena.orders import Limits
from engine import PLAYABLE_PRESETS, RULES_VERSION, Ruleset, RulesetError
from thousand.accounts.names import check_name
from thousand.core.errors import ConflictError, InvalidInputError
from thousand.matches.models import Pool, PoolKind

MOST_SHARE = 100
"""Weight of a pool among those that wait for workers."""
MOST_TICK_MS = 100
"""A match of some thousand answers that are held back for longer would hold up the ladder."""


@transaction.atomic
def create_pool(
    *,
    kind: PoolKind,
    name: str,
    slug: str,
    preset: str,
    agreements: Mapping[str, object] | None = None,
    limits: Mapping[str, int] | None = None,
) -> Pool:
    """Create a pool. `agreements` and `limits` are those that differ from the preset and the defaults.

    Raises InvalidInputError with field `name`, `slug`, `preset`, `agreements.<id>` or `limits.<name>`,
    ConflictError for a slug that is taken.
    """
    name = checked_pool_name(name)
    ruleset = _checked_ruleset(preset, agreements or {})
    limits = _checked_limits(limits or {})
    try:
        with transaction.atomic():
            return Pool.objects.create(
                kind=kind,
                slug=_checked_slug(slug),
                name=name,
                players=ruleset.players,
                ruleset=ruleset.to_json(),
                ruleset_digest=ruleset.digest,
                rules_version=RULES_VERSION,
                limits=limits,
            )
    except IntegrityError:
        raise ConflictError(
            _("There is already a ladder or tournament at “{slug}”.").format(slug=slug),
            field="slug",
            value=slug,
        ) from None


def checked_pool_name(name: str) -> str:
    """Return the name of a ladder or tournament without outer blanks. Raises InvalidInputError."""
    name = check_name(name.strip(), field="name", blanks=True)
    _check_length(name, "name", Pool._meta.get_field("name").max_length or 0)
    return name


def plays_preset(pool: Pool, preset: str) -> bool:
    """Does the pool play this preset? Its deal limit may be another one."""
    if preset not in PLAYABLE_PRESETS:
        return False
    limit = {"deal_limit": pool.ruleset["agreements"]["deal_limit"]}
    return Ruleset.from_preset(preset, limit).digest == pool.ruleset_digest


def played_preset(pool: Pool) -> str | None:
    """Return the preset that a pool plays, with whatever deal limit; None for rules of its own."""
    return _presets_by_digest(pool.ruleset["agreements"]["deal_limit"]).get(pool.ruleset_digest)


@lru_cache(maxsize=64)
def _presets_by_digest(deal_limit: int) -> dict[str, str]:
    """Return the presets by the digest that they have with this deal limit."""
    return {Ruleset.from_preset(name, {"deal_limit": deal_limit}).digest: name for name in PLAYABLE_PRESETS}


def _checked_slug(slug: str) -> str:
    most = Pool._meta.get_field("slug").max_length or 0
    ok = slug and slug.isascii() and all(c.isalnum() or c == "-" for c in slug) and slug == slug.lower()
    if not ok or len(slug) > most:
        raise InvalidInputError(
            _(
                "An address has 1 to {most} small letters, digits and hyphens; “{slug}” has something else."
            ).format(most=most, slug=slug),
            field="slug",
            value=slug,
        )
    return slug


def _check_length(text: str, field: str, most: int) -> None:
    if not 1 <= len(text) <= most:
        raise InvalidInputError(
            _("A name has 1 to {most} characters; this one has {count}.").format(most=most, count=len(text)),
            field=field,
            value=text,
        )


def _checked_ruleset(preset: str, agreements: Mapping[str, object]) -> Ruleset:
    try:
        ruleset = Ruleset.from_preset(preset, agreements)
        ruleset.require_whole_points()
    except RulesetError as error:
        field = error.field if error.field == "preset" else f"agreements.{error.field}"
        raise InvalidInputError(
            str(error), field=field, value=error.value, expected=error.expected
        ) from error
    if not ruleset["deal_limit"]:
        raise InvalidInputError(
            _("“{preset}” sets no deal limit; rated play needs one, so that every match ends.").format(
                preset=preset
            ),
            field="agreements.deal_limit",
            value=ruleset["deal_limit"],
            expected=_("a number of deals, for example 100"),
        )
    return ruleset


def _checked_limits(limits: Mapping[str, int]) -> dict[str, int]:
    known = {name: getattr(Limits(), name) for name in Limits.__struct_fields__}
    for name, value in limits.items():
        if name not in known:
            raise InvalidInputError(
                _("There is no limit called “{name}”. Limits are: {known}.").format(
                    name=name, known=", ".join(known)
                ),
                field=f"limits.{name}",
                value=value,
            )
        if name != "tick_ms" and (type(value) is not int or value <= 0):
            raise InvalidInputError(
                _("A limit is a whole number above 0, for example {name} = {default}; got {value}.").format(
                    name=name, default=known[name], value=value
                ),
                field=f"limits.{name}",
                value=value,
                expected=_("a whole number above 0"),
            )
        least, most = max(1, known[name] // 20), known[name] * 20
        if name == "tick_ms":
            least, most = 0, MOST_TICK_MS
        if type(value) is not int or not least <= value <= most:
            raise InvalidInputError(
                _("{name} = {value} is out of reach; give a number from {least} to {most}.").format(
                    name=name, value=value, least=least, most=most
                ),
                field=f"limits.{name}",
                value=value,
                expected=f"{least} … {most}",
            )
    _check_together(limits, {**known, **limits})
    return dict(limits)


def _check_together(given: Mapping[str, int], limits: Mapping[str, int]) -> None:
    """Refuse a decision that could use more than its deadline or the whole match allows."""
    move = limits["move_ms"]
    for other in ("deadline_ms", "bank_ms"):
        if limits[other] < move:
            name = other if other in given else "move_ms"
            raise InvalidInputError(
                _("{other} = {limit} is less than move_ms = {move}: no decision could use its time.").format(
                    other=other, limit=limits[other], move=move
                ),
                field=f"limits.{name}",
                value=limits[name],
                expected=f"{move} …" if name == other else f"… {limits[other]}",
            )


def checked_share(share: int) -> int:
    """Return the weight of a pool among those that wait for workers. Raises InvalidInputError."""
    if type(share) is not int or not 1 <= share <= MOST_SHARE:
        raise InvalidInputError(
            _("A share is a whole number from 1 to {most}; got {share}.").format(
                most=MOST_SHARE, share=share
            ),
            field="share",
            value=share,
            expected=f"1 … {MOST_SHARE}",
        )
    return share
