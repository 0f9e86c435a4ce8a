"""Workers that differ: a build or a match goes to one that has the tools, and waits while there is none."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.utils import timezone

from arena.orders import Heartbeat, MatchOrder, ValidationOrder
from tests.factories import enter, make_block, make_bot, make_version
from tests.platform.pipeline.fake_slot import heartbeat, started, take_orders
from thousand.bots.models import BotVersion, VersionState
from thousand.bots.services import upload_bot_version
from thousand.matches.models import Block, BlockEntry, Match, MatchState
from thousand.pipeline.models import Worker
from thousand.pipeline.routing import routes
from thousand.pipeline.selectors import arena_offer
from thousand.pipeline.services import dispatch, handle_worker_message, schedule, sweep, tick
from thousand.tournaments.models import Ladder

pytestmark = pytest.mark.usefixtures("ladder")

PYTHON = {"python": "CPython 3.11.7"}
GO = {"go": "go 1.19.8"}
NODE = {"javascript": "node 20.1"}


def beat(worker: str, *tools: dict[str, str], slots: int = 1) -> None:
    message = msgspec.json.decode(heartbeat(worker=worker, slots=slots), type=Heartbeat)
    languages = {name: version for some in (PYTHON, *tools) for name, version in some.items()}
    message = msgspec.structs.replace(message, languages=tuple(languages.items()))
    handle_worker_message(msgspec.json.encode(message).decode())


def upload_go() -> BotVersion:
    bot = make_bot()
    assert bot.owner is not None
    return upload_bot_version(owner=bot.owner, bot=bot, filename="bot.go", data=b"package main")


def enter_node_bot(ladder: Ladder) -> BotVersion:
    version = make_version(language="javascript", entry="bot.js")
    enter(ladder.pool, version)
    return version


def test_a_build_goes_to_a_worker_with_its_tools() -> None:
    beat("with", GO)
    beat("without")
    upload_go()
    dispatch()
    assert take_orders() == [], "it lies where every worker reads"
    (order,) = take_orders("matches.go")
    assert isinstance(order, ValidationOrder)


def test_what_all_workers_can_do_lies_where_all_read() -> None:
    beat("one", GO)
    beat("two", GO)
    upload_go()
    dispatch()
    assert [type(order) for order in take_orders()] == [ValidationOrder]


def test_a_build_waits_for_its_tools_says_so_and_holds_nobody_up(client: Client) -> None:
    beat("with", GO)
    version = upload_go()
    Worker.objects.filter(name="with").delete()
    beat("without")
    after = make_bot()
    assert after.owner is not None
    upload_bot_version(owner=after.owner, bot=after, filename="bot.py", data=b"print()")
    dispatch()
    assert [order.seat.language for order in take_orders() if isinstance(order, ValidationOrder)] == [
        "python"
    ]
    version.refresh_from_db()
    assert (version.state, version.validation_queued_at) == (VersionState.UPLOADED, None)
    page = client.get(f"/versions/{version.public_id}/").content.decode()
    assert "No worker that is here now has the tools for Go" in page
    beat("with", GO)
    dispatch()
    assert len(take_orders("matches.go")) == 1
    assert "has the tools" not in client.get(f"/versions/{version.public_id}/").content.decode()


def test_a_slot_gets_no_more_builds_than_orders_of_any_kind() -> None:
    beat("with", GO, slots=1)
    beat("without", slots=8)
    for _number in range(5):
        upload_go()
    dispatch()
    assert len(take_orders("matches.go")) == 2
    dispatch()
    assert take_orders("matches.go") == []


def test_matches_go_where_their_runtime_is_and_never_fill_the_other_slots(ladder: Ladder) -> None:
    node = enter_node_bot(ladder)
    beat("with", NODE, slots=1)
    beat("without", slots=4)
    tick()
    everywhere, narrow = take_orders(), take_orders("matches.javascript")
    assert len(narrow) == 2
    assert len(everywhere) == 8
    played_by_node = {order.match for order in narrow if isinstance(order, MatchOrder)}
    assert (
        set(Match.objects.filter(seats__version=node).values_list("public_id", flat=True)) >= played_by_node
    )
    for order in everywhere:
        assert isinstance(order, MatchOrder)
        assert node.public_id not in [seat.version for seat in order.seats]


def test_what_is_under_way_is_one_question_however_many_matches(
    ladder: Ladder, django_assert_num_queries: Callable[[int], Any]
) -> None:
    beat("one", NODE)
    node, house = make_version(language="javascript", entry="bot.js"), make_version()
    for versions in ([node, house, make_version()], [house, make_version(), make_version()]):
        make_block(ladder.pool, versions).matches.update(state=MatchState.SENT)
    with django_assert_num_queries(3):
        found = routes(timezone.now())
    assert found.outstanding == {frozenset(["javascript"]): 6, frozenset(): 6}


def test_bots_whose_runtime_no_worker_has_are_not_paired_meanwhile(ladder: Ladder) -> None:
    node = enter_node_bot(ladder)
    beat("without", slots=4)
    schedule()
    assert Block.objects.count() > 0
    assert not BlockEntry.objects.filter(version=node).exists()
    beat("with", NODE)
    schedule()
    assert BlockEntry.objects.filter(version=node).exists(), "a newcomer's first block comes at once"


def test_an_order_on_a_queue_of_its_own_is_not_overtaken_but_lost_if_its_worker_idles(ladder: Ladder) -> None:
    enter_node_bot(ladder)
    beat("with", NODE)
    beat("without", slots=4)
    tick()
    for order in take_orders():
        handle_worker_message(started(order))
    narrow = Match.objects.filter(state=MatchState.SENT)
    assert narrow.count() == 2
    later = timezone.now() + timedelta(seconds=40)
    Worker.objects.update(last_seen_at=later)
    Match.objects.filter(state=MatchState.PLAYING).update(heartbeat_at=later, sent_at=later)
    assert sweep(now=later) == 0
    later += timedelta(seconds=30)
    Worker.objects.update(last_seen_at=later)
    Match.objects.filter(state=MatchState.PLAYING).update(heartbeat_at=later)
    Worker.objects.filter(name="with").update(playing=1)
    assert sweep(now=later) == 0, "its only slot is busy"
    Worker.objects.filter(name="with").update(playing=0)
    assert sweep(now=later) == 2
    assert narrow.count() == 0


def test_the_site_offers_what_some_worker_can_do_and_says_where_they_differ(client: Client) -> None:
    beat("with", GO)
    beat("without")
    offer = arena_offer()
    assert "go" in offer.names
    assert offer.scarce == ("Go",)
    assert (
        "What needs the tools for Go goes to the workers that have them."
        in client.get("/status/").content.decode()
    )
