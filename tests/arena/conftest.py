"""One proved sandbox for all tests that need one, and what a runner in it is given to play."""

from pathlib import Path

import pytest

from arena.orders import MatchOrder
from arena.sandbox import Sandbox, SandboxUnavailableError, choose_sandbox
from tests.arena.match_orders import AMPLE, make_order, seat_of
from tests.arena.real_bots import source, write_bot
from tests.arena.runners import MARK


@pytest.fixture(scope="session")
def proved_sandbox() -> Sandbox:
    """The best sandbox of this machine; tests are skipped where there is none, with the reason."""
    try:
        return choose_sandbox()
    except SandboxUnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture
def tier(proved_sandbox: Sandbox) -> str:
    """The name of that sandbox, as a runner is told it."""
    return proved_sandbox.tier


@pytest.fixture
def order(tmp_path: Path) -> MatchOrder:
    """A match of three bots that answer at once."""
    return make_order([seat_of(write_bot(tmp_path, source() + MARK))] * 3, limits=AMPLE)


@pytest.fixture
def sleeping_order(tmp_path: Path) -> MatchOrder:
    """A match of three bots whose first move takes a minute."""
    sleeper = write_bot(tmp_path, source(before="time.sleep(60)") + MARK, "sleeper")
    return make_order([seat_of(sleeper)] * 3, limits=AMPLE)
