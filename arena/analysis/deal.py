"""Analyses one deal: its luck, its auction, and every decision that left a choice."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.analysis.advice import advised, obvious
from arena.analysis.bidding import can_judge, judge
from arena.analysis.deciding import Evaluation, evaluate
from arena.analysis.document import Alternative, AnalysedDeal, Bidding, Decision
from arena.analysis.endings import Endings
from arena.analysis.luck import deal_luck
from arena.analysis.marks import given_up, mark_of, saved
from arena.analysis.open_cards import OpenDeal, number_of
from bots_sdk.race import Race
from engine import MatchState
from engine.actions import parse_action
from engine.cards import mask_of
from engine.standing import Standing
from engine.state import NOBODY, Phase


@dataclass(frozen=True, slots=True)
class Taken:
    """One action of the record, and where it was taken."""

    index: int
    """Into the replay's actions."""
    step: int
    """Into the deal's events."""
    state: MatchState
    """Before it."""
    action: str
    own: bool
    """Whether the seat's bot chose it; False for what the arena played after a fault."""


@dataclass(slots=True)
class DealRecord:
    """Everything that happened in one deal."""

    number: int
    first: MatchState
    """Before anybody decided anything."""
    taken: list[Taken] = field(default_factory=list)
    after: Standing | None = None
    """Standing after it; None where it was not finished."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """Where the guesses of an analysis come from: the match's seed and the version of the method."""

    root: bytes

    def of(self, *names: object) -> int:
        """Return the seed of one piece of work."""
        text = self.root + "/".join(str(name) for name in names).encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


def analyse_deal(record: DealRecord, race: Race, seeds: Seeds) -> AnalysedDeal:
    """Analyse a deal."""
    first, standing = record.first, record.first.standing
    endings = Endings(first, race)
    gains = None
    zeros = [0.0] * first.players
    luck_points, luck_chance = zeros, zeros
    if record.after is not None:
        gains = [now - before for now, before in zip(record.after.total, standing.total, strict=True)]
        careless = Endings(first, race, careless=True)
        luck = deal_luck(first, careless, seeds.of("luck", record.number))
        luck_points = [round(points, 2) for points in luck.points]
        luck_chance = [round(chance, 5) for chance in luck.chances]
    chances = race.chances(standing, first.current.dealer)
    return AnalysedDeal(
        deal=record.number,
        chances=[round(chance, 4) for chance in chances],
        gains=gains,
        luck_points=luck_points,
        luck_chance=luck_chance,
        bidding=_bidding(record, seeds),
        decisions=_decisions(record, endings, seeds),
    )


def _decisions(record: DealRecord, endings: Endings, seeds: Seeds) -> list[Decision]:
    found = []
    solved: OpenDeal | None = None
    for taken in record.taken:
        state = taken.state
        if state.phase is Phase.PLAY and solved is None and state.current.declarer != NOBODY:
            solved = OpenDeal(state)
        if len(state.legal) > 1 and taken.own:
            evaluation = evaluate(state, endings, taken.action, seeds.of("decision", taken.index))
            if evaluation is not None:
                opened = solved.values() if solved is not None else {}
                advice = advised(state, seeds.of("advice", taken.index))
                found.append(_decision(taken, evaluation, opened, advice))
        if solved is not None:
            solved.play(taken.action)
    return found


def _decision(taken: Taken, found: Evaluation, opened: Mapping[int, int], advice: str) -> Decision:
    seat = taken.state.turn or 0
    lost_chance, lost_points = given_up(found, taken.action, seat)
    kept = 0.0 if taken.action == obvious(taken.state) else saved(found, taken.action, seat)
    return Decision(
        action=taken.index,
        step=taken.step,
        seat=seat,
        phase=taken.state.phase.value,
        played=taken.action,
        best=found.best.action,
        advised=advice,
        mark=mark_of(lost_chance, lost_points, kept),
        lost_chance=round(lost_chance, 4),
        lost_points=round(lost_points, 1),
        kept_chance=round(kept, 4),
        chances=[round(chance, 4) for chance in found.of(taken.action).chances],
        worlds=found.worlds,
        alternatives=[
            Alternative(
                action=one.action,
                points=round(one.points, 1),
                chance=round(one.chances[seat], 4),
                made=round(one.made, 3),
                behind=round(one.behind, 4),
                error=round(one.error, 4),
                open=opened.get(number_of(one.action)) if opened else None,
            )
            for one in found.alternatives
        ],
    )


def _bidding(record: DealRecord, seeds: Seeds) -> list[Bidding]:
    """Judge the auction of the deal as it was played, after all redeals."""
    last = record.taken[-1].state.current if record.taken else record.first.current
    if last.declarer == NOBODY or not can_judge(record.first.ruleset, last):
        return []
    said = []
    for taken in record.taken:
        deal = taken.state.current
        if deal.redeal == last.redeal and taken.state.phase is Phase.AUCTION:
            said.append((taken.state.turn or 0, parse_action(taken.action).number))
    given = mask_of(card for card in last.given or () if card != NOBODY)
    return judge(record.first.ruleset, last, said, seeds.of("bidding", record.number), given)
