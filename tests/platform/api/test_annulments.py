"""Annulments over the API and in the admin: organisers make and lift them, everybody reads why."""

import pytest
from django.test import Client

from tests.factories import make_author, make_complete_block, make_organiser
from tests.platform.api.clients import client_of
from thousand.matches.models import Block
from thousand.ratings.models import Annulment, Rating

pytestmark = pytest.mark.django_db

WHERE = "/api/v1/annulments/"
JSON = "application/json"


@pytest.fixture
def block() -> Block:
    return make_complete_block()


def values() -> list[float]:
    return list(Rating.objects.order_by("version").values_list("value", flat=True))


def test_an_organiser_annuls_a_block_and_lifts_it(block: Block) -> None:
    before = values()
    client = client_of(make_organiser())
    asked = {"target": "block", "id": block.public_id, "reason": "A wrong ruleset."}
    made = client.post(WHERE, asked, content_type=JSON)
    assert made.status_code == 201
    row = made.json()
    assert (row["target"], row["block_id"], row["blocks"], row["lifted_at"]) == (
        "block",
        block.public_id,
        1,
        None,
    )
    assert values() == [1500.0] * 3
    seen = Client().get(f"/api/v1/blocks/{block.public_id}/").json()
    assert seen["annul_reason"] == "A wrong ruleset."
    assert [entry["rating_after"] for entry in seen["entries"]] == [None] * 3
    assert seen["entries"][0]["score"] == "12 / 12", "what was played stays readable"
    lifted = client.post(f"{WHERE}{row['id']}/lift/", {"reason": "It was right."}, content_type=JSON)
    assert lifted.json()["lift_reason"] == "It was right."
    assert values() == before
    assert Client().get(f"/api/v1/blocks/{block.public_id}/").json()["annul_reason"] == ""
    assert [found["id"] for found in Client().get(WHERE).json()["results"]] == [row["id"]]


@pytest.mark.parametrize("target", ["version", "owner"])
def test_versions_and_owners_are_annulled_by_their_ids(block: Block, target: str) -> None:
    version = block.entries.get(slot=0).version
    owner = version.bot.owner
    assert owner is not None
    whose = {"version": version.public_id, "owner": owner.public_id}[target]
    client = client_of(make_organiser())
    made = client.post(WHERE, {"target": target, "id": whose, "reason": "Sold games."}, content_type=JSON)
    assert made.status_code == 201
    assert made.json()[f"{target}_id"] == whose
    assert values() == [1500.0] * 3


def test_only_organisers_annul_and_lift(block: Block) -> None:
    asked = {"target": "block", "id": block.public_id, "reason": "I lost."}
    author = client_of(make_author())
    assert author.post(WHERE, asked, content_type=JSON).status_code == 403
    assert Client().post(WHERE, asked, content_type=JSON).status_code == 401
    made = client_of(make_organiser()).post(WHERE, asked, content_type=JSON).json()
    assert author.post(f"{WHERE}{made['id']}/lift/", {}, content_type=JSON).status_code == 403
    assert Annulment.objects.get().lifted_at is None


def test_what_is_not_there_and_what_is_annulled_already_is_said(block: Block) -> None:
    client = client_of(make_organiser())
    for target in ("block", "version", "owner"):
        asked = {"target": target, "id": "abcdefghjk23", "reason": "x"}
        assert client.post(WHERE, asked, content_type=JSON).status_code == 404
    asked = {"target": "block", "id": block.public_id, "reason": "x"}
    assert client.post(WHERE, asked, content_type=JSON).status_code == 201
    assert client.post(WHERE, asked, content_type=JSON).status_code == 409
    assert client.get(f"{WHERE}abcdefghjk23/").status_code == 404


def test_the_block_page_says_that_it_does_not_count(block: Block, client: Client) -> None:
    asked = {"target": "block", "id": block.public_id, "reason": "A wrong ruleset."}
    client_of(make_organiser()).post(WHERE, asked, content_type=JSON)
    page = client.get(f"/blocks/{block.public_id}/").content.decode()
    assert "Annulled by an organiser: A wrong ruleset. This block does not count" in page


def test_the_admin_annuls_by_the_same_service_and_shows_its_refusals(block: Block, client: Client) -> None:
    before = values()
    organiser = make_organiser()
    client.force_login(organiser)
    add = "/admin/ratings/annulment/add/"
    form = {"block": block.public_id, "version": "", "owner": "", "reason": "A wrong ruleset."}
    assert client.get(add).status_code == 200
    nothing = client.post(add, form | {"block": ""})
    assert "Choose exactly one" in nothing.content.decode()
    assert "There is no block nonsense" in client.post(add, form | {"block": "nonsense"}).content.decode()
    done = client.post(add, form, follow=True)
    assert done.status_code == 200
    annulment = Annulment.objects.get()
    assert (annulment.block, annulment.annulled_by) == (block, organiser)
    assert "This is annulled already" in client.post(add, form).content.decode()
    lift = {"action": "lift", "_selected_action": [annulment.pk]}
    answer = client.post("/admin/ratings/annulment/", lift, follow=True)
    assert "Annulments lifted: 1." in answer.content.decode()
    assert values() == before
    client.force_login(make_author(is_staff=False))
    assert client.get(add).status_code == 302
