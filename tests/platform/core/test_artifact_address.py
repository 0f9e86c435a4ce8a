"""The address that remote workers fetch from opens with a signature only."""

import pytest
from django.test import Client

from thousand.core.artifacts import ArtifactStore, sign_digest

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
