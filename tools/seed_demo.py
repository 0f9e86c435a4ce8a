#!/usr/bin/env python3
"""Fill an empty site with a past, for looking at its pages: authors, bots, rated blocks, faults, a void.

    THOUSAND_DATA=/tmp/demo python manage.py migrate
    THOUSAND_DATA=/tmp/demo python tools/seed_demo.py [--blocks 30]

Matches are played by the engine in this process, with simple players in the bots' places, and go in by
the same services as a worker's reports. Refuses a site that has blocks already.
"""

import argparse
import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "thousand.settings.embedded")

import django  # noqa: E402

django.setup()

from django.utils import timezone  # noqa: E402

from arena.orders import MatchReport, SeatReport  # noqa: E402
from arena.replay import final_places  # noqa: E402
from arena.verdicts import Verdict  # noqa: E402
from engine import Ruleset, is_terminal, legal_actions, outcome, start, step  # noqa: E402
from engine.state import MatchState  # noqa: E402
from thousand.accounts.models import User  # noqa: E402
from thousand.bots.models import BotVersion, VersionState  # noqa: E402
from thousand.bots.services import create_house_bots, submit_bot, upload_bot_version  # noqa: E402
from thousand.matches.models import Block, BlockKind, Match, Pool  # noqa: E402
from thousand.matches.services import create_block, mark_sent, void_block  # noqa: E402
from thousand.pipeline.completion import complete_match  # noqa: E402
from thousand.pipeline.models import Worker  # noqa: E402
from thousand.ratings.fitting import refit_stale  # noqa: E402
from thousand.ratings.models import LedgerEntry  # noqa: E402
from thousand.tournaments.services import create_ladder, enter_bot  # noqa: E402

AUTHORS = (
    ("sandra", "Marta"),
    ("grisha", "Гриша"),
    ("noam", "אריה הגדול"),
    ("kees", "A bot whose name has forty characters ok"),
    ("ivo", "Barrel Roll"),
)
BOT = b"""from bots_sdk import Bot, run


class MyBot(Bot):
    def choose(self, request):
        return request.legal[0]


run(MyBot())
# %d
"""
PASSWORD = "correct horse battery"  # noqa: S105 - of demonstration accounts on this machine

Choice = Callable[[MatchState, Sequence[str], random.Random], str]


def mild(_state: MatchState, legal: Sequence[str], _luck: random.Random) -> str:
    """Take the mildest action always."""
    return legal[0]


def bold(state: MatchState, legal: Sequence[str], luck: random.Random) -> str:
    """Bid a little, then lead and take high."""
    if state.phase == "auction":
        return legal[min(len(legal) - 1, luck.choice((0, 0, 1, 2)))]
    if state.phase == "play":
        return legal[-1]
    return legal[0]


def any_legal(state: MatchState, legal: Sequence[str], luck: random.Random) -> str:
    """Play any card; in the auction mostly pass."""
    if state.phase == "auction":
        return legal[min(len(legal) - 1, luck.choice((0, 0, 0, 1)))]
    return luck.choice(legal) if state.phase == "play" else legal[0]


@dataclass(frozen=True)
class Fall:
    """A fault to be played into a match: which seat, after how many actions."""

    seat: int
    after: int


def play(match: Match, choices: Sequence[Choice], luck: random.Random, fall: Fall | None) -> MatchReport:
    """Play a match through the engine and report it as a worker would."""
    block = match.block
    state = start(Ruleset.from_json(block.ruleset), bytes(block.seed)).state
    actions: list[str] = []
    while not is_terminal(state):
        legal = legal_actions(state)
        seat = state.turn if state.turn is not None else 0
        fallen = fall is not None and seat == fall.seat and len(actions) >= fall.after
        actions.append(legal[0] if fallen else choices[seat](state, legal, luck))
        state = step(state, actions[-1]).state
    end = outcome(state)
    verdicts = [Verdict.OK.value] * block.players
    seats = [_seat_report(luck) for _seat in range(block.players)]
    if fall is not None:
        verdicts[fall.seat] = Verdict.ILLEGAL_ACTION.value
        seats[fall.seat] = _fault_report(fall)
    return MatchReport(
        match=match.public_id,
        token=match.token,
        rules_version=block.rules_version,
        ruleset_digest=block.ruleset_digest,
        actions=tuple(actions),
        cpu_us=tuple(luck.randrange(80, 4000) for _action in actions),
        wall_us=tuple(luck.randrange(4000, 9000) for _action in actions),
        seats=tuple(seats),
        places=final_places(end.places, verdicts),
        totals=end.totals,
        termination=end.termination.value,
        sandbox="bwrap-1a",
    )


def _seat_report(luck: random.Random) -> SeatReport:
    return SeatReport(
        verdict="ok",
        cpu_ms=luck.randrange(300, 2000),
        wall_ms=luck.randrange(4000, 9000),
        slowest_ms=luck.randrange(5, 90),
        decisions=luck.randrange(300, 900),
        stderr_head="loaded tables in 0.02 s\n",
    )


def _fault_report(fall: Fall) -> SeatReport:
    return SeatReport(
        verdict="illegal_action",
        message="The bot answered with an action that is not legal now. Legal were: pass, bid 105, bid 110.",
        quoted='{"id": 41, "action": "bid 100"}',
        fault_index=fall.after,
        cpu_ms=31,
        wall_ms=300,
        slowest_ms=12,
        decisions=17,
        stderr_head="loaded tables in 0.02 s\n",
        stderr_tail="answering bid 100\n",
    )


