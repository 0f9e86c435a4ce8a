"""Who may stop a bot, and who may start it again."""

import pytest

from tests.factories import make_author, make_bot, make_organiser, make_version
from thousand.accounts.services import erase_account
from thousand.bots.models import BotState, PauseKind, VersionState
from thousand.bots.services import pause_bot, resume_bot, revalidate_version
from thousand.core.artifacts import ArtifactStore
from thousand.core.errors import ConflictError, NotAllowedError

pytestmark = pytest.mark.django_db


def test_an_owner_pauses_and_resumes() -> None:
    bot = make_bot()
    assert bot.owner is not None
    paused = pause_bot(bot=bot, actor=bot.owner)
    assert (paused.state, paused.pause_kind) == (BotState.PAUSED, PauseKind.OWNER)
    resumed = resume_bot(bot=bot, actor=bot.owner)
    assert (resumed.state, resumed.pause_kind, resumed.pause_reason) == (BotState.ACTIVE, "", "")
    assert resumed.resumed_at is not None


def test_somebody_else_may_do_neither() -> None:
    bot = make_bot()
    with pytest.raises(NotAllowedError):
        pause_bot(bot=bot, actor=make_author())
    with pytest.raises(NotAllowedError):
        resume_bot(bot=bot, actor=make_author())


def test_what_an_organiser_paused_only_an_organiser_resumes() -> None:
    bot = make_bot()
    assert bot.owner is not None
    pause_bot(bot=bot, actor=make_organiser(), reason="Strange timings.")
    with pytest.raises(NotAllowedError, match=r"Strange timings\."):
        resume_bot(bot=bot, actor=bot.owner)
    assert pause_bot(bot=bot, actor=bot.owner).pause_kind == PauseKind.ORGANISER
    assert resume_bot(bot=bot, actor=make_organiser()).state == BotState.ACTIVE


def test_an_owner_resumes_after_faults() -> None:
    bot = make_bot()
    pause_bot(bot=bot, kind=PauseKind.FAULTS, reason="Two forfeits.")
    assert resume_bot(bot=bot, actor=bot.owner).state == BotState.ACTIVE


def test_only_a_rejected_version_whose_file_is_there_is_validated_again() -> None:
    with pytest.raises(ConflictError, match="is ready"):
        revalidate_version(version=make_version())
    version = make_version(state=VersionState.REJECTED, reject_reason="It crashed.")
    with pytest.raises(ConflictError, match="is gone"):
        revalidate_version(version=version)
    version.runnable_digest = ArtifactStore().put(b"print()")
    version.save()
    again = revalidate_version(version=version)
    assert (again.state, again.reject_reason, again.validation_attempts) == (VersionState.UPLOADED, "", 0)


@pytest.mark.django_db(transaction=True)
def test_erasing_an_account_removes_what_its_bots_held_and_keeps_the_rows() -> None:
    store = ArtifactStore()
    mine, shared = store.put(b"only mine"), store.put(b"also somebody's")
    owner = make_author()
    bot = make_bot(owner, name="Ferret")
    version = make_version(bot, source_digest=mine, runnable_digest=mine, notes="my thoughts")
    make_version(bot, source_digest=shared, runnable_digest=shared)
    make_version(source_digest=shared, runnable_digest=shared)
    erase_account(user=owner)
    bot.refresh_from_db()
    version.refresh_from_db()
    assert bot.owner is None
    assert bot.name == f"deleted {bot.public_id}"
    assert bot.state == BotState.PAUSED
    assert (version.notes, version.filename, version.manifest) == ("", "", {})
    assert not store.exists(mine)
    assert store.exists(shared)
