"""Analyses a whole match: every decision of every seat, every auction, the luck of every deal.

    document = analyse(replay)                    # a replay document
    canonical_bytes(document)                     # as it is stored

A replay is analysed by the rules it was recorded under; of another rules version nothing can be said.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

import bots_sdk.race
import engine
from arena.analysis import ANALYSIS_VERSION
from arena.analysis.advice import adviser
from arena.analysis.deal import DealRecord, Seeds, Taken, analyse_deal
from arena.analysis.document import (
    ANALYSIS_FORMAT,
    AnalysedDeal,
    AnalysedSeat,
    AnalysisDocument,
    Decision,
    Mark,
    Moment,
    Moments,
)
from arena.analysis.marks import BLUNDER, GOOD, INACCURACY, MISTAKE
from arena.replay import ReplayDocument, canonical_bytes, engine_version
from bots_sdk.digest import digest_of
from bots_sdk.race import Race, closest, provenance
from engine import RULES_VERSION, EngineError, MatchRecord, Ruleset, RulesetError, parse_seed, replay_record

SEARCH: Final = ("playouts", "policy", "solver", "usual_search", "table_search", "rank_masks", "worlds")
"""Modules of the engine that an analysis leans on, beside the rules."""
MOMENTS: Final = 12
"""Worst and best moments that are named."""


class AnalysisError(ValueError):
    """The document is no replay, or none that this engine can play again."""


DealByDeal = Callable[[Sequence[DealRecord], Race, Seeds], Iterable[AnalysedDeal]]
"""Analyses deals, in any order."""


def one_after_another(records: Sequence[DealRecord], race: Race, seeds: Seeds) -> Iterator[AnalysedDeal]:
    """Analyse deals in this process."""
    for record in records:
        yield analyse_deal(record, race, seeds)


def analyse(
    document: Mapping[str, Any],
    deals: Sequence[int] | None = None,
    deal_by_deal: DealByDeal = one_after_another,
) -> dict[str, Any]:
    """Return the analysis of a replay document; the same replay gives the same bytes.

    `deals` leaves out all others: their luck, gains and decisions then count for nothing in the sums.
    `deal_by_deal` does the work, which takes about half a second a deal.
    AnalysisError says why a document cannot be analysed.
    """
    try:
        replay = msgspec.convert(document, ReplayDocument)
    except msgspec.ValidationError as error:
        raise AnalysisError(f"this is no replay document: {error}") from error
    if replay.rules_version != RULES_VERSION:
        raise AnalysisError(
            f"the match was played by rules version {replay.rules_version}; "
            f"this engine plays {RULES_VERSION} and cannot judge it"
        )
    try:
        ruleset = Ruleset.from_json(replay.ruleset)
        for name, values in (("seats", replay.seats), ("places", replay.outcome.places)):
            if not len(values) == replay.players == ruleset.players:
                raise AnalysisError(f"{ruleset.players} play, but there are {len(values)} {name}")
        records = deal_records(replay, ruleset)
    except (RulesetError, EngineError, ValueError) as error:
        raise AnalysisError(f"the record does not replay: {error}") from error
    race = Race.of(ruleset)
    seeds = Seeds(f"thousand-analysis {ANALYSIS_VERSION} ".encode() + bytes.fromhex(replay.seed))
    wanted = [record for record in records if deals is None or record.number in deals]
    found = sorted(deal_by_deal(wanted, race, seeds), key=lambda deal: deal.deal)
    result = AnalysisDocument(
        format=ANALYSIS_FORMAT,
        version=1,
        analysis=ANALYSIS_VERSION,
        code=code_digest(),
        engine=engine_version(),
        rules_version=RULES_VERSION,
        replay=hashlib.sha256(canonical_bytes(document)).hexdigest(),
        adviser=adviser(),
        race={"ruleset": closest(ruleset), **provenance()},
        thresholds={"good": GOOD, "inaccuracy": INACCURACY, "mistake": MISTAKE, "blunder": BLUNDER},
        players=replay.players,
        seats=[_seat(seat, replay, found) for seat in range(replay.players)],
        moments=moments_of(found),
        deals=found,
    )
    built: dict[str, Any] = msgspec.to_builtins(result)
    return built


def deal_records(replay: ReplayDocument, ruleset: Ruleset) -> list[DealRecord]:
    """Play a replay again and return what happened in each deal."""
    steps = _steps(replay)
    faults = [seat.fault_index for seat in replay.seats]
    moments = replay_record(
        MatchRecord(RULES_VERSION, ruleset, parse_seed(replay.seed), tuple(replay.actions))
    )
    state = next(moments).state
    records = [DealRecord(0, state)]
    for index, (action, now) in enumerate(zip(replay.actions, moments, strict=True)):
        fault = None if state.turn is None else faults[state.turn]
        own = fault is None or index < fault
        records[-1].taken.append(Taken(index, steps[index], state, action, own))
        before, state = state, now.state
        if state.deal != before.deal or state.turn is None:
            records[-1].after = state.standing
        if state.deal != before.deal and state.turn is not None:
            records.append(DealRecord(state.deal, state))
    return records


@cache
def code_digest() -> str:
    """Return the first 16 hex digits of SHA-256 over the sources that decide what an analysis says."""
    own, rules = Path(__file__).parent, Path(engine.__file__).parent
    race = [Path(bots_sdk.race.__file__), bots_sdk.race.STORED]
    sources = [*sorted(own.glob("*.py")), *race, *(rules / f"{name}.py" for name in SEARCH)]
    return digest_of(sources)


def _steps(replay: ReplayDocument) -> list[int]:
    """Return each action's place among the events of its deal: its own event, or the one before."""
    found: dict[int, int] = {
        event["action"]: number
        for deal in replay.deals
        for number, event in enumerate(deal.events)
        if "action" in event
    }
    steps: list[int] = []
    for index in range(len(replay.actions)):
        steps.append(found.get(index, steps[-1] if steps else 0))
    return steps


