"""A test, its blocks, matches and replays do not exist for anybody but its owner and organisers."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    enter,
    make_author,
    make_bot,
    make_complete_block,
    make_finished_match,
    make_organiser,
    make_pool,
    make_version,
)
from tests.platform.ab_tests.played import SLOTS, open_blocks
from tests.platform.web.page_reading import read_page
from tests.platform.web.sites import client_of
from thousand.ab_tests.models import AbTest
from thousand.ab_tests.services import note_closed_block, plan_blocks, settle_tests, start_ab_test
from thousand.accounts.models import User
from thousand.bots.models import Bot, BotVersion
from thousand.matches.models import Block, BlockState, Pool
from thousand.matches.services import close_block, void_block
from thousand.replays.models import Replay

pytestmark = pytest.mark.django_db


@dataclass
class Secret:
    """A running test with an open, a complete and a void block, on a site that also plays in public."""

    test: AbTest
    owner: User
    organiser: User
    stranger: User
    pool: Pool
    bot: Bot
    open: Block
    complete: Block
    void: Block

    @property
    def ids(self) -> set[str]:
        """Every public id that must not leave."""
        blocks = (self.open, self.complete, self.void)
        matches = [match for block in blocks for match in block.matches.select_related("replay")]
        return {
            self.test.public_id,
            *(block.public_id for block in blocks),
            *(block.commitment for block in blocks),
            *(match.public_id for match in matches),
            *(match.replay.public_id for match in matches if match.replay is not None),
            *(match.replay.digest for match in matches if match.replay is not None),
        }


def finish(block: Block) -> None:
    for match in block.matches.order_by("seating"):
        make_finished_match(match, verdicts=("crash", "ok", "ok"))


def make_secret() -> Secret:
    pool = make_pool("main", main=True)
    owner, organiser, stranger = make_author("sandra"), make_organiser("olga"), make_author("grisha")
    bot = make_bot(owner, "Marta")
    old = make_version(bot)
    enter(pool, old)
    others = [make_version(make_bot(stranger)), make_version(make_bot(name="easy", is_house=True))]
    make_complete_block(pool, [old, *others])
    new = make_version(bot, held=True)
    Bot.objects.filter(pk=bot.pk).update(active_version=old)
    test = start_ab_test(
        owner=owner,
        candidate=BotVersion.objects.get(pk=new.pk),
        base=BotVersion.objects.get(pk=old.pk),
        ladder=pool.ladder,
    )
    plan_blocks(slots=SLOTS)
    complete, spoiled = open_blocks(test)
    finish(complete)
    finish(spoiled)
    now = timezone.now()
    close_block(complete, now=now)
    note_closed_block(complete, now=now)
    void_block(block=spoiled, cause="the disk is full")
    settle_tests()
    plan_blocks(slots=SLOTS)
    begun = open_blocks(test)[0]
    make_finished_match(begun.matches.order_by("seating")[0])
    assert begun.state == BlockState.OPEN
    spoiled.refresh_from_db()
    return Secret(test, owner, organiser, stranger, pool, bot, begun, complete, spoiled)


@pytest.fixture(scope="module")
def made_secret(make_once: Callable[..., Any]) -> Callable[[], Secret]:
    return make_once(make_secret)


@pytest.fixture
def secret(made_secret: Callable[[], Secret]) -> Secret:
    return made_secret()


def private_pages(secret: Secret) -> list[str]:
    """Addresses that exist for the owner."""
    replays = Replay.objects.filter(match__block__in=[secret.complete, secret.void])
    blocks = (secret.open, secret.complete, secret.void)
    return [
        reverse("web:ab_test", args=[secret.test.public_id]),
        reverse("web:ab_progress", args=[secret.test.public_id]),
        reverse("api:ab_test", args=[secret.test.public_id]),
        *(reverse("web:block", args=[block.public_id]) for block in blocks),
        *(reverse("api:block", args=[block.public_id]) for block in blocks),
        *(reverse("web:match", args=[match.public_id]) for block in blocks for match in block.matches.all()),
        *(reverse("api:match", args=[match.public_id]) for block in blocks for match in block.matches.all()),
        *(reverse("web:replay", args=[replay.public_id]) for replay in replays),
        *(reverse("web:replay", args=[replay.public_id]) + "?deal=1" for replay in replays),
        *(reverse("web:replay", args=[replay.public_id]) + "?transcript" for replay in replays),
        *(reverse("web:replay_events", args=[replay.public_id]) for replay in replays),
        *(reverse("api:replay", args=[replay.public_id]) for replay in replays),
    ]


def test_owner_and_organisers_open_everything_and_others_are_told_there_is_nothing(secret: Secret) -> None:
    addresses = private_pages(secret)
    assert len(addresses) > 30
    for viewer in (secret.owner, secret.organiser):
        client = client_of(viewer)
        for address in addresses:
            assert client.get(address).status_code == 200, f"{address} for {viewer}"
    ids = secret.ids
    for viewer in (secret.stranger, None):
        client = client_of(viewer)
        for address in addresses:
            answer = client.get(address)
            assert answer.status_code == 404, f"{address} for {viewer}"
            told = answer.content.decode()
            for secret_id in ids:
                assert secret_id not in told.replace(address, "").replace(secret_id_in(address), "")


def secret_id_in(address: str) -> str:
    """The asker's own words may be repeated to them."""
    found = re.search(r"[0-9a-z]{12}", address.rpartition("ab-tests")[2] or address)
    return found.group() if found else address


