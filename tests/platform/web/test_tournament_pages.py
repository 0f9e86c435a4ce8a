"""The pages of tournaments: in every state, for everybody, and what their buttons do."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_author, make_bot, make_organiser, make_version
from tests.platform.tournaments.events import enter, entrants, make_house, make_tournament, play_round, start
from tests.platform.web.page_reading import read_page
from tests.platform.web.sites import client_of
from tests.platform.web.tournament_sites import LONG, make_tournament_site
from thousand.tournaments.models import Entry, Tournament, TournamentState
from thousand.web.context import site as site_context
from thousand.web.cross_table import cross_rows

pytestmark = pytest.mark.django_db


def test_every_page_is_whole_for_everybody_in_every_state() -> None:
    site = make_tournament_site()
    for viewer in (None, site.owner, site.organiser):
        client = client_of(viewer)
        addresses = [reverse("web:tournaments"), reverse("web:tournaments") + "?archive=1"]
        for name, tournament in site.states.items():
            if name != "draft" or viewer == site.organiser:
                addresses.append(reverse("web:tournament", args=[tournament.pool.slug]))
        for address in addresses:
            for headers in ({}, {"HX-Request": "true"}):
                answer = client.get(address, headers=headers)
                assert answer.status_code == 200, address
                assert read_page(answer.text).problems == [], f"{address} for {viewer}"
    organiser = client_of(site.organiser)
    for address in (
        reverse("web:tournament_new"),
        reverse("web:tournament_edit", args=["open"]),
        reverse("web:tournament_rules", args=["running"]),
    ):
        answer = organiser.get(address)
        assert answer.status_code == 200
        assert read_page(answer.text).problems == [], address
    assert client_of(None).get(reverse("web:tournament", args=["draft"])).status_code == 404

    def text(name: str) -> str:
        return read_page(client_of(None).get(reverse("web:tournament", args=[name])).text).text

    assert "Nobody has entered yet" in text("empty")
    assert "4 of 9 places taken" in text("open")
    assert LONG in text("running")
    assert "withdrawn in round 2" in text("running")
    assert "Paused by an organiser" in text("paused")
    assert "Ranked by the Elo-fit" in text("paused")
    assert "annulled" in text("decided")
    assert "Shared first" in text("shared")
    assert "disqualified" in text("shared")
    assert "Pair 0" in text("knockout")
    assert "(fills up)" in text("four")
    assert "No title" in text("void")
    assert "Cancelled" in text("cancelled")


def test_the_menu_leads_to_the_tournaments(client: Client) -> None:
    make_tournament(name="Winter cup")
    home = read_page(client.get("/").text)
    assert reverse("web:tournaments") in home.links
    page = client.get(reverse("web:tournaments"))
    assert "Winter cup" in read_page(page.text).text
    assert site_context(page.wsgi_request)["section"] == "tournaments"


def test_an_owner_enters_and_withdraws_by_buttons() -> None:
    tournament = make_tournament()
    owner = make_author()
    bot = make_version(make_bot(owner, "Marta")).bot
    unready = make_bot(owner, "Later")
    unready.active_version = make_version(unready, manifest={"rulesets": ["club_four"]})
    client = client_of(owner)
    address = reverse("web:tournament", args=[tournament.pool.slug])
    page = read_page(client.get(address).text).text
    assert "Enter Marta" in page
    assert "plays club_four" in page
    enter_address = reverse("web:tournament_enter", args=[tournament.pool.slug])
    answer = client.post(enter_address, {"bot": bot.public_id}, follow=True)
    assert "Marta takes part" in read_page(answer.text).text
    assert Entry.objects.get(pool=tournament.pool).active
    leave = reverse("web:tournament_withdraw", args=[tournament.pool.slug])
    answer = client.post(leave, {"bot": bot.public_id}, follow=True)
    assert "Marta is withdrawn" in read_page(answer.text).text
    assert client.get(enter_address).status_code == 302
    refused = client.post(enter_address, {"bot": make_version().bot.public_id})
    assert refused.status_code == 403
    assert "belongs to somebody else" in read_page(refused.text).text
    assert Client().post(enter_address, {"bot": bot.public_id}).status_code == 302


def test_an_organiser_acts_by_buttons_and_sees_only_those_that_are_possible() -> None:
    make_house()
    client = client_of(make_organiser())
    tournament = make_tournament(3, house=0)
    address = reverse("web:tournament", args=[tournament.pool.slug])
    act = reverse("web:tournament_act", args=[tournament.pool.slug])

    def buttons() -> set[str]:
        text = client.get(address).text
        known = ("open", "start", "pause", "resume", "end", "cancel", "archive")
        return {name for name in known if f'name="act" value="{name}"' in text}

    assert buttons() == {"start", "cancel"}
    assert "has started" in read_page(client.post(act, {"act": "start"}, follow=True).text).text
    assert buttons() == {"pause", "end", "cancel"}
    client.post(act, {"act": "pause", "reason": "A break."})
    assert buttons() == {"resume", "end", "cancel"}
    assert client.post(act, {"act": "end"}).status_code == 400
    client.post(act, {"act": "end", "reason": "It is late."})
    assert buttons() == {"archive"}
    assert "It is late." in read_page(client.get(address).text).text
    client.post(act, {"act": "archive"})
    assert buttons() == set()
    assert client.post(act, {"act": "explode"}).status_code == 404
    spectator = Client().get(address).text
    assert 'name="act"' not in spectator
    assert client_of(make_author()).post(act, {"act": "archive"}).status_code == 403


def draft(**fields: str) -> dict[str, str]:
    return {
        "preset": "tournament_default", "name": "Winter cup", "slug": "winter", "format": "once_each",
        "agreement-deal_limit": "100",
    } | fields  # fmt: skip


def form_of(client: Client) -> dict[str, str]:
    """What the new form holds before anybody changes it."""
    form = client.get(reverse("web:tournament_new")).context["form"]
    return {
        name: str(field.initial) for name, field in form.fields.items() if field.initial not in (None, "")
    }


@pytest.fixture
def organiser() -> Client:
    return client_of(make_organiser())


def create(client: Client, **fields: str) -> object:
    return client.post(reverse("web:tournament_new"), form_of(client) | draft(**fields))


def test_a_start_is_typed_in_a_zone_and_stored_in_utc(organiser: Client) -> None:
    year = timezone.now().year + 1
    local = datetime(year, 1, 12, 18, 0, tzinfo=UTC) - timedelta(hours=2)
    if local > timezone.now() + timedelta(days=360):
        local -= timedelta(days=30)
    typed = f"{local + timedelta(hours=2):%Y-%m-%dT%H:%M}"
    answer = create(organiser, starts_at=typed, zone="Europe/Sofia")
    assert answer.status_code == 302  # type: ignore[attr-defined]
    assert Tournament.objects.get().starts_at == local


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"starts_at": "2026-03-29T03:30", "zone": "Europe/Sofia"}, "there is no 2026-03-29 03:30"),
        ({"starts_at": "2026-10-25T02:30", "zone": "Europe/Warsaw"}, "it is 2026-10-25 02:30 twice"),
        ({"starts_at": "2020-01-01T10:00", "zone": "UTC"}, "is not within the next year"),
        ({"starts_at": "soon"}, "no date and time"),
        ({"zone": "Mars/Olympus", "starts_at": "2026-12-01T10:00"}, "not one of the available choices"),
        ({"agreement-deal_limit": "0"}, "sets no deal limit"),
        ({"slug": "Winter Cup"}, "small letters"),
        ({"format": "knockout"}, "played by two"),
        ({"format": "gauntlet", "candidate": "Nobody"}, "There is no bot “Nobody”"),
        ({"places": "1000"}, "can have 2 to 63 places"),
    ],
)
def test_a_form_that_cannot_be_comes_back_with_the_reason(
    organiser: Client, fields: dict[str, str], sentence: str
) -> None:
    answer = create(organiser, **fields)
    assert answer.status_code == 400  # type: ignore[attr-defined]
    assert sentence in read_page(answer.text).text  # type: ignore[attr-defined]
    assert not Tournament.objects.exists()


def test_a_draft_is_changed_on_its_page(organiser: Client) -> None:
    create(organiser)
    address = reverse("web:tournament_edit", args=["winter"])
    form = organiser.get(address).context["form"]
    values = {name: form[name].value() or "" for name in form.fields}
    answer = organiser.post(address, values | {"name": "Spring cup", "blocks_a_table": "3"})
    assert answer.status_code == 302
    tournament = Tournament.objects.select_related("pool").get()
    assert (tournament.pool.name, tournament.blocks_a_table, tournament.places) == ("Spring cup", 3, 63)
    assert client_of(make_author()).get(address).status_code == 403


def test_a_running_tournament_polls_and_a_finished_one_does_not(client: Client) -> None:
    tournament = make_tournament(3)
    start(tournament)
    address = reverse("web:tournament", args=[tournament.pool.slug])
    assert 'hx-trigger="every 5s"' in client.get(address).text
    Tournament.objects.filter(pk=tournament.pk).update(state=TournamentState.FINISHED)
    assert "hx-trigger" not in client.get(address).text


def test_an_open_block_of_a_round_shows_progress_only(client: Client) -> None:
    tournament = make_tournament(3)
    start(tournament)
    text = read_page(client.get(reverse("web:tournament", args=[tournament.pool.slug])).text).text
    assert "0 of 6 matches" in text


def test_blocks_and_matches_lead_back_to_their_tournament(client: Client) -> None:
    tournament = make_tournament(3)
    start(tournament)
    [block] = play_round(tournament)
    page = read_page(client.get(reverse("web:block", args=[block.public_id])).text)
    assert reverse("web:tournament", args=[tournament.pool.slug]) in page.links
    assert reverse("web:tournament_rules", args=[tournament.pool.slug]) in page.links


def test_the_cross_table_tints_what_chance_hardly_explains() -> None:
    from thousand.tournaments.tournament_selectors import tournament_detail

    tournament = make_tournament(9)
    start(tournament)
    play_round(tournament)
    play_round(tournament)
    rows = cross_rows(tournament_detail(tournament.pool.slug))
    assert [cell.same for cell in rows[3].cells].index(True) == 3
    met = next(cell for cell in rows[0].cells if cell.share)
    assert (met.share, met.matches, met.tone) == ("100", 6, "up1")
    assert any(cell.share is None and not cell.same for cell in rows[0].cells)


def test_a_page_of_many_bots_and_rounds_takes_as_many_queries_as_one_of_few() -> None:
    def queries(tournament: Tournament) -> int:
        with CaptureQueriesContext(connection) as captured:
            address = reverse("web:tournament", args=[tournament.pool.slug])
            assert Client().get(address).status_code == 200
        return len(captured)

    small, large = make_tournament(3), make_tournament(11, format="swiss")
    enter(large)
    for tournament in (small, large):
        start(tournament)
    play_round(small)
    play_round(large)
    play_round(large)
    assert len(entrants(large)) == 12
    assert queries(large) <= queries(small) <= 15
