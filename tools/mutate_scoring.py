"""Break the scoring rules one at a time and see whether a test notices: `python tools/mutate_scoring.py`.

Every mutant is one small change of one module of the engine (a comparison, a number, a sign, a branch, a
statement), made in memory in a child process: no file is touched. A mutant is killed by the first of

1. the second opinion's default sample of random deals and positions (tests/engine/test_second_opinion.py),
2. any other default test of tests/engine, run with `pytest -x`.

What survives both is printed at the end, and the exit code is 1 if anything survived that is not listed in
`EQUIVALENT`. One line a mutant goes to standard output as it is decided.
"""

import argparse
import ast
import contextlib
import copy
import importlib.util
import json
import multiprocessing
import os
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
# A compiled module would call its compiled neighbours, and never the broken one.
os.environ["THOUSAND_COMPILE"] = "0"

from tests.engine.second_opinion import compare  # noqa: E402 - found through the path set above
from tests.engine.second_opinion.legal import answer  # noqa: E402 - the same
from tests.engine.second_opinion.scoring import score  # noqa: E402 - the same
from tests.engine.second_opinion.values import values_of  # noqa: E402 - the same

MODULES = ["scoring", "barrel", "bolts", "ledger", "marriages", "outcome", "finish"]
SAMPLE = 3_000
"""As many cases, and of the same seed, as the default tests of the second opinion."""
SEED = 1
CPU_SECONDS = 45
"""A mutant that needs more runs for ever, and that is noticed too."""

PLAYED = {"finish"}
"""Modules that a score case and a position do not pass through: only other tests can tell."""

EQUIVALENT: dict[str, str] = {
    "scoring:_concession_fines: if seat is None: … -> if False: …": "only a declarer concedes",
    "barrel:sit_down: sheet.attempts[seat] = 0 -> pass": "whoever does not sit has used no attempt",
    "barrel:_score_sitter: amount < 0 -> amount <= 0": "a contract lost or conceded is never worth nothing",
    "barrel:_win: sheet.deal.contract if sheet.deal.declarer is not None else 0 -> sheet.deal.contract": (
        "without a declarer there is no contract"
    ),
    "barrel:_win: sheet.forehand_order.index(seat) < sheet.forehand_order.index(sheet.winner)"
    " -> sheet.forehand_order.index(seat) <= sheet.forehand_order.index(sheet.winner)": (
        "two seats have two places"
    ),
    "barrel:_score_sitter: 0 -> 1": "amounts of a contract lost or conceded are below 0 or above 1",
    "barrel:_score_sitter: amount < 0 -> amount <= 0 (no. 2)": "nothing is written for an amount of nothing",
    "barrel:_score_sitter: 0 -> 1 (no. 2)": "amounts of a contract lost or conceded are below 0 or above 1",
    "finish:_result: 0 -> 1": "the score reads no marriages of a deal that was not played",
    "finish:_won_cards: 0 -> 1": "the lowest bit is a nine, which is half of no marriage",
    "finish:_won_cards: 1 -> 2": "only the first card of the following trick is read",
    "outcome:settle: amount < 0 -> amount <= 0": "sharing nothing leaves no rest",
    "outcome:settle: 0 -> 1 (no. 2)": "whole amounts below 1 are those up to 0, and nothing leaves no rest",
    "outcome:settle: amount < 0 -> amount <= 0 (no. 2)": "minus nothing is nothing",
    "outcome:settle: 0 -> 1 (no. 4)": "whole amounts below 1 are those up to 0, and minus nothing is nothing",
}
"""Changes that change no behaviour, by `module:function: change`, each with the reason."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    module: str
    function: str
    line: int
    change: str
    tree: ast.Module
    number: int
    """Of the same changes of a function, the how-manieth; from 1."""

    @property
    def key(self) -> str:
        """Name it independently of line numbers."""
        again = f" (no. {self.number})" if self.number > 1 else ""
        return f"{self.module}:{self.function}: {self.change}{again}"


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """Every small change of a node, without looking into it."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield ast.Compare(node.left, [COMPARISONS[type(op)]()], node.comparators)
        case ast.BinOp() if type(node.op) in OPERATORS:
            yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        case ast.BoolOp(op=ast.And()):
            yield ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp(op=ast.Or()):
            yield ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.IfExp():
            yield node.body
            yield node.orelse
        case ast.If():
            yield ast.If(ast.Constant(value=False), node.body, node.orelse)
        case ast.Call(func=ast.Name(id="max")):
            yield ast.Call(ast.Name("min", ast.Load()), node.args, node.keywords)
        case ast.Call(func=ast.Name(id="any")):
            yield ast.Call(ast.Name("all", ast.Load()), node.args, node.keywords)
        case ast.Call(func=ast.Name(id="all")):
            yield ast.Call(ast.Name("any", ast.Load()), node.args, node.keywords)
        case (
            ast.Expr(value=ast.Call())
            | ast.AugAssign()
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript() | ast.Tuple()])
        ):
            yield ast.Pass()
        case _:
            return


