"""The address that remote workers fetch from opens with a signature only."""

import hashlib
import os
import time

import pytest
from django.conf import LazySettings
from django.test import Client

from arena.unpacking import MAX_PACKED_BYTES
from thousand.core.artifacts import SIGNED_URL_SECONDS, ArtifactStore, sign_digest, sign_ticket

pytestmark = pytest.mark.django_db


def test_a_signed_address_sends_the_bytes_and_may_not_be_kept(client: Client) -> None:
    digest = ArtifactStore().put(b"print('ready')\n")
    answer = client.get(f"/artifacts/{sign_digest(digest)}")
    assert answer.status_code == 200
    assert b"".join(answer.streaming_content) == b"print('ready')\n"  # type: ignore[attr-defined]
    assert answer["Cache-Control"] == "private, no-store"


def test_a_digest_or_a_changed_signature_opens_nothing(client: Client) -> None:
    digest = ArtifactStore().put(b"print('ready')\n")
    for token in (digest, sign_digest(digest)[:-2], "nonsense"):
        assert client.get(f"/artifacts/{token}").status_code == 404


def test_a_file_that_is_gone_is_not_found(client: Client) -> None:
    assert client.get(f"/artifacts/{sign_digest('0' * 64)}").status_code == 404


def test_nothing_can_be_sent_to_it(client: Client) -> None:
    assert client.post(f"/artifacts/{sign_digest('0' * 64)}").status_code == 405


TICKET = "ab" * 16
BUILT = b"a program"
DIGEST = hashlib.sha256(BUILT).hexdigest()


def put(client: Client, token: str, data: bytes = BUILT) -> int:
    return client.put(
        f"/artifacts/delivery/{token}", data, content_type="application/octet-stream"
    ).status_code


def test_what_a_worker_built_is_taken_once_by_a_signed_address(client: Client) -> None:
    assert put(client, sign_ticket(TICKET), b"an earlier attempt") == 204
    assert put(client, sign_ticket(TICKET)) == 204
    assert ArtifactStore().take_delivery(TICKET, DIGEST, 100) == BUILT
    assert ArtifactStore().take_delivery(TICKET, DIGEST, 100) is None
    assert not ArtifactStore().exists(DIGEST), "until somebody takes it, it is nobody's artifact"


def test_a_delivery_of_something_else_or_too_much_is_none(client: Client) -> None:
    put(client, sign_ticket(TICKET), b"something else")
    assert ArtifactStore().take_delivery(TICKET, DIGEST, 100) is None
    put(client, sign_ticket(TICKET))
    assert ArtifactStore().take_delivery(TICKET, DIGEST, 3) is None
    assert put(client, sign_ticket(TICKET), bytes(MAX_PACKED_BYTES + 1)) == 413
    assert ArtifactStore().take_delivery(TICKET, DIGEST, 100) is None


def test_deliveries_need_the_right_signature_and_are_not_fetched(client: Client) -> None:
    for token in (TICKET, sign_digest(DIGEST), sign_ticket(TICKET)[:-2]):
        assert put(client, token) == 404
    assert client.get(f"/artifacts/delivery/{sign_ticket(TICKET)}").status_code == 405


def test_workers_on_the_same_disk_deliver_a_file(settings: LazySettings) -> None:
    settings.THOUSAND_SITE_URL = "https://arena.example"
    assert ArtifactStore().delivery_url(TICKET).startswith("https://arena.example/artifacts/delivery/")
    settings.THOUSAND_SITE_URL = ""
    assert ArtifactStore().delivery_url(TICKET).startswith("file:///")


def test_what_nobody_takes_is_removed_after_a_day(client: Client) -> None:
    put(client, sign_ticket(TICKET))
    path = ArtifactStore().root / "delivery" / TICKET
    old = time.time() - SIGNED_URL_SECONDS - 60
    os.utime(path, (old, old))
    put(client, sign_ticket("cd" * 16))
    assert not path.exists()
