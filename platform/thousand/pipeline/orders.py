"""Orders for workers, built from rows: all that a process without a database needs to know."""

import secrets

from arena.orders import Limits, MatchOrder, SeatOrder, ValidationOrder
from engine import Ruleset
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
    """Return the order to validate a version for its running attempt, under the rules it will play first."""
    ladder = next(iter(home_ladders(version)), None)
    ruleset = (
        Ruleset.from_preset(MAIN_LADDER_PRESET) if ladder is None else Ruleset.from_json(ladder.pool.ruleset)
    )
    return ValidationOrder(
        validation=version.public_id,
        token=version.validation_token,
        seat=seat_order(version),
        opponent=seat_order(opponent),
        ruleset=ruleset.to_json(),
        # A match a seat: the candidate sits once in each.
        seeds=tuple(secrets.token_hex(32) for _ in range(ruleset.players)),
        limits=limits_of({} if ladder is None else ladder.pool.limits, ruleset.players),
    )


def validation_opponent() -> BotVersion | None:
    """Return the house bot that candidates are tried against; None on a site without house bots."""
    house = Bot.objects.filter(is_house=True, active_version__isnull=False).select_related("active_version")
    bot = house.filter(name=VALIDATION_OPPONENT).first() or house.order_by("id").first()
    return None if bot is None else bot.active_version


def seat_order(version: BotVersion) -> SeatOrder:
    """Return how a worker gets and starts a version."""
    return SeatOrder(
        version=version.public_id,
        digest=version.runnable_digest,
        url=ArtifactStore().url(version.runnable_digest),
        filename=version.filename,
        language=version.language,
        entry=version.entry,
    )


def limits_of(changed: dict[str, int], players: int) -> Limits:
    """Return the limits of a match: defaults, a seat's share of the wall time, what a pool changed."""
    return Limits(**({"wall_on_move_ms": WALL_ON_MOVE_MS // players} | changed))
