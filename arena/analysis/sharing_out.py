"""An analysis shared out among processes, deal by deal. The numbers are the same as those of one process."""

import multiprocessing
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from arena.analysis.deal import DealRecord, Seeds, analyse_deal
from arena.analysis.document import AnalysedDeal
from arena.analysis.match import one_after_another
from bots_sdk.race import Race


class SharedOut:
    """Analyses so many deals at once; yields them in order. For `arena.analysis.match.analyse`."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def __call__(self, records: Sequence[DealRecord], race: Race, seeds: Seeds) -> Iterable[AnalysedDeal]:
        """Analyse deals; a process that dies is a BrokenProcessPool."""
        jobs = min(self.jobs, len(records))
        if jobs <= 1:
            return one_after_another(records, race, seeds)
        return _shared_out(jobs, records, race, seeds)


def _shared_out(jobs: int, records: Sequence[DealRecord], race: Race, seeds: Seeds) -> Iterator[AnalysedDeal]:
    # A fork would share locks and threads with its parent; Ctrl-C goes to all, and the parent decides.
    with ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        yield from pool.map(analyse_deal, records, repeat(race), repeat(seeds))
