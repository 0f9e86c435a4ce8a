"""A site with house bots on its main ladder, and workers that exist only as messages."""

import pytest

from tests.platform.pipeline.fake_slot import heartbeat, take_orders
from thousand.bots.services import create_house_bots
from thousand.pipeline.services import handle_worker_message
from thousand.tournaments.models import Ladder
from thousand.tournaments.services import (
    MAIN_LADDER_NAME,
    MAIN_LADDER_PRESET,
    MAIN_LADDER_SLUG,
    create_ladder,
)


@pytest.fixture
def ladder(transactional_db: None) -> Ladder:
    """The main ladder with its house bots; the queue is empty and no worker has been heard of.

    Its matches have three deals: bots that choose at random would play a hundred, and nothing here is about
    how a match is played.
    """
    take_orders()
    create_house_bots()
    return create_ladder(
        name=MAIN_LADDER_NAME,
        slug=MAIN_LADDER_SLUG,
        preset=MAIN_LADDER_PRESET,
        agreements={"deal_limit": 3},
        is_main=True,
    )


@pytest.fixture
def worker(ladder: Ladder) -> str:
    """A worker of two slots that has just said that it is idle."""
    handle_worker_message(heartbeat(slots=2))
    return "w1"
