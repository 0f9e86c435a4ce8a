"""Cores are given out in the order in which they are asked for, until the worker stops."""

import threading

import pytest

from arena.cores import Core, Cores, SlotClosedError
from tests.arena.runners import eventually


def test_who_asks_first_plays_first_and_nobody_jumps_the_queue() -> None:
    cores = Cores([3, 1])
    assert [cores.take_now(), cores.take_now()] == [Core(3), Core(1)]
    assert cores.take_now() is None
    came: list[tuple[int, Core]] = []
    waiting = [threading.Thread(target=lambda n=n: came.append((n, cores.take()))) for n in range(4)]
    for number, thread in enumerate(waiting, start=1):
        thread.start()
        eventually(lambda number=number: len(cores._asking) == number)
    for number in range(4):
        cores.give_back(Core(number))
        waiting[number].join(60)
    assert came == [(number, Core(number)) for number in range(4)]


def test_a_core_is_not_given_to_somebody_new_while_others_wait() -> None:
    cores = Cores([])
    waiting = threading.Thread(target=cores.take)
    waiting.start()
    eventually(lambda: len(cores._asking) == 1)
    with cores._changed:  # before the one that waits has woken up
        cores._free.append(Core(0))
        assert cores.take_now() is None
        cores._changed.notify_all()
    waiting.join(60)
    assert not waiting.is_alive()


def test_closing_sends_everybody_away() -> None:
    cores = Cores([None])
    cores.take()
    sent_away: list[str] = []

    def ask() -> None:
        with pytest.raises(SlotClosedError):
            cores.take()
        sent_away.append("one")

    waiting = [threading.Thread(target=ask) for _ in range(3)]
    for thread in waiting:
        thread.start()
    eventually(lambda: len(cores._asking) == 3)
    cores.close()
    for thread in waiting:
        thread.join(60)
    assert sent_away == ["one"] * 3
    cores.give_back(Core(None))
    with pytest.raises(SlotClosedError):
        cores.take()
    with pytest.raises(SlotClosedError):
        cores.take_now()
