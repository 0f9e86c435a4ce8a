"""Packed replays: the same bytes come out, every reader reads them, and they are smaller."""

import gzip
import hashlib
from datetime import timedelta

import msgspec
import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from arena.replay import canonical_bytes
from tests.factories import make_complete_block
from thousand.operations.auditing import audit
from thousand.replays.models import Replay
from thousand.replays.packing import as_gzip, is_packed, pack, unpack
from thousand.replays.selectors import document
from thousand.replays.services import pack_old_replays

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=40,
)


@given(values)
def test_any_document_comes_out_as_it_went_in(value: object) -> None:
    body = msgspec.json.encode(value, order="sorted")
    assert unpack(pack(body)) == body


@pytest.mark.django_db
def test_old_replays_are_packed_and_read_as_before(client: Client) -> None:
    block = make_complete_block()
    replay = block.matches.order_by("id")[0].replay
    assert replay is not None
    address = f"/api/v1/replays/{replay.public_id}/"
    before, said = document(replay), client.get(address)
    now = timezone.now()
    assert pack_old_replays(before=now - timedelta(days=1), most=100) == 0, "none is old enough"
    assert pack_old_replays(before=now + timedelta(seconds=1), most=4) == 4
    assert pack_old_replays(before=now + timedelta(seconds=1), most=100) == 2
    assert pack_old_replays(before=now + timedelta(seconds=1), most=100) == 0
    replay.refresh_from_db()
    assert replay.packed
    assert is_packed(bytes(replay.body))
    assert document(replay) == before
    assert client.get(address).content == said.content
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.content) == said.content
    assert hashlib.sha256(said.content).hexdigest() == replay.digest
    assert client.get(f"/replays/{replay.public_id}").status_code == 200
    assert not [finding for finding in audit() if "replay" in finding or "digest" in finding.split()[-1:]]


@pytest.mark.django_db
def test_a_packed_replay_is_smaller() -> None:
    replay = make_complete_block().matches.order_by("id")[0].replay
    assert replay is not None
    body = unpack(bytes(replay.body))
    # A match of many deals, as they are played; the factory's has three.
    long = msgspec.json.decode(body)
    long["deals"] = [deal for _time in range(8) for deal in long["deals"]]
    assert len(as_gzip(pack(body))) > 0
    assert Replay.objects.count() == 6
    assert len(pack(canonical_bytes(long))) < len(gzip.compress(canonical_bytes(long)))
