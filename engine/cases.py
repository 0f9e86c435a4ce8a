"""Cases for people who play with real cards, and for other programs: score a deal, list what is legal.

The vocabulary is that of the rule book's worked examples. A case is plain JSON; a ruleset of any preset is
taken, played by the engine or only scored. CaseError names the field that is wrong.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from engine.auction import hand_cap, legal_bids, legal_contracts
from engine.cards import CARD_TEXTS, SUITS, Card, Mask, cheapest_first, mask_of, parse_card
from engine.catalogue import why_not_played
from engine.deal_rules import NO_AUCTION
from engine.errors import CaseError, RulesetError, did_you_mean, near_words, shown
from engine.leads import legal_leads
from engine.moves import follows
from engine.plausible import (
    TRICKS,
    check_before,
    check_deal,
    check_hand,
    check_number,
    check_position,
)
from engine.presets import ANOTHER_GAME
from engine.ruleset import CUSTOM, Ruleset
from engine.scoring import score_deal
from engine.standing import DealResult, DealScore, Standing
from engine.tricks import NO_TRUMP

COUNTERS = ("total", "barrel", "attempts", "falls", "bolts", "run", "conc")
"""Counters by seat of `before` and of the answer."""

SCORE_KEYS = ("preset", "overrides", "before", "deal")
POSITION_KEYS = ("preset", "overrides", "phase", "hand", "trick", "trump", "own_trump", "won", "bid", "kind")
BEFORE_KEYS = (*COUNTERS, "golden_index", "golden_made", "deals")
DEAL_KEYS = (
    "declarer", "contract", "cards", "marr", "tricks", "forehand", "kind", "outcome", "nines", "dealer_out",
    "widow",
)  # fmt: skip
MOST_COUNTED = 10_000
"""No counter of a match is higher."""


def score_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """Score `{"preset", "overrides", "before", "deal"}`; the answer has every counter, events and ledger."""
    _check_keys(case, SCORE_KEYS)
    ruleset = case_ruleset(case)
    result = _result(ruleset, _object(case, "deal", DEAL_KEYS))
    before = _standing(ruleset, _object(case, "before", BEFORE_KEYS), result.kind)
    check_before(ruleset, before)
    check_deal(ruleset, result)
    score = score_deal(ruleset, before, result)
    return {**_answer(score), "over": _over(ruleset, score)}


def case_ruleset(case: Mapping[str, Any]) -> Ruleset:
    """Read `preset` and `overrides`; `-` stands for the engine defaults."""
    preset = case.get("preset")
    if preset is None:
        raise CaseError("preset", preset, "the name of a preset, like tournament_default")
    overrides = case.get("overrides")
    overrides = {} if overrides is None else overrides
    if not isinstance(overrides, Mapping):
        raise CaseError("overrides", overrides, "an object of agreement ids and values")
    try:
        ruleset = Ruleset.from_preset(CUSTOM if preset == "-" else preset, overrides, score_only=True)
    except RulesetError as error:
        field = "preset" if error.field == "preset" else f"overrides.{error.field}"
        raise CaseError(field, error.value, error.expected, str(error)) from error
    if ruleset.preset == ANOTHER_GAME:
        raise CaseError("preset", preset, "a preset of Thousand", why_not_played(ANOTHER_GAME))
    return ruleset


def _answer(score: DealScore) -> dict[str, Any]:
    counters = {name: list(getattr(score.after, name)) for name in COUNTERS}
    return {
        **counters,
        "events": list(score.events),
        "winner": score.winner,
        "result": score.result,
        "golden_index": score.after.golden_index,
        "golden_made": score.after.golden_made,
        "ledger": [entry._asdict() for entry in score.ledger],
    }


def _over(ruleset: Ruleset, score: DealScore) -> str | None:
    if score.winner is not None:
        return "target"
    if ruleset.deal_limit and score.after.deals >= ruleset.deal_limit:
        return "deal_limit"
    return None


def _check_keys(case: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse a mistyped key; keys that look like none of ours are the caller's own."""
    for key, value in case.items():
        if key not in known and (near := near_words(key, known)):
            text = f"{shown(key)} is no key of a case;{did_you_mean(near)}"
            raise CaseError(str(key), value, f"one of {', '.join(known)}", text)


