"""Write which tests prove which agreement: `python tools/make_agreement_tests.py`.

A test of tests/engine proves the agreements that it sets or names: as a keyword (`rules(bolts_per_match=5)`),
a key (`{"bolts_per_match": 5}`) or a string, in its body, its decorators or a constant that these mention.
A worked example proves what examples/agreements.json says, and what its case changes of the preset. A test
that names fewer agreements is the better proof. The site's rules pages read the result.
"""

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from engine import AGREEMENTS  # noqa: E402 - found through the path set above when run as a script

EXAMPLES = ROOT / "tests" / "engine" / "examples"
EXAMPLE_TEST = "tests/engine/test_scoring.py::test_worked_example"
RESULT = ROOT / "platform" / "thousand" / "web" / "agreement_tests.json"
MOST = 5
"""Tests that are listed for an agreement."""
BROAD = 12
"""A test that names more agreements than this proves none of them in particular."""


def agreement_tests() -> dict[str, list[str]]:
    """Return node ids by agreement, the most particular test first."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for path in sorted((ROOT / "tests" / "engine").glob("test_*.py")):
        for name, agreements in _tests(ast.parse(path.read_text(encoding="utf-8"))):
            if len(agreements) <= BROAD:
                node = f"{path.relative_to(ROOT).as_posix()}::{name}"
                for agreement in agreements:
                    found[agreement].append((len(agreements), node))
    for case, agreements in _examples():
        for agreement in agreements:
            found[agreement].append((1, f"{EXAMPLE_TEST}[{case['n']} {case['title']}]"))
    return {name: [node for _, node in sorted(found[name])[:MOST]] for name in AGREEMENTS if name in found}


def _examples() -> Iterator[tuple[dict[str, Any], set[str]]]:
    named = json.loads((EXAMPLES / "agreements.json").read_text(encoding="utf-8"))
    for case in json.loads((EXAMPLES / "scores.json").read_text(encoding="utf-8")):
        yield case, {*named[str(case["n"])], *case["overrides"]}


def _tests(module: ast.Module) -> Iterator[tuple[str, set[str]]]:
    constants = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            mentioned = {
                part.id for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in constants
            }
            yield node.name, set().union(_named(node), *(_named(constants[name]) for name in mentioned))


def _named(tree: ast.AST) -> set[str]:
    """Agreements set or named below a node; one-word ids only where they are set to a plain value."""
    named: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg and _plain(node.value, node.arg):
            named.add(node.arg)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and _plain(value, key.value):
                    named.add(key.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named |= {word for word in re.findall(r"[a-z_]+", node.value) if "_" in word}
    return named & set(AGREEMENTS)


def _plain(value: ast.expr, name: str) -> bool:
    return "_" in name or isinstance(value, ast.Constant)


if __name__ == "__main__":
    RESULT.write_text(json.dumps(agreement_tests(), indent=1) + "\n", encoding="utf-8")
