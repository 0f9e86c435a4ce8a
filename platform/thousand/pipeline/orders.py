"""Orders for workers, built from rows: all that a process without a database needs to know."""

import json
import secrets

from arena.artifacts import RUNNABLE_FILENAME
from arena.orders import Limits, MatchOrder, SeatOrder, Trial, ValidationOrder
from engine import PLAYABLE_PRESETS, Ruleset
from thousand.bots.models import Bot, BotVersion
from thousand.core.artifacts import ArtifactStore
from thousand.matches.models import Match
from thousand.tournaments.services import MAIN_LADDER_PRESET, home_ladders

WALL_ON_MOVE_MS = 15 * 60 * 1000
"""Shared by the seats of a match, so that every match ends after about a quarter of an hour."""

VALIDATION_OPPONENT = "easy"


def match_order(match: Match) -> MatchOrder:
    """Return the order of a match for its running attempt."""
    block = match.block
    seats = match.seats.select_related("version").order_by("seat")
    return MatchOrder(
        match=match.public_id,
        token=match.token,
        seed=bytes(block.seed).hex(),
        rules_version=block.rules_version,
        ruleset=block.ruleset,
        seats=tuple(seat_order(seat.version) for seat in seats),
        limits=limits_of(block.limits, block.players),
    )


def validation_order(version: BotVersion, opponent: BotVersion) -> ValidationOrder:
    """Return the order to validate a version for its running attempt: a match a seat under the rules it will
    play first, and one match under every other ruleset that it is entered in or says it plays.
    """
    ladders = home_ladders(version)
    rules = [(Ruleset.from_json(one.pool.ruleset), one.pool.limits) for one in ladders]
    named = version.manifest.get("rulesets", ())
    rules += [(Ruleset.from_preset(name), {}) for name in named if name in PLAYABLE_PRESETS]
    rules = rules or [(Ruleset.from_preset(MAIN_LADDER_PRESET), {})]
    (ruleset, limits), *others = rules
    seen, trials = {_without_deal_limit(ruleset)}, []
    for one, changed in others:
        if (game := _without_deal_limit(one)) not in seen:
            seen.add(game)
            trials.append(Trial(one.to_json(), (secrets.token_hex(32),), limits_of(changed, one.players)))
    return ValidationOrder(
        validation=version.public_id,
        token=version.validation_token,
        seat=_seat(version, version.source_digest, version.filename),
        opponent=seat_order(opponent),
        ruleset=ruleset.to_json(),
        # A match a seat: the candidate sits once in each.
        seeds=tuple(secrets.token_hex(32) for _ in range(ruleset.players)),
        limits=limits_of(limits, ruleset.players),
        trials=tuple(trials),
        runnable_url=ArtifactStore().delivery_url(version.validation_token) if version.needs_build else "",
    )


def _without_deal_limit(ruleset: Ruleset) -> str:
    """Tell rulesets apart as ladders do: another number of deals is the same game."""
    agreements = ruleset.to_json()["agreements"]
    return json.dumps({**agreements, "deal_limit": None}, sort_keys=True)


def validation_opponent() -> BotVersion | None:
    """Return the house bot that candidates are tried against; None on a site without house bots."""
    house = Bot.objects.filter(is_house=True, active_version__isnull=False).select_related("active_version")
    bot = house.filter(name=VALIDATION_OPPONENT).first() or house.order_by("id").first()
    return None if bot is None else bot.active_version


def seat_order(version: BotVersion) -> SeatOrder:
    """Return how a worker gets and starts a version: the upload, or what was built of it."""
    built = version.runnable_digest != version.source_digest
    return _seat(version, version.runnable_digest, RUNNABLE_FILENAME if built else version.filename)


def _seat(version: BotVersion, digest: str, filename: str) -> SeatOrder:
    return SeatOrder(
        version=version.public_id,
        digest=digest,
        url=ArtifactStore().url(digest),
        filename=filename,
        language=version.language,
        entry=version.entry,
    )


def limits_of(changed: dict[str, int], players: int) -> Limits:
    """Return the limits of a match: defaults, a seat's share of the wall time, what a pool changed."""
    return Limits(**({"wall_on_move_ms": WALL_ON_MOVE_MS // players} | changed))
