"""A replay is stored once, byte for byte, and says nothing until its block is closed."""

import hashlib
import json

import pytest

from arena.replay import canonical_bytes
from arena.verification import verify_replay
from tests.factories import make_document
from thousand.replays.models import Replay
from thousand.replays.services import publish, replay_body, store_replay

pytestmark = pytest.mark.django_db


def test_what_is_stored_comes_back_and_is_true() -> None:
    document = make_document()
    replay = store_replay(document=document)
    body = replay_body(replay)
    assert body == canonical_bytes(document)
    assert replay.digest == hashlib.sha256(body).hexdigest()
    assert replay.size == len(body)
    assert replay.deals == 3
    assert verify_replay(json.loads(body)).problems == ()


def test_the_same_document_is_stored_once_with_the_same_bytes() -> None:
    first = store_replay(document=make_document())
    again = store_replay(document=json.loads(json.dumps(make_document())))
    assert first == again
    assert Replay.objects.count() == 1


def test_a_replay_is_secret_until_it_is_published_and_keeps_that_moment() -> None:
    replay = store_replay(document=make_document())
    assert replay.published_at is None
    assert publish(Replay.objects.all()) == 1
    replay.refresh_from_db()
    moment = replay.published_at
    assert publish(Replay.objects.all()) == 0
    replay.refresh_from_db()
    assert replay.published_at == moment