def make_bots(pool: Pool) -> list[BotVersion]:
    """Create authors, bots and house bots; all of them ready and in the ladder."""
    found = create_house_bots()
    for number, (username, name) in enumerate(AUTHORS):
        owner = User.objects.create_user(username=username, password=PASSWORD)
        version = submit_bot(owner=owner, name=name, filename="bot.py", data=BOT % number, notes="First try.")
        BotVersion.objects.filter(pk=version.pk).update(
            state=VersionState.READY, validated_at=timezone.now(), validation_steps=_passed_steps()
        )
        version.bot.active_version = version
        version.bot.save(update_fields=["active_version"])
        found.append(BotVersion.objects.select_related("bot").get(pk=version.pk))
    for version in found:
        enter_bot(pool=pool, bot=version.bot)
    return found


def _passed_steps() -> list[dict[str, str]]:
    return [
        {"name": "archive", "state": "passed", "text": "One file, bot.py."},
        {"name": "handshake", "state": "passed", "text": "Ready after 0.21 s of 5 s."},
        {"name": "match", "state": "passed", "text": "Match 1 of 2: 31 deals, no fault."},
        {"name": "match", "state": "passed", "text": "Match 2 of 2: 28 deals, no fault."},
    ]


def make_rejected(version: BotVersion) -> None:
    """Add an upload that was refused, as its author sees it."""
    owner = User.objects.get(bots=version.bot)
    upload = upload_bot_version(
        owner=owner, bot=version.bot, filename="bot.py", data=BOT % 99, notes="Bids higher."
    )
    text = (
        "illegal_action in deal 2, trick 4. Your bot answered `play KH`; legal were `play 9S`, `play AS`. "
        "Answer one of request.legal."
    )
    BotVersion.objects.filter(pk=upload.pk).update(
        state=VersionState.REJECTED,
        validated_at=timezone.now(),
        validation_steps=[*_passed_steps()[:2], {"name": "match", "state": "failed", "text": text}],
        reject_reason=text,
        validation_log="trick 4: following hearts\n",
    )


def play_block(
    versions: Sequence[BotVersion], pool: Pool, luck: random.Random, at: datetime, fall: bool
) -> None:
    """Play one rated block that closes at `at`."""
    block = create_block(kind=BlockKind.LADDER, versions=versions, pool=pool)
    for match in block.matches.order_by("seating"):
        _play_match(match, luck, at, Fall(1, 40) if fall and match.seating == 2 else None)
    Block.objects.filter(pk=block.pk).update(created_at=at - timedelta(minutes=4))


def _play_match(match: Match, luck: random.Random, at: datetime, fall: Fall | None) -> None:
    mark_sent(match, now=at)
    players = [_player(seat.version.bot.name) for seat in match.seats.select_related("version__bot")]
    complete_match(report=play(match, players, luck, fall), worker="demo", now=at)


def _player(name: str) -> Choice:
    return (mild, bold, any_legal)[sum(name.encode()) % 3]


def main(arguments: list[str]) -> int:
    """Seed the site; return 1 when it is not empty."""
    parser = argparse.ArgumentParser(description="Fill an empty site for looking at its pages.")
    parser.add_argument("--blocks", type=int, default=30, help="rated blocks to play (default 30)")
    options = parser.parse_args(arguments)
    if Block.objects.exists():
        print("This site has blocks already; seed an empty one.", file=sys.stderr)
        return 1
    luck = random.Random(7)  # noqa: S311 - a demonstration needs the same luck each time
    ladder = create_ladder(name="Main ladder", slug="main", preset="tournament_default", is_main=True)
    versions = make_bots(ladder.pool)
    now = timezone.now()
    long_ago = now - timedelta(minutes=37 * (options.blocks + 1))
    BotVersion.objects.update(created_at=long_ago)
    LedgerEntry.objects.update(created_at=long_ago)
    for number in range(options.blocks):
        at = now - timedelta(minutes=37 * (options.blocks - number))
        play_block(luck.sample(versions, 3), ladder.pool, luck, at, fall=number % 9 == 5)
    void_block(
        block=create_block(kind=BlockKind.LADDER, versions=versions[:3], pool=ladder.pool),
        cause="The worker was lost three times (arena fault).",
    )
    begun = create_block(kind=BlockKind.LADDER, versions=versions[3:6], pool=ladder.pool)
    for match in begun.matches.order_by("seating")[:2]:
        _play_match(match, luck, now, None)
    make_rejected(versions[-1])
    sandra = User.objects.get(username="sandra")
    upload_bot_version(owner=sandra, bot=sandra.bots.get(), filename="bot.py", data=BOT % 77)
    Worker.objects.create(
        name="arena@demo", slots=2, playing=1, sandbox="bwrap-1a", software="0.1.0", rules_version="1",
        last_seen_at=timezone.now(),
    )  # fmt: skip
    refit_stale()
    User.objects.create_user(username="organiser", password=PASSWORD, is_staff=True, is_superuser=True)
    print(
        f"{Block.objects.count()} blocks, {BotVersion.objects.count()} versions; every password: {PASSWORD}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
