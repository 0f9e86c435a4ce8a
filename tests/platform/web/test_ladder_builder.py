"""An organiser builds a ruleset from a preset and opens a ladder with it, without JavaScript."""

import pytest
from django.test import Client
from django.urls import reverse

from engine import PLAYABLE_PRESETS
from tests.factories import make_author, make_organiser
from tests.platform.web.page_reading import read_page
from tests.platform.web.sites import client_of
from thousand.tournaments.models import Ladder
from thousand.web.ladder_form import PREFIX, LadderForm, choosable

pytestmark = pytest.mark.django_db

ADDRESS = "/new-ladder/"


@pytest.fixture
def organiser() -> Client:
    return client_of(make_organiser())


def filled(
    preset: str = "tournament_default", action: str = "create", **changes: object
) -> dict[str, object]:
    """Return what a browser sends: every field with its value, some of them changed."""
    form = LadderForm(preset)
    data: dict[str, object] = {
        name: "" if field.initial is None else field.initial for name, field in form.fields.items()
    }
    data |= {"name": "Golden", "slug": "golden", "preset": preset, "action": action}
    return data | {name if name in data else PREFIX + name: value for name, value in changes.items()}


@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_every_preset_fills_a_form_that_changes_nothing(preset: str) -> None:
    form = LadderForm(preset, filled(preset))
    assert form.is_valid(), form.errors
    assert form.changes() == {}


@pytest.mark.parametrize(
    "preset",
    [
        preset if number % 6 == 0 else pytest.param(preset, marks=pytest.mark.thorough)
        for number, preset in enumerate(PLAYABLE_PRESETS)
    ],
)
def test_the_form_of_a_preset_is_a_whole_page(organiser: Client, preset: str) -> None:
    assert read_page(organiser.get(ADDRESS, {"preset": preset}).text).problems == []


def test_a_ladder_is_opened_with_the_changed_agreements(organiser: Client) -> None:
    answer = organiser.post(ADDRESS, filled(bolts_per_match="5", barrel_need="125", concession="false"))
    assert answer.status_code == 302
    assert answer.headers["Location"] == reverse("web:ladder", args=["golden"])
    ruleset = Ladder.objects.get().pool.ruleset
    assert ruleset["preset"] == "custom"
    assert ruleset["agreements"]["bolts_per_match"] == 5
    assert ruleset["agreements"]["barrel_need"] == 125
    assert ruleset["agreements"]["concession"] is False


def test_a_ladder_is_opened_with_limits_and_a_share_of_its_own(organiser: Client) -> None:
    changes = {"limit-move_ms": "200", "limit-bank_ms": "20000", "limit-memory_mb": "128", "share": "3"}
    assert organiser.post(ADDRESS, filled(**changes)).status_code == 302
    ladder = Ladder.objects.get()
    assert ladder.pool.limits == {"move_ms": 200, "bank_ms": 20000, "memory_mb": 128}
    assert ladder.share == 3
    told = read_page(organiser.get(reverse("web:ladder_rules", args=["golden"])).text).text
    assert "200 ms CPU, 5 s by the clock" in told
    assert "20 s CPU in all" in told
    assert "128 MB" in told


def test_the_usual_limits_are_not_stored(organiser: Client) -> None:
    assert organiser.post(ADDRESS, filled()).status_code == 302
    ladder = Ladder.objects.get()
    assert (ladder.pool.limits, ladder.share) == ({}, 1)


def test_a_check_shows_words_and_differences_and_opens_nothing(organiser: Client) -> None:
    answer = organiser.post(ADDRESS, filled(action="check", name="", slug="", deal_limit="40"))
    assert answer.status_code == 200
    page = read_page(answer.text)
    assert page.problems == []
    assert "1 change of tournament_default: deal_limit" in page.text.replace(" :", ":")
    assert "After 40 deals the match ends" in page.text
    assert not Ladder.objects.exists()


def test_without_a_deal_limit_it_is_refused_at_that_field(organiser: Client) -> None:
    answer = organiser.post(ADDRESS, filled("skill_games", deal_limit="0"))
    assert answer.status_code == 400
    assert "rated play needs one" in read_page(answer.text).text.replace(" :", ":")
    assert not Ladder.objects.exists()


