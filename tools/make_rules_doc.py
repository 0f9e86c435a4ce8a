"""Write the generated parts of docs/rules.md from the engine: `python tools/make_rules_doc.py`."""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

import engine  # noqa: E402 - found through the path set above when run as a script
from engine.dealing import shuffled_deck  # noqa: E402 - the same
from engine.explain import explain  # noqa: E402 - the same

PAGE = ROOT / "docs" / "rules.md"
TESTS = ROOT / "platform" / "thousand" / "web" / "agreement_tests.json"


def with_generated_parts(page: str) -> str:
    """Put what the engine says between the page's markers."""
    parts = {"presets": _presets(), "words": _words(), "deck": _deck(), "agreements": _agreements()}
    for name, part in parts.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        page = pattern.sub(lambda found, part=part: f"{found[1]}\n{part}\n{found[2]}", page)  # type: ignore[misc]
    return page


def _presets() -> str:
    rows = ["| preset | what it is | differs from `tournament_default` in |", "|---|---|---|"]
    for name in engine.PLAYABLE_PRESETS:
        changes = engine.Ruleset.from_preset(name).changes()
        text = ", ".join(f"`{agreement}={_text(value)}`" for agreement, value in changes.items())
        rows.append(f"| `{name}` | {engine.PRESETS[name].title} | {text or '—'} |")
    return "\n".join(rows) + "\n"


def _words() -> str:
    chapters = explain(engine.Ruleset.from_preset("tournament_default"))
    return "\n".join(f"- **{chapter.title}.** {' '.join(chapter.sentences)}" for chapter in chapters) + "\n"


def _deck() -> str:
    cards = " ".join(engine.card_text(card) for card in shuffled_deck(engine.seed_from_int(7), 0, 0))
    return f"    {cards}\n"


def _agreements() -> str:
    parts = []
    tests = json.loads(TESTS.read_text(encoding="utf-8"))
    for title, rows in engine.GROUPS.items():
        parts += [
            f"### {title}\n",
            "| agreement | values | default | played | effect | proven by |",
            "|---|---|---|---|---|---|",
        ]
        for row in rows:
            cells = [f"`{row.id}`", row.type.expected(), f"`{_text(row.default)}`", _played(row), row.effect]
            cells.append(_proof(tests.get(row.id, [])))
            parts.append("| " + " | ".join(cells) + " |")
        parts.append("")
    return "\n".join(parts)


def _played(row: engine.Agreement) -> str:
    if row.id.startswith("mar_"):
        return "another game"
    if not row.is_rule:
        return "no rule" if row.played is None else "no rule; refused"
    if row.played is None:
        return "all"
    return ", ".join(f"`{_text(value)}`" for value in row.played)


def _proof(tests: list[str]) -> str:
    if not tests:
        return "–"
    path, _, name = tests[0].partition("::")
    title = name.partition("[")[2].removesuffix("]") or name.removeprefix("test_").replace("_", " ")
    return f"[{title}](../{path})"


def _text(value: object) -> str:
    """Write a value as JSON does, words without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


if __name__ == "__main__":
    PAGE.write_text(with_generated_parts(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
