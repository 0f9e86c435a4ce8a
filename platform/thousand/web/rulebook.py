"""A ruleset as its page shows it: the engine's words, every agreement with its value, and what proves it."""

import ast
import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from engine import AGREEMENTS, PRESETS, Agreement, Ruleset
from engine.catalogue import BASE, describe_preset, groups_of, value_text, why_not_played
from engine.errors import near_words
from engine.explain import Chapter, explain
from engine.presets import ANOTHER_GAME

SUIT_SIGNS = (("S", "\u2660"), ("C", "\u2663"), ("D", "\u2666"), ("H", "\u2665"))
"""Wire letter and sign of each suit, in the order of `Ruleset.marriage_points`."""

TESTS = Path(__file__).with_name("agreement_tests.json")
"""Written by tools/make_agreement_tests.py."""


@dataclass(frozen=True)
class AgreementRow:
    """One agreement of a ruleset."""

    id: str
    value: str
    base: str
    """Value in tournament_default."""
    differs: bool
    effect: str
    is_rule: bool
    tests: int
    """How many tests prove it."""


@dataclass(frozen=True)
class AgreementGroup:
    """A chapter of the agreements."""

    title: str
    rows: tuple[AgreementRow, ...]

    @property
    def differing(self) -> int:
        """How many rows differ from tournament_default."""
        return sum(row.differs for row in self.rows)


@dataclass(frozen=True)
class Proof:
    """A test that sets or names an agreement."""

    node: str
    """As pytest takes it: path::name."""
    title: str
    """Its name as a sentence."""
    source: str
    """Its text, where the tests are installed beside the site; else empty."""


def ruleset_context(ruleset: Ruleset) -> dict[str, Any]:
    """Return what `web/parts/ruleset.html` shows."""
    groups = agreement_groups(ruleset)
    return {
        "ruleset": ruleset,
        "another_game": ANOTHER_GAME,
        "base": BASE,
        "chapters": chapters(ruleset),
        "groups": groups,
        "differing": [row for group in groups for row in group.rows if row.differs],
        "reason": why_not_played(ruleset.preset, ruleset.values),
        "marriages": [
            (letter, sign, points)
            for (letter, sign), points in zip(SUIT_SIGNS, ruleset.marriage_points, strict=True)
        ],
        "canonical": json.dumps(ruleset.to_json()["agreements"], sort_keys=True, separators=(",", ":")),
    }


def chapters(ruleset: Ruleset) -> tuple[Chapter, ...]:
    """Return the ruleset in the reader's words."""
    return explain(ruleset, _)


def agreement_groups(ruleset: Ruleset) -> list[AgreementGroup]:
    """Return the agreements of a ruleset's game in their groups, compared with tournament_default."""
    changed = ruleset.changes(BASE)
    base = PRESETS[BASE].values
    return [
        AgreementGroup(
            _(title),
            tuple(
                AgreementRow(
                    id=row.id,
                    value=value_text(ruleset[row.id]),
                    base=value_text(base[row.id]),
                    differs=row.id in changed,
                    effect=_(row.effect),
                    is_rule=row.is_rule,
                    tests=len(agreement_tests().get(row.id, ())),
                )
                for row in rows
            ),
        )
        for title, rows in groups_of(ruleset).items()
    ]


@cache
def presets() -> list[dict[str, Any]]:
    """Return every preset as the list of presets shows it."""
    return [describe_preset(name) for name in PRESETS]


def missing_preset(name: str, presets: Collection[str]) -> str:
    """Say that `presets`, those that can be chosen, have none of that name, and which one may be meant."""
    if name in PRESETS:
        return _("%(reason)s. Choose another preset.") % {"reason": why_not_played(name)}
    near = near_words(name, presets)
    return (
        _("There is no preset “%(preset)s”. Did you mean %(near)s?")
        if near
        else _("There is no preset “%(preset)s”. Presets are: %(presets)s.")
    ) % {"preset": name[:60], "near": _(" or ").join(near), "presets": ", ".join(presets)}


def missing_agreement(name: str) -> str:
    """Say that there is no such agreement, and which one may be meant."""
    near = near_words(name, AGREEMENTS)
    return (
        _("There is no agreement “%(agreement)s”. Did you mean %(near)s?")
        if near
        else _("There is no agreement “%(agreement)s”. The rules page lists all of them.")
    ) % {"agreement": name[:60], "near": _(" or ").join(near)}


@cache
def agreement_tests() -> dict[str, list[str]]:
    """Return the tests that prove each agreement, as pytest node ids."""
    tests: dict[str, list[str]] = json.loads(TESTS.read_text(encoding="utf-8"))
    return tests


def proofs(agreement: str) -> list[Proof]:
    """Return the tests of an agreement with their text."""
    return [
        Proof(
            node=node,
            title=_title(node.partition("::")[2]),
            source=_source(*node.split("::")),
        )
        for node in agreement_tests().get(agreement, ())
    ]


def values_by_preset(row: Agreement) -> list[tuple[str, list[str]]]:
    """Return each value that some preset has, with the names of these presets, the commonest first."""
    found: dict[str, list[str]] = {}
    for name, preset in PRESETS.items():
        found.setdefault(value_text(preset.values[row.id]), []).append(name)
    return sorted(found.items(), key=lambda pair: -len(pair[1]))


def related(row: Agreement) -> list[str]:
    """Return the agreements that the rule book names as working with or against this one."""
    words = row.interactions.replace(",", " ").split()
    return [word for word in words if word in AGREEMENTS and word != row.id]


def _title(name: str) -> str:
    test, _bracket, case = name.partition("[")
    return case.removesuffix("]") or test.removeprefix("test_").replace("_", " ")


def _source(path: str, name: str) -> str:
    file = Path(settings.REPOSITORY, path)
    if not file.is_file():
        return ""
    if "[" in name:
        examples = _examples(file.with_name("examples") / "scores.json")
        return examples.get(_title(name).partition(" ")[0], "")
    return _functions(file).get(name, "")


@cache
def _functions(file: Path) -> dict[str, str]:
    """Return the text of every function of a file of tests, which no running site changes, by name."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    return {
        node.name: "\n".join(
            lines[min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1 : node.end_lineno]
        )
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }


@cache
def _examples(file: Path) -> dict[str, str]:
    """Return worked examples by number, as `thousand score` reads them, with what is expected."""
    return {
        str(case["n"]): "{\n"
        + ",\n".join(f'  "{key}": {json.dumps(part)}' for key, part in case.items())
        + "\n}"
        for case in json.loads(file.read_text(encoding="utf-8"))
    }
