"""Every page, for everybody who may look at it, in every state it can be in."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.platform.web.page_reading import read_page
from tests.platform.web.sites import QUOTED, SECRET_LOG, SECRET_NOTE, Site, client_of, make_site
from thousand.web.middleware import CONTENT_SECURITY_POLICY

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_site(make_once: Callable[..., Any]) -> Callable[[], Site]:
    return make_once(make_site)


@pytest.fixture
def site(made_site: Callable[[], Site]) -> Site:
    return made_site()


def public_addresses(site: Site) -> list[str]:
    return [
        reverse("web:home"),
        reverse("web:ladder", args=["main"]),
        reverse("web:bots"),
        reverse("web:bot", args=[site.bot.public_id]),
        reverse("web:version", args=[site.version.public_id]),
        reverse("web:version", args=[site.rejected.public_id]),
        *(reverse("web:block", args=[block.public_id]) for block in (site.complete, site.open, site.void)),
        *(
            reverse("web:match", args=[site.match(block).public_id])
            for block in (site.complete, site.open, site.void)
        ),
        reverse("web:rules_index"),
        reverse("web:rules", args=["skill_games_plain"]),
        reverse("web:rules", args=["android_full"]),
        reverse("web:agreement", args=["bolts_per_match"]),
        reverse("web:agreement", args=["golden_contract"]),
        reverse("web:ladder_rules", args=["main"]),
        reverse("web:status"),
        reverse("web:bot_guide"),
        reverse("account_login"),
        reverse("account_signup"),
    ]


def own_addresses(site: Site) -> list[str]:
    return [
        reverse("web:upload"),
        reverse("web:bot_upload", args=[site.bot.public_id]),
        reverse("web:account"),
        reverse("web:account_erase"),
        reverse("account_change_password"),
        reverse("account_logout"),
    ]


@pytest.mark.both_databases
def test_every_public_page_is_whole_for_everybody(site: Site) -> None:
    for viewer in (None, site.owner, site.other, site.organiser):
        client = client_of(viewer)
        for address in public_addresses(site):
            if viewer is not None and address in (reverse("account_login"), reverse("account_signup")):
                continue
            answer = client.get(address)
            assert answer.status_code == 200, address
            page = read_page(answer.text)
            assert page.problems == [], f"{address} for {viewer}"
            assert page.headings, f"{address} has a heading"
            assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
            assert answer.headers["X-Request-ID"]


def test_a_public_page_sets_no_cookie_for_a_spectator(site: Site) -> None:
    replay = site.match(site.complete).replay
    assert replay is not None
    forms = {reverse("account_login"), reverse("account_signup")}
    listed = ["ladders", "tournaments", "analysis_help", "ab_tests"]
    more = [*(reverse(f"web:{name}") for name in listed), reverse("web:replay", args=[replay.public_id])]
    more += [reverse("web:head_to_head", args=["main"])]
    for address in [*more, *(page for page in public_addresses(site) if page not in forms)]:
        answer = Client().get(address)
        assert answer.status_code in (200, 302), address
        assert not answer.cookies, address


def test_every_page_of_an_author_is_whole(site: Site) -> None:
    client = client_of(site.owner)
    for address in own_addresses(site):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert read_page(answer.text).problems == [], address


def test_a_spectator_is_sent_to_sign_in_and_back(site: Site, client: Client) -> None:
    for address in own_addresses(site)[:5]:
        answer = client.get(address)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("part", ["home", "block", "match", "version", "status"])
def test_the_parts_that_refresh_are_whole_too(site: Site, part: str) -> None:
    address = {
        "home": reverse("web:home_live"),
        "block": reverse("web:block", args=[site.open.public_id]),
        "match": reverse("web:match", args=[site.match(site.open).public_id]),
        "version": reverse("web:version", args=[site.rejected.public_id]),
        "status": reverse("web:status"),
    }[part]
    answer = Client().get(address, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert read_page(answer.text).problems == []


def test_an_open_block_shows_progress_and_no_result(site: Site) -> None:
    for viewer in (None, site.owner, site.organiser):
        client = client_of(viewer)
        for address in (
            reverse("web:block", args=[site.open.public_id]),
            reverse("web:match", args=[site.match(site.open).public_id]),
        ):
            text = client.get(address).text
            assert "2 of 6 matches" in read_page(text).text
            # Whole words only: an identifier or a commitment may hold any three digits in a row.
            assert not {"987", "654", "321"} & set(re.findall(r"\w+", read_page(text).text)), address
            for hidden in (bytes(site.open.seed).hex(), "/replays/", QUOTED[:5]):
                assert hidden not in text, f"{hidden} on {address}"


def test_an_open_block_polls_and_a_closed_one_does_not(site: Site, client: Client) -> None:
    assert 'hx-trigger="every 3s"' in client.get(reverse("web:block", args=[site.open.public_id])).text
    for block in (site.complete, site.void):
        assert "hx-trigger" not in client.get(reverse("web:block", args=[block.public_id])).text


def test_a_closed_block_shows_scores_seed_replays_and_the_same_cards(site: Site, client: Client) -> None:
    answer = client.get(reverse("web:block", args=[site.complete.public_id]), {"deal": "1"})
    page = read_page(answer.text)
    assert bytes(site.complete.seed).hex() in page.text
    assert "SHA-256 of the seed equals the commitment" in page.text
    assert "12 / 12" in page.text
    assert "answered with an illegal action; the arena played on for it" in page.text
    assert "Deal 1 of every seating" in page.text
    assert sum(link.startswith("/replays/") for link in page.links) == 12


@pytest.mark.parametrize("deal", ["", "99999999999999", "-1", "x", "2"])
def test_any_asked_deal_is_answered(site: Site, client: Client, deal: str) -> None:
    answer = client.get(reverse("web:block", args=[site.complete.public_id]), {"deal": deal})
    assert answer.status_code == 200


def test_a_void_block_says_why_and_blames_nobody(site: Site, client: Client) -> None:
    text = read_page(client.get(reverse("web:block", args=[site.void.public_id])).text).text
    assert "Void: The worker was lost three times." in text
    assert "no bot is blamed" in text


def test_private_texts_are_for_the_owner_and_organisers(site: Site) -> None:
    addresses = [
        reverse("web:bot", args=[site.bot.public_id]),
        reverse("web:match", args=[site.match(site.complete).public_id]),
        reverse("web:version", args=[site.rejected.public_id]),
        reverse("web:version", args=[site.version.public_id]),
    ]
    for viewer, may in ((None, False), (site.other, False), (site.owner, True), (site.organiser, True)):
        seen = " ".join(read_page(client_of(viewer).get(address).text).text for address in addresses)
        for secret in (QUOTED, SECRET_LOG, SECRET_NOTE, "play KH", "not legal now"):
            assert (secret in seen) is may, f"{secret} for {viewer}"
        assert "illegal action" in seen, "the verdict itself is public"


def test_names_are_text_and_never_markup(site: Site, client: Client) -> None:
    for address in public_addresses(site):
        assert "<b>" not in client.get(address).text


def test_somebody_elses_bot_is_refused_with_a_sentence(site: Site) -> None:
    client = client_of(site.other)
    answer = client.get(reverse("web:bot_upload", args=[site.bot.public_id]))
    assert answer.status_code == 403
    assert "belongs to somebody else" in read_page(answer.text).text
    for name in ("web:bot_pause", "web:bot_resume"):
        answer = client.post(reverse(name, args=[site.bot.public_id]))
        assert answer.status_code == 403
        assert "belongs to somebody else" in read_page(answer.text).text


def test_an_owner_pauses_and_resumes(site: Site) -> None:
    client = client_of(site.owner)
    address = reverse("web:bot", args=[site.bot.public_id])
    page = read_page(client.post(address + "pause/", follow=True).text)
    assert "Blocks that have begun are played to their end" in page.text
    assert "paused" in page.text
    assert "plays again" in read_page(client.post(address + "resume/", follow=True).text).text


def test_the_home_page_links_standings_blocks_and_replays(site: Site, client: Client) -> None:
    page = read_page(client.get(reverse("web:home")).text)
    assert reverse("web:bot", args=[site.bot.public_id]) in page.links
    assert reverse("web:block", args=[site.complete.public_id]) in page.links
    assert sum(link.startswith("/replays/") for link in page.links) == 7, (
        "six seatings and the first to watch"
    )


def test_the_ladders_page_leads_to_the_only_ladder(site: Site, client: Client) -> None:
    assert client.get(reverse("web:ladders")).headers["Location"] == reverse("web:ladder", args=["main"])
