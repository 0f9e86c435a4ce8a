"""What operators run: they tell the truth, change only what they say, and fail when something is wrong."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_block, make_bot, make_complete_block, make_version
from thousand.bots.models import VersionState
from thousand.core.artifacts import ArtifactStore
from thousand.matches.models import Block, BlockState
from thousand.operations.auditing import audit
from thousand.operations.progress import Progress, block_line, score_text, standings_lines
from thousand.ratings.models import LedgerEntry, Rating
from thousand.replays.models import Replay
from thousand.tournaments.models import Ladder

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def true_block() -> Block:
    """A rated block whose bots have files."""
    versions = []
    for number in range(3):
        digest = ArtifactStore().put(b"# bot %d" % number)
        versions.append(make_version(source_digest=digest, runnable_digest=digest))
    return make_complete_block(versions=versions)


def test_a_sound_site_has_no_contradictions() -> None:
    true_block()
    assert "Everything agrees." in run("audit")
    assert "every rating follows from the ledger" in run("rebuild_ratings", "--check")


def test_the_audit_finds_what_does_not_agree() -> None:
    block = true_block()
    Rating.objects.update(value=1234.5)
    Block.objects.filter(pk=block.pk).update(commitment="0" * 64)
    replay = Replay.objects.order_by("id")[0]
    replay.digest = "1" * 64
    replay.published_at = None
    replay.save()
    version = block.entries.all()[0].version
    ArtifactStore().delete(version.runnable_digest)
    findings = "\n".join(audit())
    for words in (
        "the ledger gives",
        "the seed does not fit its commitment",
        "its body does not have its digest",
        "its replay is not public",
        "is gone",
    ):
        assert words in findings


def test_the_audit_finds_a_complete_block_that_was_never_rated() -> None:
    block = true_block()
    entry = LedgerEntry.objects.get(block=block)
    entry.changes.all().delete()
    entry.delete()
    assert f"{block} is complete but was never rated" in list(audit(replays=False))
    with pytest.raises(CommandError, match="contradictions"):
        run("audit", "--quick")


def test_a_check_that_fails_changes_nothing_and_exits_with_an_error() -> None:
    true_block()
    Rating.objects.update(value=1234.5)
    with pytest.raises(CommandError, match="3 differences"):
        run("rebuild_ratings", "--check")
    assert set(Rating.objects.values_list("value", flat=True)) == {1234.5}
    assert "rewritten from the ledger" in run("rebuild_ratings")
    run("rebuild_ratings", "--check")


def test_an_unknown_pool_is_named() -> None:
    with pytest.raises(CommandError, match="“nonsense”"):
        run("rebuild_ratings", "--pool", "nonsense")


def test_setup_prepares_a_site_and_may_be_run_again() -> None:
    first = run("setup")
    assert "Main ladder" in first
    assert "easy v1" in first
    assert "/organiser/" in first
    run("setup")
    assert Ladder.objects.count() == 1


def test_progress_tells_each_block_once() -> None:
    make_complete_block()
    progress = Progress()
    assert list(progress.news()) == []
    block = make_complete_block()
    void = make_block()
    Block.objects.filter(pk=void.pk).update(
        state=BlockState.VOID, void_cause="The disk is full.", closed_at=block.closed_at
    )
    lines = list(progress.news())
    assert any(f"block {block.public_id} rated #1: " in line for line in lines)
    assert f"block {void.public_id} void: The disk is full." in lines
    assert list(progress.news()) == []
    assert progress.rated == 1


def test_progress_names_the_ladder_where_there_are_several() -> None:
    block = make_complete_block()
    assert block_line(LedgerEntry.objects.get(block=block)).startswith("block ")
    other = make_complete_block()
    assert block.pool is not None
    line = block_line(LedgerEntry.objects.get(block=block))
    assert line.startswith(f"{block.pool.name}: block {block.public_id} rated")
    assert not block_line(LedgerEntry.objects.get(block=other)).startswith(block.pool.name)


def test_progress_tells_how_validations_end() -> None:
    progress = Progress()
    bot = make_bot(name="Ferret")
    good = make_version(bot)
    bad = make_version(bot, state=VersionState.REJECTED, reject_reason="It crashed.")
    for version in (good, bad):
        version.validated_at = version.created_at
        version.save()
    assert list(progress.news()) == [
        "Ferret v1 is ready and plays from now on",
        "Ferret v2 was rejected: It crashed.",
    ]


def test_a_block_is_told_by_score_and_change_best_first() -> None:
    names = ["Ferret", "Stoat", "Weasel"]
    versions = [make_version(make_bot(name=name)) for name in names]
    block = make_complete_block(versions=versions, slot_places=(3, 1, 2))
    entry = LedgerEntry.objects.get(block=block)
    assert "Stoat 12 (+96.0), Weasel 6 (+0.0), Ferret 0 (-96.0); " in block_line(entry)


@pytest.mark.parametrize(("points", "text"), [(0, "0"), (0.5, "½"), (7.5, "7½"), (12, "12")])
def test_points_are_written_with_halves(points: float, text: str) -> None:
    assert score_text(points) == text


def test_standings_show_rank_rating_share_and_blocks() -> None:
    make_complete_block(
        versions=[make_version(make_bot(name=name)) for name in ("Ferret", "Stoat", "Weasel")]
    )
    title, first, *_rest = standings_lines()
    assert title.startswith("Standings, Pool-")
    assert first.split() == ["1.", "Ferret", "v1", "1596", "100", "%", "1", "block"]