def mutants(module: str) -> list[Mutant]:
    """All mutants of a module, in the order of its lines."""
    source = (ROOT / "engine" / f"{module}.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    found: list[Mutant] = []
    seen: Counter[tuple[str, str]] = Counter()
    for function, place in places(tree):
        node = at(tree, place)
        for variant in variants(node):
            broken = copy.deepcopy(tree)
            replace(broken, place, variant)
            ast.fix_missing_locations(broken)
            change = f"{shown(node)} -> {shown(variant)}"
            seen[function, change] += 1
            line, number = getattr(node, "lineno", 0), seen[function, change]
            found.append(Mutant(module, function, line, change, broken, number))
    return sorted(found, key=lambda mutant: mutant.line)


Place = tuple[tuple[str, int | None], ...]


def places(tree: ast.Module) -> Iterator[tuple[str, Place]]:
    """Where nodes of code are, and in which function; not annotations, docstrings, imports."""

    def walk(node: ast.AST, function: str, place: Place) -> Iterator[tuple[str, Place]]:
        yield function, place
        inside = node.name if isinstance(node, ast.FunctionDef) else function
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "args", "decorator_list") and not isinstance(
                node, ast.Call
            ):
                continue
            if isinstance(value, ast.AST):
                yield from walk(value, inside, (*place, (field, None)))
            elif isinstance(value, list):
                for index, item in enumerate(value):
                    if isinstance(item, ast.AST):
                        yield from walk(item, inside, (*place, (field, index)))

    yield from walk(tree, "", ())


def at(tree: ast.AST, place: Place) -> Any:
    """Return the node at a place."""
    node: Any = tree
    for field, index in place:
        node = getattr(node, field)
        if index is not None:
            node = node[index]
    return node


def replace(tree: ast.AST, place: Place, variant: ast.AST) -> None:
    """Put a node at a place."""
    *above, (field, index) = place
    parent = at(tree, tuple(above))
    if index is None:
        setattr(parent, field, variant)
    else:
        getattr(parent, field)[index] = variant


def shown(node: ast.AST) -> str:
    """Write a node on one line."""
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}: …"
    return " ".join(ast.unparse(node).split())


class BrokenLoader(SourceFileLoader):
    """Loads a module from a changed tree."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        """Compile the tree in place of the file."""
        return compile(self.tree, self.path, "exec")


class BrokenFinder:
    """Finds the one changed module; everything else is found as usual."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = f"engine.{mutant.module}"
        self.path = str(ROOT / "engine" / f"{mutant.module}.py")
        self.tree = mutant.tree

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Answer for the one module."""
        if fullname != self.name:
            return None
        loader = BrokenLoader(fullname, self.path, self.tree)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


class Answers:
    """The second opinion's answers to the default sample, asked for once."""

    def __init__(self) -> None:
        self.scores = [
            (
                case,
                values := values_of(case["preset"], case["overrides"]),
                score(values, case["before"], case["deal"]),
            )
            for case in compare.score_cases(SAMPLE, SEED)
        ]
        self.positions = [(position, answer(position)) for position in compare.positions(SAMPLE, SEED)]

    def first_difference(self) -> str | None:
        """Ask the engine as it is imported now."""
        from tests.engine.second_opinion_adapter import engine_legal, engine_score

        for number, (case, values, ours) in enumerate(self.scores):
            theirs = engine_score(case["preset"], case["overrides"], case["before"], case["deal"])
            if any(our != their for _, our, their in compare.score_items(values, case, ours, theirs)):
                return f"second opinion, deal {number}"
        for number, (position, ours) in enumerate(self.positions):
            theirs = engine_legal(dict(position))
            if compare.listed(theirs["legal"]) != compare.listed(ours["legal"]):
                return f"second opinion, position {number}"
        return None


