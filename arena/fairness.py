"""Was a match dealt from the seed that was promised, and played as its replay says? Checked by playing again.

A block's commitment, SHA-256 of its seed, is public before its first card; the seed after its last one. So
whoever noted the commitment can deal every deck again and compare: the seed, each card, each event, the
results, and that the block tells of its matches what their replays tell.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from arena.replay import ReplayDocument, ReplayError, build_replay
from arena.verification import verify_replay
from engine import Ruleset, RulesetError, seed_commitment


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing that was compared."""

    name: str
    """`seed`, `cards`, `events`, `outcome`, or what else is wrong."""
    holds: bool | None
    """None where there was nothing to compare with."""
    text: str


def is_block(document: Mapping[str, Any]) -> bool:
    """Whether a document is a block of the API (`GET /api/v1/blocks/ID/`) rather than a replay."""
    return "commitment" in document and "matches" in document


def check_block(block: Mapping[str, Any]) -> list[Comparison]:
    """Compare a block's seed with its commitment; an open block has not told its seed yet."""
    told = str(block["commitment"]).lower()
    if not block.get("seed"):
        text = f"not revealed yet: block {block.get('id')} is {block.get('state')}; committed to {told}"
        return [Comparison("seed", None, text)]
    return [check_commitment(str(block["seed"]), told)]


def check_commitment(seed: str, commitment: str | None) -> Comparison:
    """Compare SHA-256 of a seed (64 hex digits) with what was published before, if that is known."""
    if not re.fullmatch("[0-9a-f]{64}", seed):
        return Comparison("seed", False, f"{seed[:80]!a} is no seed; expected 64 hex digits")
    hashed = seed_commitment(bytes.fromhex(seed))
    if commitment is None:
        return Comparison("seed", None, f"no commitment was given to compare with; it has to be {hashed}")
    if hashed != commitment.lower():
        return Comparison("seed", False, f"SHA-256 of the seed is {hashed}, committed to was {commitment}")
    return Comparison("seed", True, f"SHA-256 of the seed is the commitment {hashed}")


def check_replay(document: Mapping[str, Any], commitment: str | None = None) -> list[Comparison]:
    """Play a replay again and compare it, part by part; with the commitment, its seed as well."""
    found = verify_replay(document)
    wrong = [Comparison(_part(problem), False, problem) for problem in found.problems]
    notes = [Comparison("note", None, note) for note in found.notes]
    try:
        replay = msgspec.convert(document, ReplayDocument)
    except msgspec.ValidationError:
        return wrong
    seed = check_commitment(replay.seed, commitment)
    if not found.played_again:
        return [seed, *wrong, *notes]
    try:
        dealt = _cards(_again(replay)["deals"])
    except (RulesetError, ReplayError, ValueError):
        return [seed, *wrong, *notes]
    told = _cards(msgspec.to_builtins(replay.deals))
    cards = Comparison("cards", told == dealt, f"{len(dealt)} packs dealt again from the seed")
    if wrong:
        return [seed, cards, *wrong, *notes]
    events, outcome = sum(len(deal.events) for deal in replay.deals), replay.outcome
    played = f"{len(replay.actions)} actions give the same {events} events of {len(replay.deals)} deals"
    result = f"{outcome.termination}, totals {outcome.totals}, places {outcome.places}"
    return [seed, cards, Comparison("events", True, played), Comparison("outcome", True, result), *notes]


def check_block_replay(block: Mapping[str, Any], document: Mapping[str, Any]) -> list[Comparison]:
    """Compare a replay with the match that its block tells of: seed and rules, seats and result."""
    if document.get("seed") != block.get("seed"):
        return [Comparison("block", False, f"the replay's seed is {document.get('seed')}, not the block's")]
    versions = [seat.get("version") for seat in document.get("seats", ())]
    match = next((one for one in block["matches"] if _versions(one) == versions), None)
    if match is None:
        return [Comparison("block", False, f"no match of the block seats {', '.join(map(str, versions))}")]
    outcome = document.get("outcome", {})
    told = {
        "rules version": (block.get("rules_version"), document.get("rules_version")),
        "ruleset": (block.get("ruleset_digest"), document.get("ruleset_digest")),
        "termination": (match.get("termination"), outcome.get("termination")),
        "places": ([seat["place"] for seat in match["seats"]], outcome.get("places")),
        "totals": ([seat["total"] for seat in match["seats"]], outcome.get("totals")),
        "verdicts": (
            [seat["verdict"] for seat in match["seats"]],
            [seat.get("verdict") for seat in document.get("seats", ())],
        ),
    }
    wrong = [
        Comparison("block", False, f"{name}: the block says {block_says}, the replay {replay_says}")
        for name, (block_says, replay_says) in told.items()
        if block_says != replay_says
    ]
    compared = f"match {match['id']} of block {block['id']}: {', '.join(told)} are the same"
    return wrong or [Comparison("block", True, compared)]


def missing_matches(block: Mapping[str, Any], replays: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the replay ids of a block's matches that none of the replays is of."""
    given = [[seat.get("version") for seat in replay.get("seats", ())] for replay in replays]
    return [str(match["replay_id"]) for match in block["matches"] if _versions(match) not in given]


def _again(replay: ReplayDocument) -> dict[str, Any]:
    return build_replay(
        seed=bytes.fromhex(replay.seed),
        ruleset=Ruleset.from_json(replay.ruleset),
        actions=replay.actions,
        seats=[msgspec.to_builtins(seat) for seat in replay.seats],
        cpu_us=replay.cpu_us,
        wall_us=replay.wall_us,
        sandbox=replay.sandbox,
    )


def _cards(deals: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return what was dealt: hands, widow and the rest of every deck, redeals and cuts included."""
    return [event for deal in deals for event in deal["events"] if event.get("event") in ("cut", "deal")]


def _part(problem: str) -> str:
    """Name what a problem of `verify_replay` is about."""
    return "outcome" if problem.startswith("outcome") else "events" if " event" in problem else "replay"


def _versions(match: Mapping[str, Any]) -> list[Any]:
    return [seat["version"]["id"] for seat in match["seats"]]
