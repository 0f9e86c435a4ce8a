"""The analysis of a match: what it says of decisions, bids and luck, and what it must not know."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

import engine
from arena.analysis.deciding import Evaluation, evaluate
from arena.analysis.document import AnalysedDeal, Mark
from arena.analysis.endings import Endings
from arena.analysis.fixed_player import decide
from arena.analysis.marks import given_up, mark_of
from arena.analysis.match import AnalysisError, analyse, moments_of
from arena.analysis.open_cards import number_of
from arena.analysis.sharing_out import SharedOut
from arena.analysis.words import bidding_lines, decision_words, moment_lines
from arena.cli import main
from arena.replay import build_replay, canonical_bytes
from arena.schemas import analysis_schema
from bots_sdk.race import Race, closest, shares
from engine import PLAYABLE_PRESETS, Ruleset, Standing, seed_from_int
from engine.position import Position
from engine.solver import analyse as solve
from engine.state import MatchState, Phase
from tests.viewer.matches import faulty_match, preset_match

PLANTED_SEED = 24
DEFAULT = Ruleset.from_preset("tournament_default")


def replay_of(actions: tuple[str, ...], ruleset: Ruleset, seed: int) -> dict[str, Any]:
    seat = {"version": "a", "verdict": "ok", "fault_index": None, "cpu_ms": 0, "wall_ms": 0, "decisions": 0}
    times = [0] * len(actions)
    return build_replay(
        seed=seed_from_int(seed), ruleset=ruleset, actions=actions, seats=[seat] * ruleset.players,
        cpu_us=times, wall_us=times, sandbox="none",
    )  # fmt: skip


@cache
def spoiled() -> tuple[dict[str, Any], dict[str, Any]]:
    """A match of two deals in which the first contract is the highest that the cards allow, and its analysis.

    Everybody else bids by rules of thumb and plays the mildest card: no house bot's tuning changes it.
    """
    ruleset = Ruleset.from_preset("tournament_default", {"deal_limit": 2})
    state = engine.start(ruleset, seed_from_int(PLANTED_SEED)).state
    actions: list[str] = []
    planted = False
    while state.turn is not None:
        action = state.legal[0]
        if state.phase is Phase.CONTRACT and not planted:
            action = [each for each in state.legal if each != "concede"][-1]
            planted = True
        elif state.phase is not Phase.PLAY:
            action = decide(state, (0.0,) * 3)
        actions.append(action)
        state = engine.step(state, action).state
    replay = replay_of(tuple(actions), ruleset, PLANTED_SEED)
    return replay, analyse(replay)


def decisions(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [one for deal in document["deals"] for one in deal["decisions"]]


def test_a_contract_far_above_the_cards_is_marked_and_among_the_worst_moments() -> None:
    replay, document = spoiled()
    planted = next(one for one in decisions(document) if one["phase"] == "contract")
    assert planted["played"] == "contract 220"
    assert planted["mark"] == "blunder"
    assert int(planted["best"].split()[1]) < 200
    assert planted["lost_points"] > 100
    assert planted["action"] in [moment["action"] for moment in document["moments"]["worst"]]
    assert replay["actions"][planted["action"]] == planted["played"]


def test_moments_come_in_the_order_of_the_chance_that_is_shown_and_then_of_points() -> None:
    deal = msgspec.convert(spoiled()[1]["deals"][0], AnalysedDeal)
    lost = ((0.256, 400.0), (0.314, 0.0), (0.256, 500.0), (0.001, 600.0))
    given_up = [
        msgspec.structs.replace(one, mark=Mark.BLUNDER, lost_chance=chance, lost_points=points)
        for one, (chance, points) in zip(deal.decisions, lost, strict=False)
    ]
    worst = moments_of([msgspec.structs.replace(deal, decisions=given_up)]).worst
    shown = [(moment.chance, moment.points) for moment in worst]
    assert shown == [(0.314, 0.0), (0.256, 500.0), (0.256, 400.0), (0.001, 600.0)]


def test_the_same_replay_gives_the_same_bytes() -> None:
    replay = preset_match("livegames_golden")
    assert canonical_bytes(analyse(replay, [0])) == canonical_bytes(analyse(replay, [0]))


def test_an_analysis_that_was_shared_out_is_the_same() -> None:
    replay, document = spoiled()
    assert canonical_bytes(analyse(replay, deal_by_deal=SharedOut(2))) == canonical_bytes(document)


def test_an_analysis_fits_its_schema() -> None:
    Draft202012Validator(analysis_schema()).validate(json.loads(json.dumps(spoiled()[1])))


def test_only_decisions_with_a_choice_are_judged_and_the_best_gives_nothing_up() -> None:
    replay, document = spoiled()
    judged = {one["action"]: one for one in decisions(document)}
    state = engine.start(Ruleset.from_json(replay["ruleset"]), engine.parse_seed(replay["seed"])).state
    for index, action in enumerate(replay["actions"]):
        if len(state.legal) == 1:
            assert index not in judged
        elif index in judged:
            one = judged[index]
            assert one["seat"] == state.turn
            assert {action, one["best"]} <= {each["action"] for each in one["alternatives"]}
            assert one["best"] != action or (one["lost_chance"], one["lost_points"]) == (0, 0)
        state = engine.step(state, action).state
    assert len(judged) > 20


def test_a_step_is_the_place_of_the_decision_among_the_deals_events() -> None:
    replay, document = spoiled()
    for deal in document["deals"]:
        events = replay["deals"][deal["deal"]]["events"]
        for one in deal["decisions"]:
            assert events[one["step"]]["action"] == one["action"]


def test_result_is_start_and_luck_and_play() -> None:
    replay, document = spoiled()
    for seat in document["seats"]:
        whole = seat["start"] + seat["luck_chance"] + seat["play_chance"]
        assert whole == pytest.approx(seat["result"], abs=2e-4)
        assert seat["luck_points"] + seat["play_points"] == pytest.approx(seat["points"], abs=0.2)
        assert seat["points"] == replay["outcome"]["totals"][seat["seat"]]
    assert sum(seat["luck_chance"] for seat in document["seats"]) == pytest.approx(0, abs=1e-3)
    for deal in document["deals"]:
        assert sum(deal["chances"]) == pytest.approx(1, abs=1e-3)


def test_open_values_are_the_solvers() -> None:
    replay, document = spoiled()
    by_action = {one["action"]: one for one in decisions(document) if one["phase"] == "play"}
    state = engine.start(Ruleset.from_json(replay["ruleset"]), engine.parse_seed(replay["seed"])).state
    late = 0
    for index, action in enumerate(replay["actions"]):
        if index in by_action and len(state.current.played) >= 12:
            exact = solve(state)
            assert {one["action"]: one["open"] for one in by_action[index]["alternatives"]} == exact
            late += 1
        state = engine.step(state, action).state
    assert late > 3


def state_in(phase: Phase, seed: int = 4, plays: int = 0) -> MatchState:
    state = engine.start(DEFAULT, seed_from_int(seed)).state
    while state.phase is not phase or len(state.current.played) < plays or len(state.legal) < 2:
        state = engine.step(state, state.legal[0]).state
    return state


def rearranged(state: MatchState) -> MatchState:
    """The same as far as the seat on turn knows: unseen cards of the others and the widow changed round."""
    deal, seat = state.current, state.turn
    assert seat is not None
    other, another = [each for each in deal.active if each != seat]
    hands = list(deal.hands)
    one, two = hands[other], hands[another]
    known = deal.widow if deal.widow_seen >> seat & 1 else 0
    first, second = (mask & ~known for mask in (one, two))
    low, high = first & -first, 1 << second.bit_length() - 1
    hands[other], hands[another] = one ^ low | high, two ^ high | low
    changed = deal._replace(hands=tuple(hands), dealt=tuple(hands))
    if not known:
        from_widow = deal.widow & -deal.widow
        spare = hands[other] & -hands[other]
        hands[other] ^= spare | from_widow
        changed = changed._replace(hands=tuple(hands), widow=deal.widow ^ from_widow | spare)
    return replace(state, current=changed)


def evaluated(state: MatchState) -> Evaluation | None:
    return evaluate(state, Endings(state, Race.of(DEFAULT)), state.legal[0], seed=1)


@pytest.mark.parametrize("phase", [Phase.AUCTION, Phase.GIVE, Phase.CONTRACT, Phase.PLAY])
def test_nothing_that_the_seat_cannot_see_decides(phase: Phase) -> None:
    state = state_in(phase)
    other = rearranged(state)
    assert other.current.hands != state.current.hands
    assert engine.observation(other, state.turn or 0) == engine.observation(state, state.turn or 0)
    assert evaluated(other) == evaluated(state)


@pytest.mark.parametrize("counts", [True, False])
def test_after_a_concession_the_next_deal_is_dealt_by_whom_the_engine_says(counts: bool) -> None:
    ruleset = Ruleset.from_preset("tournament_default", {"concession_counts_as_deal": counts})
    first = state = engine.start(ruleset, seed_from_int(4)).state
    while "concede" not in state.legal:
        state = engine.step(state, state.legal[0]).state
    conceded = engine.step(state, "concede").state
    assert (conceded.current.dealer == first.current.dealer) is not counts
    race = Race.of(ruleset)
    ending = Endings(first, race).after(conceded, first.deal, 1)
    assert ending.chances == race.chances(conceded.standing, conceded.current.dealer)


def test_the_last_deal_that_is_left_to_play_decides_the_match() -> None:
    ruleset = Ruleset.from_preset("tournament_default", {"deal_limit": 0})
    state = engine.start(ruleset, seed_from_int(4), deal_cap=1).state
    ending = Endings(state, Race.of(ruleset)).play_on(state, 1)
    assert sorted(ending.chances)[-1] == 1.0


def test_a_cards_number_is_the_searchs() -> None:
    position = Position.of_state(state_in(Phase.PLAY))
    state = state_in(Phase.PLAY)
    assert {number_of(action) for action in state.legal} == set(position.legal())
    assert number_of("play QS declare") == number_of("play QS") + 24


@pytest.mark.parametrize(
    ("chance", "points", "kept", "mark"),
    [
        (0.05, 0, 0, Mark.BLUNDER), (0.0499, 0, 0, Mark.MISTAKE), (0.0249, 0, 0, Mark.INACCURACY),
        (0.0099, 0, 0, Mark.NONE), (0, 200, 0, Mark.BLUNDER), (0, 199, 0, Mark.MISTAKE),
        (0, 99, 0, Mark.INACCURACY), (0, 39, 0, Mark.NONE), (0, 0, 0.025, Mark.GOOD),
        (0, 0, 0.0249, Mark.NONE),
    ],
)  # fmt: skip
def test_marks_begin_at_their_thresholds(chance: float, points: float, kept: float, mark: Mark) -> None:
    assert mark_of(chance, points, kept) is mark


def test_a_difference_within_its_error_counts_for_nothing() -> None:
    found = evaluated(state_in(Phase.AUCTION))
    assert found is not None
    worst = found.alternatives[-1]
    unsure = worst._replace(error=worst.behind)
    assert given_up(Evaluation((found.best, unsure), 9), unsure.action, 0) == (0, 0)


def test_chances_add_up_and_grow_with_the_total() -> None:
    race = Race.of(DEFAULT)
    before = Standing.at_start(3)
    chances = [race.chances(before._replace(total=(total, 300, 300)), 2) for total in range(-300, 880, 60)]
    assert all(sum(each) == pytest.approx(1) for each in chances)
    own = [each[0] for each in chances]
    assert own == sorted(own)
    assert own[0] < 0.3 < 0.4 < own[-1]


def test_a_match_that_is_over_is_worth_one() -> None:
    assert shares((1000, 880, 20), 0) == (1, 0, 0)
    assert shares((400, 400, 20), None) == (0.5, 0.5, 0)


def test_every_preset_has_a_race_value_and_a_changed_one_uses_the_nearest() -> None:
    for preset in PLAYABLE_PRESETS:
        assert closest(Ruleset.from_preset(preset)) == preset
    assert closest(Ruleset.from_preset("club_four", {"deal_limit": 3})) == "club_four"


def test_what_the_arena_played_after_a_fault_is_not_judged() -> None:
    replay = faulty_match()
    document = analyse(replay, [3])
    fault = replay["seats"][1]["fault_index"]
    assert fault is not None
    judged = {one["seat"] for one in decisions(document)}
    assert 1 not in judged
    assert 0 in judged


@pytest.mark.parametrize("preset", ["club_four", "two_player_stock"])
def test_other_games_are_analysed(preset: str) -> None:
    assert decisions(analyse(preset_match(preset), [0]))


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_every_preset_is_analysed(preset: str) -> None:
    document = analyse(preset_match(preset))
    assert decisions(document)
    Draft202012Validator(analysis_schema()).validate(json.loads(json.dumps(document)))


def test_what_cannot_be_analysed_is_named() -> None:
    replay, _document = spoiled()
    with pytest.raises(AnalysisError, match="no replay document"):
        analyse({"format": "poem"})
    with pytest.raises(AnalysisError, match="rules version 9"):
        analyse({**replay, "rules_version": "9"})
    with pytest.raises(AnalysisError, match="3 play, but there are 0 seats"):
        analyse({**replay, "seats": []})
    with pytest.raises(AnalysisError, match="does not replay"):
        analyse({**replay, "actions": ["play 9S", *replay["actions"][1:]]})


def test_the_command_tells_a_match_and_a_deal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(preset_match("two_player_stock")))
    assert main(["explain", str(path), "--deal", "0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [deal["deal"] for deal in told["deals"]] == [0]
    assert main(["explain", str(path), "--deal", "0", "--seat", "0"]) == 0
    text = capsys.readouterr().out
    assert "seat 0 chose" in text
    assert "seat 1 chose" not in text
    assert "the cards alone" in text
    assert main(["explain", str(path), "--seat", "2"]) == 2
    assert main(["explain", str(path), "--deal", "4"]) == 2
    assert "deals 0 to 3" in capsys.readouterr().err


def test_a_match_is_told_by_its_moments_and_its_bids() -> None:
    document = spoiled()[1]
    by_action = {one["action"]: one for one in decisions(document)}
    worst = list(moment_lines(document, "worst", 9, [0, 1, 2]))
    for line, moment in zip(worst, document["moments"]["worst"], strict=False):
        told = decision_words(by_action[moment["action"]])
        assert line == f"  deal {moment['deal']}, step {moment['step']}: {told}"
    assert any("chose contract 220. Blunder: contract" in line for line in worst)
    assert all(
        f"seat {seat} chose" in line
        for seat in range(3)
        for line in moment_lines(document, "worst", 9, [seat])
    )
    bids = list(bidding_lines(document["deals"][1]))
    assert len(bids) == 3
    assert all("of the deals that fit its cards" in line.lower() for line in bids)
