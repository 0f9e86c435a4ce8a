"""The description is up to date and true: generated calls get the answers that it promises."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import yaml
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from tests.factories import (
    make_block,
    make_bot,
    make_complete_block,
    make_finished_match,
    make_organiser,
    make_pool,
    make_version,
)
from tests.platform.tournaments.events import make_tournament, play_round, start
from thousand.accounts.services import create_api_token
from thousand.bots.models import VersionState
from thousand.wsgi import application

DESCRIPTION = Path(__file__).resolve().parents[3] / "docs" / "openapi.yaml"

schema = schemathesis.openapi.from_dict(yaml.safe_load(DESCRIPTION.read_text()))
schema.app = application


def test_the_description_in_the_repository_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    generated = SchemaGenerator().get_schema(request=None, public=True)
    validate_schema(generated)
    text = OpenApiYamlRenderer().render(generated, renderer_context={}).decode()
    assert capsys.readouterr().err == ""
    assert yaml.safe_load(text) == yaml.safe_load(DESCRIPTION.read_text()), (
        "run: manage.py spectacular --file docs/openapi.yaml"
    )


def test_operations_have_stable_names() -> None:
    described = yaml.safe_load(DESCRIPTION.read_text())
    names = {operation["operationId"] for path in described["paths"].values() for operation in path.values()}
    assert names == {
        "list_ladders", "create_ladder", "get_ladder", "get_standings",
        "list_bots", "create_bot", "get_bot", "list_bot_versions", "upload_bot_version", "get_version",
        "list_blocks", "get_block", "list_matches", "get_match",
        "get_replay", "get_replay_by_digest", "get_status",
        "get_analysis_status", "request_analysis", "get_analysis_by_digest",
        "list_rulesets", "get_ruleset", "list_agreements",
        "list_tournaments", "create_tournament", "get_tournament", "change_tournament",
        "get_tournament_standings", "get_tournament_rounds", "list_tournament_acts", "act_on_tournament",
        "enter_tournament", "withdraw_from_tournament", "disqualify",
        "list_annulments", "annul", "get_annulment", "lift_annulment",
        "get_head_to_head", "get_bot_statistics",
        "list_ab_tests", "start_ab_test", "get_ab_test", "cancel_ab_test", "promote_candidate",
    }  # fmt: skip


@pytest.fixture
def one_connection(db: None) -> Iterator[None]:
    """Requests share the test's transaction: a request's end must not close it (as in Django's client)."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


@dataclass
class Site:
    """A small site with something of everything, and an organiser's token."""

    token: str
    ids: dict[str, str]

    @property
    def headers(self) -> dict[str, str]:
        # The WSGI client that makes the calls does not decompress.
        return {"Authorization": f"Bearer {self.token}", "Accept-Encoding": "identity"}


def make_site() -> Site:
    organiser = make_organiser()
    pool = make_pool("main", main=True)
    version = make_version(make_bot(organiser), state=VersionState.REJECTED, validation_steps=[STEP])
    block = make_complete_block(pool, slot_verdicts=("ok", "crash", "ok"))
    make_finished_match(make_block(pool).matches.all()[0])
    match = block.matches.all()[0]
    void = make_block(pool, state="void", void_cause="Worker lost twice.", closed_at=timezone.now())
    _row, token = create_api_token(user=organiser, name="generated calls")
    ids = {"bots": version.bot.public_id, "versions": version.public_id, "blocks": block.public_id,
           "matches": match.public_id, "replays": match.replay.public_id, "void": void.public_id}  # fmt: skip
    return Site(token, {**ids, "digest": match.replay.digest})


@pytest.fixture(scope="module")
def made_site(make_once: Callable[..., Any]) -> Callable[[], Site]:
    return make_once(make_site)


@pytest.fixture
def site(made_site: Callable[[], Site], one_connection: None) -> Site:
    return made_site()


STEP = {"name": "archive", "state": "failed", "text": "bot.py is missing"}

REAL = [
    ("/api/v1/bots/{public_id}/", "bots"),
    ("/api/v1/bots/{public_id}/versions/", "bots"),
    ("/api/v1/versions/{public_id}/", "versions"),
    ("/api/v1/blocks/{public_id}/", "blocks"),
    ("/api/v1/blocks/{public_id}/", "void"),
    ("/api/v1/matches/{public_id}/", "matches"),
    ("/api/v1/replays/{public_id}/", "replays"),
]


@pytest.mark.parametrize(("path", "kind"), REAL)
def test_what_there_is_has_the_described_shape(path: str, kind: str, site: Site) -> None:
    case = schema[path]["GET"].Case(path_parameters={"public_id": site.ids[kind]})
    assert case.call_and_validate(headers=site.headers).status_code == 200


def test_standings_and_a_replay_by_digest_have_the_described_shape(site: Site) -> None:
    standings = schema["/api/v1/ladders/{slug}/standings"]["GET"].Case(path_parameters={"slug": "main"})
    assert len(standings.call_and_validate().json()["results"]) >= 3
    by_digest = schema["/api/v1/replays/by-digest/{digest}/"]["GET"]
    case = by_digest.Case(path_parameters={"digest": site.ids["digest"]})
    assert case.call_and_validate(headers=site.headers).status_code == 200


@pytest.mark.parametrize("part", ["", "standings/", "rounds/", "acts/"])
def test_a_tournament_has_the_described_shape(part: str, site: Site) -> None:
    tournament = make_tournament(4, slug="cup")
    start(tournament)
    play_round(tournament)
    case = schema["/api/v1/tournaments/{slug}/" + part]["GET"].Case(path_parameters={"slug": "cup"})
    assert case.call_and_validate(headers=site.headers).status_code == 200


# Names, presets and cursors obey rules that no schema states, and an empty filter filters nothing.
NOT_CHECKED = [positive_data_acceptance, negative_data_rejection]

OPERATIONS = [found.ok() for found in schema.get_all_operations()]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_generated_calls_get_described_answers(operation: Any, site: Site) -> None:
    for mode in GenerationMode:
        try:
            make_calls(operation, mode, site)
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE, "an operation without parameters has no wrong ones"


def make_calls(operation: Any, mode: GenerationMode, site: Site) -> None:
    """Make a dozen calls as described, or wrong in some way; each answer must be a described one."""

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    def call(case: Case) -> None:
        answer = case.call_and_validate(headers=site.headers, excluded_checks=NOT_CHECKED)
        assert answer.status_code < 500

    call()