def test_an_answer_about_what_is_private_says_the_same_as_one_about_nothing(secret: Secret) -> None:
    nothing = "0123456789ab"
    for name in ("api:block", "api:match", "api:replay", "api:ab_test"):
        known = {
            "api:block": secret.complete.public_id,
            "api:match": secret.complete.matches.all()[0].public_id,
            "api:replay": Replay.objects.filter(match__block=secret.complete)[0].public_id,
            "api:ab_test": secret.test.public_id,
        }[name]
        client = client_of(secret.stranger)
        told, told_nothing = (client.get(reverse(name, args=[public_id])) for public_id in (known, nothing))
        assert told.json()["detail"].replace(known, "") == told_nothing.json()["detail"].replace(nothing, "")


def test_replays_stay_unpublished_and_no_cache_may_keep_them(secret: Secret) -> None:
    replay = Replay.objects.filter(match__block=secret.complete)[0]
    assert replay.published_at is None
    answer = client_of(secret.owner).get(reverse("api:replay", args=[replay.public_id]))
    assert answer.headers["Cache-Control"] == "private, no-store"
    by_digest = reverse("api:replay_by_digest", args=[replay.digest])
    assert client_of(secret.owner).get(by_digest).status_code == 404


def test_an_open_block_keeps_its_cards_even_from_its_owner(secret: Secret) -> None:
    begun = secret.open.matches.order_by("seating")[0]
    assert begun.replay is not None
    for viewer in (secret.owner, secret.organiser):
        client = client_of(viewer)
        assert client.get(reverse("web:replay", args=[begun.replay.public_id])).status_code == 404
        assert client.get(reverse("api:replay", args=[begun.replay.public_id])).status_code == 404
        text = client.get(reverse("web:block", args=[secret.open.public_id])).text
        assert bytes(secret.open.seed).hex() not in text


SKIPPED = ("/admin", "/account/logout")