def _object(case: Mapping[str, Any], name: str, known: Sequence[str]) -> Mapping[str, Any]:
    value = case.get(name)
    if not isinstance(value, Mapping):
        raise CaseError(name, value, "an object")
    for key in value:
        if key not in known:
            expected = f"only {', '.join(known)}"
            hint = did_you_mean(near_words(key, known))
            text = f"{name} has no {shown(key)};{hint} expected {expected}"
            raise CaseError(f"{name}.{key}", value[key], expected, text)
    return value


def _standing(ruleset: Ruleset, before: Mapping[str, Any], kind: str) -> Standing:
    players = int(ruleset.players)
    zero = Standing.at_start(players)
    values: dict[str, Any] = {}
    for name in COUNTERS:
        if name in before:
            values[name] = _counted(before, name, players)
    # A golden deal of which nothing else is said is the first of its cycle.
    played = 0 if kind == "golden" else players
    values["golden_index"] = _whole(before, "before", "golden_index", 0, players, played)
    values["golden_made"] = _flag(before, "before.golden_made")
    values["deals"] = _whole(before, "before", "deals", 0, MOST_COUNTED, 0)
    return zero._replace(**values)


def _counted(before: Mapping[str, Any], name: str, players: int) -> tuple[Any, ...]:
    if name == "barrel":
        return _by_seat(before, "before", name, players, (bool,), "flags (true or false)")
    if name == "total":
        # Halves are held against the ruleset later.
        return _by_seat(before, "before", name, players, (int, float), "numbers")
    most = 2 if name == "attempts" else MOST_COUNTED
    return _by_seat(before, "before", name, players, (int,), f"whole numbers from 0 to {most}", most)


def _flag(data: Mapping[str, Any], field: str) -> bool:
    value = data.get(field.rpartition(".")[2], False)
    if type(value) is not bool:
        raise CaseError(field, value, "true or false")
    return value


def _result(ruleset: Ruleset, deal: Mapping[str, Any]) -> DealResult:
    players = int(ruleset.players)
    zeros = [0] * players
    outcome = _word(deal, "outcome", ("played", "conceded", "thrown"))
    declarer = deal.get("declarer")
    if declarer is not None or ruleset.two_player_mode != "stock_draw":
        declarer = _whole(deal, "deal", "declarer", 0, players - 1)
    unplayed = {} if outcome == "played" else {"cards": zeros, "marr": zeros, "tricks": zeros}
    whole = {**unplayed, **deal}
    return DealResult(
        declarer=declarer,
        contract=_whole(whole, "deal", "contract", 0, MOST_COUNTED, 0 if declarer is None else None),
        cards=_taken(whole, "cards", players),
        marriages=_taken(whole, "marr", players),
        tricks=_taken(whole, "tricks", players),
        forehand=_whole(whole, "deal", "forehand", 0, players - 1, 0),
        kind=_word(deal, "kind", ("normal", "golden", "blind")),
        outcome=outcome,
        nines=_whole(deal, "deal", "nines", 0, players - 1) if deal.get("nines") is not None else None,
        dealer_out=_whole(deal, "deal", "dealer_out", 0, 3) if deal.get("dealer_out") is not None else None,
        widow=tuple(_cards(deal.get("widow") or [], "deal.widow")),
    )


def _taken(deal: Mapping[str, Any], name: str, players: int) -> tuple[int, ...]:
    what = f"whole numbers from 0 to {MOST_COUNTED}"
    return _by_seat(deal, "deal", name, players, (int,), what, MOST_COUNTED)


def _whole(
    data: Mapping[str, Any], where: str, name: str, least: int, most: int, missing: int | None = None
) -> int:
    value = data.get(name, missing)
    if type(value) is not int or not least <= value <= most:
        raise CaseError(f"{where}.{name}".lstrip("."), value, f"a whole number from {least} to {most}")
    return value


