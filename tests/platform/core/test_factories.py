"""The factories that every other test builds on make rows that belong together."""

import pytest

from tests.factories import make_block, make_complete_block, make_version
from thousand.bots.models import VersionState
from thousand.matches.models import BlockState, MatchState

pytestmark = pytest.mark.django_db


def test_a_block_has_every_seating_once() -> None:
    block = make_block()
    seatings = {tuple(seat.slot for seat in match.seats.all()) for match in block.matches.all()}
    assert len(seatings) == 6


def test_a_complete_block_is_rated_and_its_replays_are_public() -> None:
    block = make_complete_block()
    assert block.state == BlockState.COMPLETE
    assert block.rated_seq is not None
    assert {match.state for match in block.matches.all()} == {MatchState.FINISHED}
    assert all(match.replay and match.replay.published_at for match in block.matches.all())


def test_a_rejected_version_does_not_become_active() -> None:
    version = make_version()
    make_version(version.bot, state=VersionState.REJECTED)
    version.bot.refresh_from_db()
    assert version.bot.active_version == version
