"""Tournaments in every state that a page must be able to show."""

import random
from dataclasses import dataclass

from tests.factories import make_author, make_bot, make_organiser, make_version
from tests.platform.tournaments.events import (
    all_equal,
    close,
    enter,
    entrants,
    give_up,
    in_an_hour,
    make_house,
    make_tournament,
    open_blocks,
    play_out,
    play_round,
    start,
)
from thousand.accounts.models import User
from thousand.bots.models import Bot
from thousand.matches.services import rerun_block
from thousand.ratings.annulment import annul_block
from thousand.tournaments.models import Tournament
from thousand.tournaments.organising import (
    archive_tournament,
    cancel_tournament,
    pause_tournament,
)
from thousand.tournaments.registration import disqualify, withdraw_from_tournament
from thousand.tournaments.rounds import advance_tournaments

LONG = "Wolfeschlegelsteinhausenbergerdorff 0001"


@dataclass
class TournamentSite:
    """Rows by what they are for."""

    organiser: User
    owner: User
    bot: Bot
    """Of the owner: entered wherever registration was open."""
    states: dict[str, Tournament]

    def slugs(self) -> list[str]:
        return [tournament.pool.slug for tournament in self.states.values()]


def make_tournament_site() -> TournamentSite:
    """Return a site with a tournament in each state; blocks are closed by hand, so that it is quick."""
    organiser, owner = make_organiser("olga"), make_author("sandra")
    make_house()
    bot = make_version(make_bot(owner, "Marta <b>")).bot
    make = {"organiser": organiser, "house": 0}
    states: dict[str, Tournament] = {}

    states["draft"] = make_tournament(name="Spring draft", slug="draft", opened=False, **make)
    states["empty"] = make_tournament(name="Cup of nobody", slug="empty", **make)
    states["open"] = make_tournament(3, name="Winter cup", slug="open", starts_at=in_an_hour(), places=9,
                                     text="Bring a coat.\nAnd <i>tea</i>.", **make)  # fmt: skip
    enter(states["open"], bot)

    running = states["running"] = make_tournament(6, name="Running cup", slug="running", **make)
    enter(running, bot)
    enter(running, make_version(make_bot(make_author(), LONG)).bot)
    start(running)
    play_round(running, luck=random.Random(1))
    first = open_blocks(running)[0]
    rerun_block(give_up(first))
    gone = entrants(running)[5]
    withdraw_from_tournament(
        tournament=running, bot=gone.bot, actor=organiser, reason="Its author is on holiday."
    )

    paused = states["paused"] = make_tournament(
        4, players=2, format="swiss", name="Paused cup", slug="paused", **make
    )
    start(paused)
    play_round(paused, luck=random.Random(2))
    pause_tournament(tournament=paused, actor=organiser, reason="The worker moves house.")

    decided = states["decided"] = make_tournament(
        4, players=2, format="groups", name="Group cup", slug="decided", **make
    )
    start(decided)
    play_out(decided, luck=random.Random(3))
    annul_block(block=decided.round_blocks.first().counted, reason="The cards were known.", by=organiser)

    shared = states["shared"] = make_tournament(2, players=2, name="Twin cup", slug="shared", **make)
    cheat = enter(shared)
    start(shared)
    disqualify(tournament=shared, bot=cheat, actor=organiser, reason="Two accounts of one person.")
    play_out(shared, all_equal)

    knockout = states["knockout"] = make_tournament(
        5, players=2, format="knockout", name="Cup of pairs", slug="knockout", **make
    )
    start(knockout)
    play_round(knockout)

    four = states["four"] = make_tournament(6, players=4, name="Cup of fours", slug="four", **make)
    start(four)
    play_round(four, luck=random.Random(4))

    void = states["void"] = make_tournament(2, players=2, name="Cup of nothing", slug="void", **make)
    start(void)
    for _round in range(9):
        for block in open_blocks(void):
            give_up(block, "All bots of one match faulted.")
        advance_tournaments()

    states["cancelled"] = cancel_tournament(
        tournament=make_tournament(2, name="Cancelled cup", slug="cancelled", **make), actor=organiser,
        reason="No hall.",
    )  # fmt: skip
    archived = states["archived"] = make_tournament(1, name="Old cup", slug="archived", **make)
    start(archived)
    archive_tournament(tournament=archived, actor=organiser)
    return TournamentSite(organiser, owner, bot, states)


def make_large_tournament(number: int = 40) -> Tournament:
    """A Swiss tournament of forty with two rounds played and one that is being played."""
    tournament = make_tournament(number, format="swiss", name="Cup of forty", slug="forty")
    start(tournament)
    for seed in (1, 2):
        play_round(tournament, luck=random.Random(seed))
    close(open_blocks(tournament)[0], all_equal)
    return tournament
