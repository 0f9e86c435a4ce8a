"""Write the measured parts of docs/performance.md from the benchmark's report.

    thousand bench --json > docs/performance.json
    python tools/make_performance_doc.py            # rewrite what lies between the marks
    python tools/make_performance_doc.py --check    # fail when the page is not what report and rows say

The figures are one machine's; the check only holds the page against the stored report and the list of rows,
and measures nothing. `--merge FILE` puts another report's rows over the stored ones.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from arena.bench.registry import GROUPS

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, REPORT = DOCS / "performance.md", DOCS / "performance.json"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if anything would change")
    parser.add_argument("--merge", type=Path, metavar="FILE", help="another report, for some of the rows")
    options = parser.parse_args()
    report = json.loads(REPORT.read_text())
    if options.merge:
        report = merged(report, json.loads(options.merge.read_text()))
        REPORT.write_text(json.dumps(report, indent=1) + "\n")
    page = PAGE.read_text()
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    new = f"{head}{BEGIN}\n\n{measured(report)}\n\n{END}{tail}"
    if options.check:
        if new != page:
            print(f"{PAGE} is not what {REPORT.name} says: run python tools/make_performance_doc.py")
        return int(new != page)
    PAGE.write_text(new)
    return 0


def merged(report: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Put the rows of another report over those of the same id."""
    rows = {row["id"]: row for row in [*report["rows"], *other["rows"]]}
    return {**report, "versions": {**report["versions"], **other["versions"]}, "rows": list(rows.values())}


def measured(report: dict[str, Any]) -> str:
    """The machine, the versions, and a table of every row there is."""
    machine = report["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in sorted(report["versions"].items()))
    lines = [
        f"Measured on: {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
        f"Python {machine['python']}, engine {machine['engine']}.",
        f"Versions: {versions}.",
        "",
        "| row | measured / against | target | ratio | | of ours | of the other |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = {row["id"]: row for row in report["rows"]}
    for group in GROUPS:
        for name, (what, target) in group.targets.items():
            lines.append(line(name, what, target, rows.get(name)))
    return "\n".join(lines)


def line(name: str, what: str, target: str, row: dict[str, Any] | None) -> str:
    """Write a row of the table."""
    if row is None or row["ratio"] is None:
        why = "not measured yet" if row is None else row["why"]
        return f"| {name} | {what} | {target} | – | {why} | | |"
    verdict = "" if not target else "met" if row["met"] else "**missed**"
    unit = f" {row['unit']}" if row["unit"] else ""
    medians = [f"{median(samples):,.4g}" for samples in row["samples"].values()][:2]
    ours, other = [*medians, "", ""][:2]
    return f"| {name} | {what} | {target} | {row['ratio']:.3g}{unit} | {verdict} | {ours} | {other} |"


if __name__ == "__main__":
    sys.exit(main())
