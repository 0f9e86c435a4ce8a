"""The pages and the API of a test, from the form to the verdict, in every state."""

from itertools import cycle, islice

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import enter, make_author, make_bot, make_pool, make_version
from tests.platform.ab_tests.played import SLOTS, open_blocks, play, spoil_block
from tests.platform.web.page_reading import Page, read_page
from tests.platform.web.sites import client_of
from thousand.ab_tests.models import AbState, AbTest
from thousand.ab_tests.services import cancel_ab_test, plan_blocks, settle_tests, start_ab_test
from thousand.accounts.models import User
from thousand.bots.models import Bot, BotVersion
from thousand.tournaments.models import Ladder

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return make_pool("main", main=True).ladder


@pytest.fixture
def owner() -> User:
    return make_author("sandra")


@pytest.fixture
def pair(owner: User, ladder: Ladder) -> tuple[BotVersion, BotVersion]:
    bot = make_bot(owner, "Marta <b>")
    old = make_version(bot)
    enter(ladder.pool, old)
    new = make_version(bot, held=True)
    Bot.objects.filter(pk=bot.pk).update(active_version=old)
    return BotVersion.objects.get(pk=old.pk), BotVersion.objects.get(pk=new.pk)


@pytest.fixture
def running(owner: User, pair: tuple[BotVersion, BotVersion], ladder: Ladder) -> AbTest:
    return start_ab_test(owner=owner, candidate=pair[1], base=pair[0], ladder=ladder)


def page_of(client: Client, address: str) -> Page:
    answer = client.get(address)
    assert answer.status_code == 200, address
    page = read_page(answer.text)
    assert page.problems == [], address
    return page


def ended(test: AbTest, state: AbState) -> None:
    """Bring a test to this end."""
    owner = test.owner
    assert owner is not None
    match state:
        case AbState.STRONGER:
            play(test, tuple(islice(cycle((8, 10, 6, 9)), 60)))
        case AbState.NOT_STRONGER:
            play(test, tuple(islice(cycle((4, 2, 6, 3)), 60)), faults=(0,))
        case AbState.INCONCLUSIVE:
            AbTest.objects.filter(pk=test.pk).update(most_blocks=16, elo0=-5, elo1=5)
            test.refresh_from_db()
            play(test, tuple(islice(cycle((6, 4, 8, 5, 7)), 60)))
        case AbState.CANCELLED:
            play(test, (6, 8))
            cancel_ab_test(test=test, actor=owner)
        case AbState.FAILED:
            for _time in range(3):
                plan_blocks(slots=SLOTS)
                spoil_block(open_blocks(test)[0])
        case AbState.RUNNING:
            play(test, (6, 8, 10))
    settle_tests()
    test.refresh_from_db()
    assert test.state == state


@pytest.mark.parametrize("state", list(AbState))
def test_the_page_is_whole_in_every_state(running: AbTest, owner: User, state: AbState) -> None:
    client = client_of(owner)
    address = reverse("web:ab_test", args=[running.public_id])
    assert "No block is judged yet" in page_of(client, address).text
    ended(running, state)
    page = page_of(client, address)
    begins = {
        AbState.RUNNING: "Running: ",
        AbState.STRONGER: "Stronger: v2 is ahead of v1",
        AbState.NOT_STRONGER: "Not stronger: v2 against v1",
        AbState.INCONCLUSIVE: "Inconclusive: ",
        AbState.CANCELLED: "Cancelled after 2 blocks",
        AbState.FAILED: "Nothing could be measured",
    }
    assert begins[state] in page.text
    assert ("Cancel the test" in page.text) == (state == AbState.RUNNING)
    assert ("Let v2 play" in page.text) == (state != AbState.RUNNING)
    polls = "hx-trigger" in client.get(address).text
    assert polls == (state == AbState.RUNNING)
    part = client.get(address, headers={"HX-Request": "true"})
    assert "<html" not in part.text
    assert read_page(part.text).problems == []
    points = client.get(reverse("web:ab_progress", args=[running.public_id])).json()
    assert points["blocks"] == list(range(len(points["llr"])))
    assert points["llr"][0] == 0
    assert "Marta" in page_of(client, reverse("web:ab_tests")).text


def test_a_test_is_begun_in_the_form_watched_cancelled_and_promoted(
    pair: tuple[BotVersion, BotVersion], owner: User, ladder: Ladder
) -> None:
    old, new = pair
    client = client_of(owner)
    form = client.get(reverse("web:ab_test_new"))
    assert read_page(form.text).problems == []
    assert f'<option value="{new.public_id}" selected>' in form.text, "what waits is offered first"
    assert f'<option value="{old.public_id}" selected>' in form.text
    sent = {"candidate": new.public_id, "base": new.public_id, "ladder": "main", "question": "0..15"}
    refused = client.post(reverse("web:ab_test_new"), sent)
    assert refused.status_code == 400
    assert "are the same program" in read_page(refused.text).text
    begun = client.post(reverse("web:ab_test_new"), sent | {"base": old.public_id, "promote": "on"})
    test = AbTest.objects.get()
    assert begun.headers["Location"] == reverse("web:ab_test", args=[test.public_id])
    assert (test.elo0, test.elo1, test.promote, test.owner) == (0, 15, True, owner)
    again = client.post(reverse("web:ab_test_new"), sent | {"base": old.public_id})
    assert again.status_code == 400
    assert "1 test(s) running" in read_page(again.text).text
    client.post(reverse("web:ab_cancel", args=[test.public_id]))
    test.refresh_from_db()
    assert test.state == AbState.CANCELLED
    client.post(reverse("web:ab_promote", args=[test.public_id]))
    assert Bot.objects.get(pk=new.bot_id).active_version == new
    assert client.post(reverse("web:ab_cancel", args=[test.public_id])).status_code == 409


