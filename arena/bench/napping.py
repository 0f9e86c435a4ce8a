"""An arena worker whose matches are naps of `$THOUSAND_BENCH_NAP` seconds, for row E1 of the benchmark.

    celery -A arena.bench.napping worker

All else is the arena's: its Celery app, slots, cores, messages. No bot is started, so none is confined.
Nothing imports this module.
"""

import os
import time
from collections.abc import Callable
from typing import Any

import arena.worker
from arena.celery import app
from arena.cores import Cores
from arena.offer import Offer
from arena.orders import MatchOrder, MatchReport

__all__ = ["app"]

NAP_S = float(os.environ["THOUSAND_BENCH_NAP"])


class NappingRunner:
    """Takes the place of `arena.slots.RunnerSlot`."""

    def __init__(self, number: int, tier: str, cores: Cores, **options: Any) -> None:
        self._cores = cores

    def play(self, order: MatchOrder, started: Callable[[], None]) -> MatchReport:
        """Take a nap when a core is free."""
        core = self._cores.take()
        try:
            started()
            time.sleep(NAP_S)
        finally:
            self._cores.give_back(core)
        return MatchReport(match=order.match, token=order.token)

    def close(self) -> None:
        """There is nothing to end."""


worker = vars(arena.worker)
worker["RunnerSlot"] = NappingRunner
worker["_prove_sandbox"] = lambda: ("none", "")
worker["_ask_offer"] = lambda tier: Offer(())
