"""Organisers correct things in the admin through the same services as everything else."""

import pytest
from django.test import Client

from tests.factories import (
    enter,
    make_block,
    make_bot,
    make_complete_block,
    make_organiser,
    make_pool,
    make_version,
)
from tests.platform.tournaments.events import make_tournament, start
from thousand.bots.models import Bot, BotState, BotVersion, VersionState
from thousand.core.artifacts import ArtifactStore
from thousand.matches.models import Block, BlockState
from thousand.tournaments.models import Entry, Ladder

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(client: Client) -> Client:
    client.force_login(make_organiser())
    return client


def act(client: Client, where: str, action: str, *rows: int) -> str:
    answer = client.post(f"/admin/{where}/", {"action": action, "_selected_action": list(rows)}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    "where",
    [
        "bots/bot", "bots/botversion", "matches/pool", "matches/block", "matches/match", "replays/replay",
        "ratings/rating", "ratings/ledgerentry", "tournaments/ladder", "tournaments/entry",
        "tournaments/tournament", "tournaments/tournamentact", "pipeline/worker",
    ],
)  # fmt: skip
def test_every_list_and_page_opens_and_nothing_can_be_added(organiser: Client, where: str) -> None:
    block = make_complete_block()
    assert organiser.get(f"/admin/{where}/").status_code == 200
    assert organiser.get(f"/admin/{where}/add/").status_code == 403
    page = organiser.get(f"/admin/{where}/{block.pk}/change/", follow=True)
    assert page.status_code == 200
    assert bytes(block.seed).hex() not in page.content.decode()


def test_a_bot_is_paused_and_resumed(organiser: Client) -> None:
    bot = make_bot()
    assert "Bots paused: 1." in act(organiser, "bots/bot", "pause", bot.pk)
    assert Bot.objects.get(pk=bot.pk).state == BotState.PAUSED
    act(organiser, "bots/bot", "resume", bot.pk)
    assert Bot.objects.get(pk=bot.pk).state == BotState.ACTIVE


def test_a_rejected_version_is_validated_again_and_a_ready_one_is_refused_in_words(organiser: Client) -> None:
    digest = ArtifactStore().put(b"print()")
    rejected = make_version(state=VersionState.REJECTED, runnable_digest=digest)
    ready = make_version()
    page = act(organiser, "bots/botversion", "revalidate", rejected.pk, ready.pk)
    assert BotVersion.objects.get(pk=rejected.pk).state == VersionState.UPLOADED
    assert "only a rejected version is validated again" in page


def test_an_open_block_is_voided_and_a_closed_one_is_not(organiser: Client) -> None:
    block, closed = make_block(), make_complete_block()
    page = act(organiser, "matches/block", "void", block.pk, closed.pk)
    assert Block.objects.get(pk=block.pk).state == BlockState.VOID
    assert Block.objects.get(pk=closed.pk).state == BlockState.COMPLETE
    assert "is complete already" in page


def test_a_ladder_is_stopped_and_a_bot_withdrawn(organiser: Client) -> None:
    pool = make_pool()
    version = make_version()
    enter(pool, version)
    ladder, entry = Ladder.objects.get(pool=pool), Entry.objects.get(pool=pool)
    act(organiser, "tournaments/ladder", "stop", ladder.pk)
    assert not Ladder.objects.get(pk=ladder.pk).running
    act(organiser, "tournaments/ladder", "start", ladder.pk)
    assert Ladder.objects.get(pk=ladder.pk).running
    act(organiser, "tournaments/entry", "withdraw", entry.pk)
    assert not Entry.objects.get(pk=entry.pk).active
    act(organiser, "tournaments/entry", "enter", entry.pk)
    assert Entry.objects.get(pk=entry.pk).active


def test_an_author_does_not_get_in(client: Client) -> None:
    author = make_bot().owner
    assert author is not None
    client.force_login(author)
    assert client.get("/admin/bots/bot/").status_code == 302


def test_a_tournament_is_paused_and_its_entries_are_not_to_be_withdrawn_here(organiser: Client) -> None:
    tournament, early = make_tournament(3), make_tournament(3)
    start(tournament)
    page = act(organiser, "tournaments/tournament", "pause", tournament.pk, early.pk)
    assert "Tournaments paused: 1." in page
    assert "cannot become paused" in page
    tournament.refresh_from_db()
    assert tournament.state == "paused"
    assert "0 entries" in organiser.get("/admin/tournaments/entry/").content.decode()
    assert organiser.get("/admin/tournaments/tournamentact/").status_code == 200