def crawl(client: Client, starts: list[str], most: int = 150) -> dict[str, str]:
    """Follow every link of pages and API that stays on the site; return texts by address."""
    seen: dict[str, str] = {}
    waiting = list(starts)
    while waiting and len(seen) < most:
        address = waiting.pop(0).partition("#")[0]
        if address in seen or address.startswith(SKIPPED) or not address.startswith("/"):
            continue
        answer = client.get(address, follow=True)
        text = (
            b"".join(answer).decode(errors="replace")
            if answer.streaming
            else answer.content.decode(errors="replace")
        )
        seen[address] = text
        kind = answer.headers.get("Content-Type", "")
        if kind.startswith("text/html"):
            waiting += [
                link if link.startswith("/") else address.partition("?")[0] + link
                for link in read_page(text).links
            ]
        elif kind.startswith("application/json"):
            waiting += [
                link.removeprefix("http://testserver")
                for link in re.findall(r'"(http://testserver[^"]+)"', text)
            ]
    return seen


def starts(secret: Secret) -> list[str]:
    """Every list, feed and page that could mention it."""
    api = "/api/v1/"
    bot = secret.bot.public_id
    versions = [secret.test.candidate.public_id, secret.test.base.public_id]
    return [
        "/", "/live/", "/ladders/main/", "/bots/", f"/bots/{bot}/", f"/bots/{bot}/rating.json", "/status/",
        *(f"/versions/{version}/" for version in versions),
        f"{api}blocks/", f"{api}blocks/?kind=ab", f"{api}blocks/?bot={bot}", f"{api}blocks/?state=open",
        f"{api}blocks/?state=void", f"{api}matches/", f"{api}matches/?bot={bot}",
        f"{api}matches/?state=finished",
        f"{api}matches/?block={secret.complete.public_id}", f"{api}bots/", f"{api}bots/{bot}/",
        f"{api}bots/{bot}/versions/", f"{api}status/", f"{api}ladders/main/standings", f"{api}annulments/",
        *(f"{api}versions/{version}/" for version in versions),
    ]  # fmt: skip


@pytest.mark.parametrize("who", ["nobody", "stranger"])
def test_no_list_feed_or_page_of_others_mentions_any_of_it(secret: Secret, who: str) -> None:
    viewer = secret.stranger if who == "stranger" else None
    found = crawl(client_of(viewer), starts(secret))
    assert len(found) > 40
    ids = secret.ids
    for address, text in found.items():
        asked = set(re.split(r"[/?=&]", address))
        for secret_id in ids - asked:
            assert secret_id not in text, f"{secret_id} on {address}"
        assert "the disk is full" not in text, address


def test_what_is_public_about_a_bot_is_the_same_with_and_without_a_test(secret: Secret) -> None:
    address = reverse("web:bot", args=[secret.bot.public_id])
    page = read_page(Client().get(address).text)
    assert "crash" not in page.text.lower(), "its faults in a test are its own business"
    matches = json.loads(Client().get(f"/api/v1/matches/?bot={secret.bot.public_id}").content)["results"]
    assert len(matches) == 6


def test_lists_hold_public_blocks_only_for_the_owner_too(secret: Secret) -> None:
    """What is private has its own list, so that no script takes one for the other."""
    for viewer in (secret.owner, secret.organiser):
        for address in ("/api/v1/blocks/?kind=ab", f"/api/v1/matches/?block={secret.complete.public_id}"):
            assert client_of(viewer).get(address).json()["results"] == []


def test_what_others_may_not_see_they_may_not_change(secret: Secret) -> None:
    for name in ("web:ab_cancel", "web:ab_promote", "api:cancel_ab_test", "api:promote_candidate"):
        address = reverse(name, args=[secret.test.public_id])
        assert client_of(secret.stranger).post(address).status_code == 404, name
        assert client_of(None).post(address).status_code in (302, 401), name
    secret.test.refresh_from_db()
    assert secret.test.state == "running"
    for name in ("web:ab_tests", "web:ab_test_new"):
        assert client_of(None).get(reverse(name)).status_code == 302
    assert client_of(None).get(reverse("api:ab_tests")).status_code == 401
    assert client_of(secret.stranger).get(reverse("api:ab_tests")).json()["results"] == []