def _word(deal: Mapping[str, Any], name: str, words: tuple[str, ...]) -> str:
    value = deal.get(name, words[0])
    if value not in words:
        raise CaseError(f"deal.{name}", value, f"one of {', '.join(words)}")
    return str(value)


def _by_seat(
    data: Mapping[str, Any],
    where: str,
    name: str,
    players: int,
    kinds: tuple[type, ...],
    what: str,
    most: int | None = None,
) -> tuple[Any, ...]:
    """Read a list with one value for each seat; with `most` they are numbers from 0 to it."""
    values = data.get(name)
    expected = f"a list of {players} {what}, one for each seat"
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != players:
        raise CaseError(f"{where}.{name}", values, expected)
    for value in values:
        wrong = type(value) not in kinds or (type(value) is float and not isfinite(value))
        if wrong or (most is not None and not 0 <= value <= most):
            raise CaseError(f"{where}.{name}", values, expected)
    return tuple(values)


def _cards(texts: object, field: str) -> list[Card]:
    expected = 'a list of cards like ["QS", "9H"]: a rank of 9JQKTA and a suit of SCDH, every card once'
    if not isinstance(texts, Sequence) or isinstance(texts, str):
        raise CaseError(field, texts, expected)
    try:
        cards = [parse_card(text) for text in texts]
    except ValueError:
        raise CaseError(field, texts, expected) from None
    if len(set(cards)) < len(cards):
        raise CaseError(field, texts, expected)
    return cards


def legal_case(position: Mapping[str, Any]) -> dict[str, Any]:
    """List what is legal in `{"preset", "overrides", "phase", "hand", …}`, and the cap of the hand.

    In play `legal` holds cards (`KD declare` where an announcement is a choice), in auction and contract the
    numbers that may be named. `bid` is null while nobody has bid; `kind` may be `golden` or `blind`.
    """
    _check_keys(position, POSITION_KEYS)
    ruleset = case_ruleset(position)
    hand = mask_of(_cards(position.get("hand"), "hand"))
    check_hand(hand)
    phase = position.get("phase")
    legal: list[Any]
    if phase == "play":
        legal = _plays(ruleset, hand, position)
    elif phase in ("auction", "contract"):
        legal = _numbers(ruleset, hand, str(phase), position)
    else:
        raise CaseError("phase", phase, "auction, contract or play")
    return {"legal": legal, "cap": hand_cap(hand, ruleset)}


def _numbers(ruleset: Ruleset, hand: Mask, phase: str, position: Mapping[str, Any]) -> list[int]:
    kind = position.get("kind", "normal")
    if kind not in ("normal", "golden", "blind"):
        raise CaseError("kind", kind, "normal, golden or blind")
    bid = 0 if position.get("bid") is None else _whole(position, "", "bid", 1, MOST_COUNTED)
    if bid:
        check_number(ruleset, "bid", bid)
    if phase == "contract":
        return legal_contracts(hand, bid, ruleset, kind)
    if kind == "golden" or ruleset.all_pass_rule == NO_AUCTION:
        return []
    return list(legal_bids(hand, bid, ruleset, kind))


def _plays(ruleset: Ruleset, hand: Mask, position: Mapping[str, Any]) -> list[str]:
    trick = tuple(_cards(position.get("trick") or [], "trick"))
    suit = position.get("trump")
    if suit is not None and (not isinstance(suit, str) or suit not in tuple(SUITS)):
        raise CaseError("trump", suit, "S, C, D, H or null")
    trump = NO_TRUMP if suit is None else SUITS.index(suit)
    own_trump = _flag(position, "own_trump")
    won = _whole(position, "", "won", 0, TRICKS[ruleset.two_player_mode], 0)
    check_position(ruleset.players, hand, trick, trump, own_trump=own_trump)
    if trick:
        return [CARD_TEXTS[card] for card in cheapest_first(follows(ruleset, hand, trick, trump))]
    may_announce = bool(ruleset.marriage_first_lead) or won > 0
    leads = legal_leads(hand, trump, own_trump, may_announce, ruleset.play)
    optional = ruleset.marriage_announce == "optional"
    return [CARD_TEXTS[card] + " declare" * (optional and what is not None) for card, what in leads]