def test_somebody_elses_version_cannot_be_slipped_into_the_form(
    pair: tuple[BotVersion, BotVersion], owner: User, ladder: Ladder
) -> None:
    stranger = make_version()
    sent = {"candidate": pair[1].public_id, "base": stranger.public_id, "ladder": "main", "question": "0..30"}
    assert client_of(owner).post(reverse("web:ab_test_new"), sent).status_code == 400
    assert not AbTest.objects.exists()


def test_somebody_without_a_version_is_told_to_submit_one(ladder: Ladder) -> None:
    client = client_of(make_author())
    assert "You have no version that is ready to play" in page_of(client, reverse("web:ab_test_new")).text
    assert "No test yet" in page_of(client, reverse("web:ab_tests")).text


def test_the_api_begins_reads_cancels_and_promotes(
    pair: tuple[BotVersion, BotVersion], owner: User, ladder: Ladder
) -> None:
    old, new = pair
    client = client_of(owner)
    body = {"candidate": new.public_id, "base": old.public_id, "ladder": "main", "elo1": 20}
    made = client.post(reverse("api:ab_tests"), body, content_type="application/json")
    assert made.status_code == 201
    test = AbTest.objects.get()
    assert made.headers["Location"].endswith(reverse("api:ab_test", args=[test.public_id]))
    play(test, (6, 8, 10))
    found = client.get(reverse("api:ab_test", args=[test.public_id])).json()
    assert (found["state"], found["blocks"], found["elo1"]) == ("running", 3, 20.0)
    assert [point["half_points"] for point in found["points"]] == [6, 8, 10]
    assert found["words"][0].startswith("Running: ")
    [listed] = client.get(reverse("api:ab_tests")).json()["results"]
    assert (listed["id"], listed["llr"]) == (test.public_id, found["llr"])
    ended_test = client.post(reverse("api:cancel_ab_test", args=[test.public_id]))
    assert ended_test.json()["state"] == "cancelled"
    assert client.post(reverse("api:promote_candidate", args=[test.public_id])).json()["promoted_at"]


@pytest.mark.parametrize(
    ("change", "field"),
    [({"base": "0123456789ab"}, "base"), ({"ladder": "nowhere"}, "ladder"), ({"elo1": 1}, "elo1"),
     ({"candidate": "?"}, "candidate")],
)  # fmt: skip
def test_the_api_names_the_field_that_is_wrong(
    pair: tuple[BotVersion, BotVersion], owner: User, ladder: Ladder, change: dict[str, object], field: str
) -> None:
    body = {"candidate": pair[1].public_id, "base": pair[0].public_id, "ladder": "main"} | change
    answer = client_of(owner).post(reverse("api:ab_tests"), body, content_type="application/json")
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_pages_take_as_many_queries_for_many_blocks_and_tests(running: AbTest, owner: User) -> None:
    client = client_of(owner)

    def queries(name: str, *args: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(reverse(name, args=args)).status_code == 200
        return len(captured)

    play(running, (6, 8))
    before = queries("web:ab_test", running.public_id), queries("web:ab_tests"), queries("api:ab_tests")
    play(running, (6, 8, 4, 6, 5))
    for _number in range(3):
        AbTest.objects.create(
            **{name: getattr(running, name) for name in ("owner", "candidate", "base", "pool", "ruleset",
               "players", "elo0", "elo1", "alpha", "beta", "most_blocks")},
            state=AbState.CANCELLED,
        )  # fmt: skip
    after = queries("web:ab_test", running.public_id), queries("web:ab_tests"), queries("api:ab_tests")
    assert after == before
    assert max(after) <= 15


def test_a_version_that_is_held_back_waits_until_it_is_told_to_play(
    pair: tuple[BotVersion, BotVersion], owner: User
) -> None:
    page = page_of(client_of(owner), reverse("web:version", args=[pair[1].public_id]))
    assert "v1 plays; v2 does not." in page.text
    assert f"{reverse('web:ab_test_new')}?candidate={pair[1].public_id}" in page.links
    assert (
        "Hold it back"
        in page_of(client_of(owner), reverse("web:bot_upload", args=[pair[0].bot.public_id])).text
    )
    assert "Hold it back" not in page_of(client_of(owner), reverse("web:upload")).text