class FirstFailure:
    """A pytest plugin that remembers which test failed first."""

    name: str | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take down a failure."""
        if report.failed and self.name is None:
            self.name = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Take down a module that could not be imported."""
        if report.failed and self.name is None:
            self.name = f"import of {report.nodeid}"


def judge(mutant: Mutant, answers: Answers, tests: list[str], verdict: Any) -> None:
    """Run in a child process: write down what noticed the mutant, or that nothing did."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    sys.meta_path.insert(0, BrokenFinder(mutant))
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    try:
        killer = None if mutant.module in PLAYED else answers.first_difference()
    except Exception as error:  # whatever a broken engine raises is a difference
        killer = f"second opinion, {type(error).__name__}"
    if killer is None:
        first = FirstFailure()
        # The project's settings would load the platform into every child.
        options = ["-x", "-q", "-m", "not thorough", "-c", os.devnull, f"--rootdir={ROOT}"]
        options += ["--import-mode=importlib", "-p", "no:cacheprovider", "-p", "no:django"]
        code = pytest.main([*options, *tests], plugins=[first])
        killer = first.name or "a test run that broke off" if code else None
    verdict.send(killer)


def decided(mutant: Mutant, answers: Answers, tests: list[str]) -> str | None:
    """Say what killed a mutant; None for a survivor."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    child = fork.Process(target=judge, args=(mutant, answers, tests, theirs))
    child.start()
    theirs.close()
    killer: str | None = "no answer (time limit or crash)"
    with contextlib.suppress(EOFError):
        killer = ours.recv()
    child.join()
    return killer


def default_tests(module: str) -> list[str]:
    """Test files of the engine, those that tell most about a module first."""
    first = ["field_reports", "scoring_corners", "scoring", "barrel", "blind_and_golden", "variants", "match"]
    if module in PLAYED:
        first = ["match", "marriages", "exchange", "variants", "field_reports", "record", "cases"]
    files = sorted(ROOT.glob("tests/engine/test_*.py"))
    names = [f"test_{name}.py" for name in first]
    files.sort(key=lambda path: names.index(path.name) if path.name in names else len(names))
    return [str(path) for path in files if path.name != "test_second_opinion.py"]


def main() -> int:
    """Judge all mutants of the modules asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "modules", nargs="*", default=MODULES, help="modules of the engine; default: %(default)s"
    )
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    parser.add_argument("--again", type=Path, metavar="LOG", help="only what survived in this earlier output")
    options = parser.parse_args()
    chosen = [mutant for module in options.modules for mutant in mutants(module)]
    if options.again:
        before = [json.loads(row) for row in options.again.read_text().splitlines() if row.startswith("[")]
        left = {
            (module, line, function, change)
            for module, line, function, change, killer in before
            if not killer
        }
        chosen = [one for one in chosen if (one.module, one.line, one.function, one.change) in left]
    if options.list:
        print("\n".join(f"{mutant.line:4} {mutant.key}" for mutant in chosen))
        return 0
    answers = Answers()
    table: Counter[tuple[str, str]] = Counter()
    survivors = []
    for mutant in chosen:
        if mutant.key in EQUIVALENT:
            table[mutant.module, "equivalent"] += 1
            continue
        killer = decided(mutant, answers, default_tests(mutant.module))
        table[mutant.module, "killed" if killer else "survived"] += 1
        if killer is None:
            survivors.append(mutant)
        print(json.dumps([mutant.module, mutant.line, mutant.function, mutant.change, killer]), flush=True)
    for module in options.modules:
        counts = {word: table[module, word] for word in ("killed", "survived", "equivalent")}
        print(f"{module}: " + ", ".join(f"{number} {word}" for word, number in counts.items()))
    for mutant in survivors:
        print(f"survived: engine/{mutant.module}.py:{mutant.line} {mutant.key}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