def _seat(seat: int, replay: ReplayDocument, deals: Sequence[AnalysedDeal]) -> AnalysedSeat:
    decisions = [one for deal in deals for one in deal.decisions if one.seat == seat]
    places = replay.outcome.places
    result = 1 / places.count(1) if places[seat] == 1 else 0.0
    start = deals[0].chances[seat] if deals else 0.0
    luck = sum(deal.luck_chance[seat] for deal in deals)
    luck_points = sum(deal.luck_points[seat] for deal in deals)
    points = sum(deal.gains[seat] for deal in deals if deal.gains is not None)
    marks = [one.mark for one in decisions]
    return AnalysedSeat(
        seat=seat,
        decisions=len(decisions),
        good=marks.count(Mark.GOOD),
        inaccuracies=marks.count(Mark.INACCURACY),
        mistakes=marks.count(Mark.MISTAKE),
        blunders=marks.count(Mark.BLUNDER),
        lost_chance=round(sum(one.lost_chance for one in decisions), 4),
        lost_points=round(sum(one.lost_points for one in decisions), 1),
        start=start,
        result=round(result, 4),
        luck_chance=round(luck, 4),
        play_chance=round(result - start - luck, 4),
        points=points,
        luck_points=round(luck_points, 1),
        play_points=round(points - luck_points, 1),
    )


def moments_of(deals: Sequence[AnalysedDeal]) -> Moments:
    """Choose the decisions to look at, in the order of what is said of them first."""
    decisions = [(deal.deal, one) for deal in deals for one in deal.decisions]
    worst = [pair for pair in decisions if pair[1].mark not in (Mark.NONE, Mark.GOOD)]
    worst.sort(key=lambda pair: (-pair[1].lost_chance, -pair[1].lost_points))
    best = [pair for pair in decisions if pair[1].mark is Mark.GOOD]
    best.sort(key=lambda pair: -pair[1].kept_chance)
    return Moments(
        worst=[_moment(number, one, one.lost_chance, one.lost_points) for number, one in worst[:MOMENTS]],
        best=[_moment(number, one, one.kept_chance, 0.0) for number, one in best[:MOMENTS]],
    )


def _moment(deal: int, one: Decision, chance: float, points: float) -> Moment:
    return Moment(deal, one.step, one.action, one.seat, chance, points)
