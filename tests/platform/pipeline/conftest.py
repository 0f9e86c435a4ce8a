"""A site with house bots on its main ladder, and workers that exist only as messages."""

import pytest

from tests.platform.pipeline.fake_slot import heartbeat, take_orders
from thousand.bots.services import create_house_bots
from thousand.pipeline.services import handle_worker_message
from thousand.tournaments.models import Ladder
from thousand.tournaments.services import ensure_main_ladder


@pytest.fixture
def ladder(transactional_db: None) -> Ladder:
    """The main ladder with its house bots; the queue is empty and no worker has been heard of."""
    take_orders()
    create_house_bots()
    return ensure_main_ladder()


@pytest.fixture
def worker(ladder: Ladder) -> str:
    """A worker of two slots that has just said that it is idle."""
    handle_worker_message(heartbeat(slots=2))
    return "w1"
