"""An analysis shared out among processes, deal by deal. The numbers are the same as those of one process."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from arena.analysis.deal import DealRecord, Seeds, analyse_deal
from arena.analysis.document import AnalysedDeal
from arena.analysis.match import one_after_another
from arena.crew import share_out
from bots_sdk.race import Race


class SharedOut:
    """Analyses so many deals at once, for `arena.analysis.match.analyse`; yields them as they are done."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def __call__(self, records: Sequence[DealRecord], race: Race, seeds: Seeds) -> Iterator[AnalysedDeal]:
        """Analyse deals; CrewFailedError if a process dies."""
        jobs = min(self.jobs, len(records))
        if jobs <= 1:
            yield from one_after_another(records, race, seeds)
            return
        places = range(len(records))
        with closing(share_out(_analyst, places, jobs, records, race, seeds, what="deal")) as found:
            yield from found


def _analyst(
    job: int, core: int, records: Sequence[DealRecord], race: Race, seeds: Seeds
) -> Callable[[int], AnalysedDeal]:
    return lambda place: analyse_deal(records[place], race, seeds)