def test_the_usual_limit_is_filled_in_where_the_preset_has_none(organiser: Client) -> None:
    text = organiser.get(ADDRESS, {"preset": "skill_games"}).text
    assert 'name="agreement-deal_limit" value="100"' in text
    assert "The preset has no deal limit" in read_page(text).text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"deal_limit": "-3"}, "deal_limit: “-3” is not possible; expected a whole number from 0 to 10000"),
        ({"bid_step": "7"}, "bid_step: “7” is not possible; expected one of 1, 5, 10"),
        ({"forced_opening": "maybe"}, "forced_opening: “maybe” is not possible; expected true or false"),
        ({"barrel": "false"}, "win_only_from_barrel: win_only_from_barrel=true contradicts barrel=false"),
        ({"marriage_values_map": "{"}, "marriage_values_map: “{” is not possible; expected an empty map"),
        ({"limit-move_ms": "10"}, "move_ms: move_ms = 10 is out of reach; give a number from 50 to 20000."),
        ({"limit-move_ms": ""}, "move_ms: Give a number, usually 1000."),
        ({"limit-deadline_ms": "500"}, "deadline_ms: deadline_ms = 500 is less than move_ms = 1000"),
        ({"limit-move_ms": "6000"}, "move_ms: deadline_ms = 5000 is less than move_ms = 6000"),
        ({"limit-tick_ms": "101"}, "tick_ms: tick_ms = 101 is out of reach; give a number from 0 to 100."),
        ({"limit-memory_mb": "much"}, "memory_mb: Enter a whole number."),
        ({"share": "0"}, "Share: Ensure this value is greater than or equal to 1."),
        ({"share": "1000"}, "Share: Ensure this value is less than or equal to 100."),
        ({"concession_half_rounding": "exact"}, "concession_half_rounding=exact with bid_step=5 leaves half"),
        ({"slug": "Not Good"}, "Address: An address has 1 to"),
        ({"name": ""}, "Name of the ladder: Give the ladder a name."),
    ],
)
def test_what_is_wrong_is_said_at_its_field(organiser: Client, changes: dict[str, object], said: str) -> None:
    answer = organiser.post(ADDRESS, filled(**changes))
    assert answer.status_code == 400
    page = read_page(answer.text)
    assert page.problems == []
    assert said in page.text.replace(" :", ":")
    assert not Ladder.objects.exists()


def test_only_organisers_build_ladders(client: Client) -> None:
    assert client.get(ADDRESS).status_code == 302
    author = client_of(make_author("sandra"))
    assert author.get(ADDRESS).status_code == 403
    assert author.post(ADDRESS, filled()).status_code == 403
    assert client_of(make_organiser()).get(ADDRESS, {"preset": "bridge"}).status_code == 404


@pytest.mark.parametrize(
    ("preset", "said"),
    [("mariage_chips", "is another game and not played"), ("skil_games", "Did you mean skill_games or")],
)
def test_no_ladder_is_built_from_what_is_not_played(organiser: Client, preset: str, said: str) -> None:
    answer = organiser.get(ADDRESS, {"preset": preset})
    assert answer.status_code == 404
    assert said in read_page(answer.text).text
    assert "mariage_chips" not in organiser.get(ADDRESS).text


@pytest.mark.parametrize("name", ["web:ladder_new", "web:tournament_new"])
def test_who_names_no_preset_is_offered_those_that_are_played(organiser: Client, name: str) -> None:
    text = read_page(organiser.get(reverse(name), {"preset": "bridge"}).text).text
    assert f"Presets are: {', '.join(PLAYABLE_PRESETS)}." in text


def test_the_form_leaves_out_what_cannot_be_chosen() -> None:
    ids = {row.id for row in choosable()}
    assert {"deal_limit", "golden", "redeal_style"} <= ids
    assert not ids & {"deck", "mar_players", "bot_level", "bonus_show_cards"}


def test_organisers_find_the_form_where_they_look_for_it(organiser: Client) -> None:
    author = client_of(make_author("sandra"))
    for address in (reverse("web:ladders"), reverse("web:account"), reverse("web:rules", args=["tens"])):
        assert ADDRESS in organiser.get(address).text, address
        assert ADDRESS not in author.get(address).text, address
