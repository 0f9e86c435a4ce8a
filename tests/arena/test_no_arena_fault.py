"""Nothing a bot does ends as a fault of ours: alone or in concert, on the runner's core, in every tier."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.cores import Cores
from arena.orders import MatchReport
from arena.sandbox.choose import TIERS
from arena.slots import RunnerSlot
from tests.arena.match_orders import ample_but, make_order, seat_of
from tests.arena.real_bots import source, write_bot
from tests.arena.runners import children_of

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks, pytest.mark.timeout(600)]

SLOT = 41

SPINS = "import threading\ndef spin():\n    while True: sum(range(1000))\n"
SPINS += "for _ in range(24): threading.Thread(target=spin, daemon=True).start()\n"
GRABS = "\nhoard = []\nwhile True: hoard.append(b'x' * 1_000_000)"

BOTS = {
    "spins in threads": SPINS + source(),
    "spins in threads from the start": SPINS + "while True: pass\n",
    "exhausts memory": source(before="if number == 2:\n    " + GRABS.strip().replace("\n", "\n    ")),
    "exhausts memory at its start": GRABS.strip(),
    "times out": source(before="if number == 2: time.sleep(60)"),
    "times out spinning": source(before="if number == 2:\n    while True: pass"),
    "never starts": "import time; time.sleep(60)",
    "ends at once": "import os; os._exit(3)",
    "kills itself": "import os; os.kill(os.getpid(), 9)",
    "stops itself": source(before="if number == 2: os.kill(os.getpid(), 19)"),
    "floods and dies": source(before="if number == 2: os.write(2, b'x' * 60_000); os.abort()"),
}

# Short where a bot uses that time up, so that it does not keep the suite waiting.
SLOW_TO_START = {"never starts", "spins in threads from the start"}
SLOW_TO_ANSWER = {"spins in threads", "times out", "times out spinning", "stops itself"}
SHORT_START = {"start_ms": 3_000}
SHORT_ANSWER = {"move_ms": 300, "bank_ms": 2_000, "deadline_ms": 1_000}

Play = Callable[..., MatchReport]


@pytest.fixture(params=[tier for tier in TIERS if tier != "bwrap-1b"])
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Play]:
    """Play a match of three bots in a runner that is bound to one core, as a worker's are."""
    slot = RunnerSlot(SLOT, request.param, Cores([max(os.sched_getaffinity(0))]))

    def play_match(*names: str) -> MatchReport:
        bots = [
            write_bot(tmp_path, source() if name == "proper" else BOTS[name], name.replace(" ", "_"))
            for name in names
        ]
        short = SHORT_START if SLOW_TO_START & {*names} else {}
        short = short | (SHORT_ANSWER if SLOW_TO_ANSWER & {*names} else {})
        return slot.play(make_order([seat_of(bot) for bot in bots], limits=ample_but(memory_mb=64, **short)))

    yield play_match
    slot.close()
    # A runner that a busy machine did not let end in time was killed; the fork that played is ours now.
    for orphan in children_of(os.getpid()):
        os.waitpid(orphan, 0)


@pytest.mark.parametrize("name", BOTS)
def test_one_bot_alone(play: Play, name: str) -> None:
    report = play("proper", name, "proper")
    assert report.arena_fault == ""
    assert [report.seats[seat].verdict for seat in (0, 2)] == ["ok", "ok"]


@pytest.mark.parametrize(
    "names",
    [
        ("spins in threads", "exhausts memory", "times out"),
        ("times out", "times out", "proper"),
        ("times out spinning", "times out", "spins in threads"),
        ("never starts", "never starts", "proper"),
        ("exhausts memory at its start", "kills itself", "ends at once"),
        ("stops itself", "stops itself", "stops itself"),
        ("spins in threads from the start", "proper", "floods and dies"),
    ],
    ids=" + ".join,
)
def test_bots_in_concert(play: Play, names: tuple[str, ...]) -> None:
    report = play(*names)
    assert report.arena_fault == ""
    for name, seat in zip(names, report.seats, strict=True):
        # Whether one with threads answers in time is up to them. One that stops itself wakes up where a
        # machine that was found to be late, with every bot stopped, gives it a second deadline.
        woken = name == "stops itself" and seat.extended
        if name != "spins in threads" and not woken:
            assert (seat.verdict == "ok") == (name == "proper"), seat.message


def test_after_fifty_matches_of_bots_that_crash_the_next_one_is_played(play: Play) -> None:
    for _match in range(50):
        report = play("ends at once", "kills itself", "ends at once")
        assert report.arena_fault == ""
    report = play("proper", "proper", "proper")
    assert [seat.verdict for seat in report.seats] == ["ok", "ok", "ok"]
