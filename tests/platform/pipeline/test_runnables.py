"""Sources are built by a worker: what it delivers is what plays, and nothing else is."""

import hashlib
import io
import tarfile
import zipfile

import msgspec
import pytest

from arena.artifacts import RUNNABLE_FILENAME, inspect_artifact
from arena.fetching import deliver_runnable
from arena.orders import Heartbeat
from engine import Ruleset
from tests.factories import make_bot
from tests.platform.pipeline.fake_slot import heartbeat, validated, validation_order
from thousand.bots.models import Bot, BotVersion, VersionState
from thousand.bots.services import upload_bot_version
from thousand.core.artifacts import ArtifactStore
from thousand.pipeline.orders import seat_order
from thousand.pipeline.selectors import arena_offer
from thousand.pipeline.services import handle_worker_message
from thousand.tournaments.models import Entry, Ladder
from thousand.tournaments.services import create_ladder

pytestmark = pytest.mark.usefixtures("worker")

SOURCE = b"int main(void) { return 0; }"


def tarred(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


BUILT = tarred({"bot.toml": b'entry = "bot"\nlanguage = "executable"\n', "bot": b"#!/bin/sh\n"})
DIGEST = hashlib.sha256(BUILT).hexdigest()


def upload(bot: Bot, data: bytes = SOURCE, filename: str = "bot.c") -> BotVersion:
    assert bot.owner is not None
    return upload_bot_version(owner=bot.owner, bot=bot, filename=filename, data=data)


def test_what_was_built_and_delivered_is_what_plays(ladder: Ladder) -> None:
    version = upload(make_bot())
    order = validation_order()
    assert order.seat.digest == version.source_digest
    assert (order.seat.filename, order.seat.language) == ("bot.c", "c")
    deliver_runnable(order.runnable_url, BUILT)
    handle_worker_message(validated(order, runnable_digest=DIGEST))
    version.refresh_from_db()
    assert version.state == VersionState.READY
    assert version.source_digest == hashlib.sha256(SOURCE).hexdigest()
    assert version.runnable_digest == DIGEST
    seat = seat_order(version)
    assert (seat.digest, seat.filename) == (DIGEST, RUNNABLE_FILENAME)
    assert inspect_artifact(seat.filename, ArtifactStore().read(seat.digest)).language == "executable"
    assert Entry.objects.filter(pool=ladder.pool, version=version).exists()


@pytest.mark.parametrize("what", ["nothing", "something else", "no artifact", "a source"])
def test_a_program_that_was_not_delivered_as_reported_is_our_failure_and_is_tried_again(what: str) -> None:
    version = upload(make_bot())
    order = validation_order()
    data = {"no artifact": b"noise", "a source": tarred({"bot.c": SOURCE})}.get(what, BUILT)
    digest = "0" * 64 if what == "something else" else hashlib.sha256(data).hexdigest()
    if what != "nothing":
        deliver_runnable(order.runnable_url, data)
    handle_worker_message(validated(order, runnable_digest=digest))
    version.refresh_from_db()
    assert version.state == VersionState.UPLOADED
    assert version.runnable_digest == version.source_digest


def test_a_bot_that_needs_no_build_has_nowhere_to_deliver_to() -> None:
    version = upload(make_bot(), b"import sys\n", "bot.py")
    order = validation_order()
    assert order.runnable_url == ""
    handle_worker_message(validated(order, runnable_digest=DIGEST))
    version.refresh_from_db()
    assert version.state == VersionState.READY
    assert version.runnable_digest == version.source_digest


def test_every_ruleset_a_bot_names_is_tried_once_and_the_same_one_not_twice(ladder: Ladder) -> None:
    four = create_ladder(name="Four", slug="four", preset="club_four", agreements={"deal_limit": 9})
    names = ["tournament_default", "club_four", "skill_games", "club_four"]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("bot.py", "import sys\n")
        archive.writestr("bot.toml", f'entry = "bot.py"\nrulesets = {names}\n')
    upload(make_bot(), buffer.getvalue(), "bot.zip")
    order = validation_order()
    assert order.ruleset == ladder.pool.ruleset
    assert [trial.ruleset for trial in order.trials] == [
        four.pool.ruleset, Ruleset.from_preset("skill_games").to_json(),
    ]  # fmt: skip
    assert [len(trial.seeds) for trial in order.trials] == [1, 1]
    assert len({*order.seeds, *(seed for trial in order.trials for seed in trial.seeds)}) == 5


def beat(worker: str, languages: dict[str, str], *libraries: str) -> None:
    message = msgspec.json.decode(heartbeat(worker=worker), type=Heartbeat)
    message = msgspec.structs.replace(
        message, languages=tuple(languages.items()), libraries=libraries, libraries_digest=" ".join(libraries)
    )
    handle_worker_message(msgspec.json.encode(message).decode())


def test_the_arena_offers_what_some_live_worker_can_build_and_what_all_can_import() -> None:
    beat("w1", {"python": "CPython 3.11.7", "c": "gcc 12.2.0", "go": "go 1.19.8"}, "numpy 2.4.6")
    offer = arena_offer()
    assert [language.name for language in offer.languages] == ["python", "c", "go", "executable"]
    assert (offer.libraries, offer.differing) == (("numpy 2.4.6",), False)
    beat("w2", {"python": "CPython 3.11.7", "c": "gcc 13.1.0"})
    offer = arena_offer()
    assert [language.name for language in offer.languages] == ["python", "c", "go", "executable"]
    assert offer.scarce == ("Go",)
    assert offer.languages[1].tools == ("gcc 12.2.0", "gcc 13.1.0")
    assert (offer.libraries, offer.differing) == ((), True)
