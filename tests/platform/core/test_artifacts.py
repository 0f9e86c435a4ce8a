"""Artifacts are stored once under their digest; only a signed address opens one from outside."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core import signing

from thousand.core.artifacts import ArtifactStore, read_signed_digest, sign_digest

DATA = b"print('ready')\n"
DIGEST = hashlib.sha256(DATA).hexdigest()


def test_bytes_come_back_by_their_digest() -> None:
    store = ArtifactStore()
    assert store.put(DATA) == DIGEST
    assert store.read(DIGEST) == DATA


def test_nobody_else_on_the_machine_may_read_them(data_folder: Path) -> None:
    path = ArtifactStore().path(ArtifactStore().put(DATA))
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


def test_many_uploads_of_the_same_bytes_at_once_store_one_file() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: ArtifactStore().put(DATA), range(32))) == {DIGEST}
    assert [path.name for path in ArtifactStore().path(DIGEST).parent.iterdir()] == [DIGEST]


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", DIGEST[:-1], DIGEST.upper(), DIGEST + "0"])
def test_only_a_digest_names_an_artifact(digest: str) -> None:
    with pytest.raises(ValueError, match="not a SHA-256"):
        ArtifactStore().path(digest)


def test_workers_on_the_same_disk_get_a_file_address() -> None:
    store = ArtifactStore()
    assert store.url(store.put(DATA)) == store.path(DIGEST).as_uri()


def test_remote_workers_get_a_signed_address(settings: LazySettings) -> None:
    settings.THOUSAND_SITE_URL = "https://arena.example"
    url = ArtifactStore().url(DIGEST)
    assert url.startswith("https://arena.example/artifacts/")
    assert read_signed_digest(url.rpartition("/")[2]) == DIGEST


def test_a_digest_signed_for_something_else_opens_nothing() -> None:
    with pytest.raises(signing.BadSignature):
        read_signed_digest(signing.dumps(DIGEST, salt="other"))
    with pytest.raises(signing.BadSignature):
        read_signed_digest(sign_digest(DIGEST)[:-1])
