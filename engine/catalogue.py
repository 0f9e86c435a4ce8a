"""Presets, rulesets and agreements as plain data: what command line, API and pages show of them."""

from collections.abc import Mapping
from typing import Any, Final

from engine.agreements import AGREEMENTS, GROUPS, Agreement, Value
from engine.agreements.mariage import MARIAGE
from engine.errors import RulesetError
from engine.explain import Translate, explain
from engine.presets import ANOTHER_GAME, PRESETS
from engine.ruleset import Ruleset

BASE: Final = "tournament_default"
"""The preset that all others are compared with: that of rated matches."""


def describe_preset(name: str) -> dict[str, Any]:
    """Return preset, title, system, players, playable, reason (None if playable) and digest."""
    ruleset = Ruleset.from_preset(name, score_only=True)
    reason = why_not_played(name)
    return {
        "preset": name,
        "title": PRESETS[name].title,
        "system": PRESETS[name].system,
        "players": players_of(ruleset),
        "playable": reason is None,
        "reason": reason,
        "digest": ruleset.digest,
    }


def describe_ruleset(ruleset: Ruleset, _: Translate = str) -> dict[str, Any]:
    """Return a ruleset as its canonical JSON with digest, players, differences and explanation.

    `differences` maps ids to `{"value", "base"}`, base being `tournament_default`.
    """
    reason = why_not_played(ruleset.preset, ruleset.values)
    plain = ruleset.to_json()
    return {
        **plain,
        "digest": ruleset.digest,
        "players": players_of(ruleset),
        "playable": reason is None,
        "reason": reason,
        "differences": {
            name: {"value": plain["agreements"][name], "base": plain_value(PRESETS[BASE].values[name])}
            for name in ruleset.changes(BASE)
        },
        "explanation": [
            {"title": chapter.title, "sentences": list(chapter.sentences)} for chapter in explain(ruleset, _)
        ],
    }


def groups_of(ruleset: Ruleset) -> dict[str, tuple[Agreement, ...]]:
    """Return the agreements that mean something in a ruleset, by group: of Thousand, or of the other game."""
    other = ruleset.preset == ANOTHER_GAME
    return {title: rows for title, rows in GROUPS.items() if (rows is MARIAGE) is other}


def players_of(ruleset: Ruleset) -> int:
    """Return how many sit at the table."""
    return int(ruleset.mar_players if ruleset.preset == ANOTHER_GAME else ruleset.players)


def why_not_played(preset: str, agreements: Mapping[str, object] | None = None) -> str | None:
    """Say why the engine does not play a (valid) ruleset; None if it does."""
    try:
        Ruleset.from_preset(preset, agreements)
    except RulesetError as error:
        # What is played instead is a list of all presets, which whoever asks this has at hand.
        return str(error).partition("; played:")[0]
    return None


def describe_agreement(row: Agreement, group: str) -> dict[str, Any]:
    """Return everything that is declared of an agreement, as plain data."""
    return {
        "id": row.id,
        "group": group,
        "type": type_name(row),
        "allowed": row.type.expected(),
        "schema": row.type.schema(),
        "default": plain_value(row.default),
        "played": None if row.played is None else [plain_value(value) for value in row.played],
        "is_rule": row.is_rule,
        "meaning": row.effect,
        "interactions": row.interactions,
        "sources": row.sources,
    }


def type_name(row: Agreement) -> str:
    """Name the kind of values: flag, number, choice, fixed or suit_values."""
    return {
        "Flag": "flag",
        "Number": "number",
        "OneOf": "choice",
        "Always": "fixed",
        "SuitValues": "suit_values",
    }[type(row.type).__name__]


def group_of(agreement: str) -> str:
    """Return the title of an agreement's group."""
    return next(title for title, rows in GROUPS.items() if AGREEMENTS[agreement] in rows)


def plain_value(value: Value) -> Any:
    """Return a value as JSON has it."""
    return dict(value) if isinstance(value, Mapping) else value


def value_text(value: Value) -> str:
    """Write a value as it is typed after `--set id=`, words without quotes."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | str):
        return str(value)
    return "{" + ", ".join(f'"{key}": {points}' for key, points in value.items()) + "}"
