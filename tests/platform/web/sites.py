"""A small site in every state that a page must be able to show."""

from dataclasses import dataclass

from django.test import Client

from tests.factories import (
    enter,
    make_author,
    make_block,
    make_bot,
    make_complete_block,
    make_finished_match,
    make_organiser,
    make_pool,
    make_version,
)
from thousand.accounts.models import User
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.matches.models import Block, BlockState, Match, Pool
from thousand.matches.services import void_block

SECRET_NOTE = "raises the bid when forehand"
SECRET_LOG = "Traceback in my bot"
QUOTED = '{"id": 3, "action": "play ZZ"}'


@dataclass
class Site:
    """Rows by what they are for."""

    pool: Pool
    owner: User
    other: User
    organiser: User
    bot: Bot
    version: BotVersion
    rejected: BotVersion
    complete: Block
    """Its bot faulted in every match."""
    open: Block
    """Two of its matches are finished."""
    void: Block

    def match(self, block: Block) -> Match:
        """Return the first match of a block."""
        return block.matches.order_by("seating")[0]


def make_site() -> Site:
    """Return a site with a complete, an open and a void block, and a bot with a rejected upload."""
    pool = make_pool("main", main=True)
    owner, other, organiser = make_author("sandra"), make_author("grisha"), make_organiser("olga")
    bot = make_bot(owner, "Marta <b>")
    version = make_version(bot, notes=SECRET_NOTE)
    others = [make_version(make_bot(other, "Гриша")), make_version(make_bot(name="easy", is_house=True))]
    for row in (version, *others):
        enter(pool, row)
    complete = make_complete_block(
        pool, [version, *others], slot_places=(3, 1, 2), slot_verdicts=("illegal_action", "ok", "ok")
    )
    begun = make_block(pool, [version, *others])
    for match in begun.matches.order_by("seating")[:2]:
        make_finished_match(match, totals=(987, 654, 321))
    rejected = make_version(
        bot,
        state=VersionState.REJECTED,
        reject_reason="Step 4 failed: `play KH` is not legal.",
        validation_log=SECRET_LOG,
        validation_steps=[
            {"name": "archive", "state": "passed", "text": "One file."},
            {"name": "handshake", "state": "passed", "text": "Ready after 0.2 s."},
            {"name": "match", "state": "failed", "text": "Step 4 failed: `play KH` is not legal."},
        ],
    )
    void = void_block(block=make_block(pool, [version, *others]), cause="The worker was lost three times.")
    assert begun.state == BlockState.OPEN
    return Site(pool, owner, other, organiser, bot, version, rejected, complete, begun, void)


def client_of(user: User | None) -> Client:
    """Return a browser of that user; None is a spectator."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client
