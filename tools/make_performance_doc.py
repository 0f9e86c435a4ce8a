"""Write the measured parts of docs/performance.md from the benchmark's report.

    thousand bench --json > report.json                          # or some rows, or manage.py bench --json
    python tools/make_performance_doc.py --merge report.json     # put its rows over the stored ones
    python tools/make_performance_doc.py            # rewrite what lies between the marks
    python tools/make_performance_doc.py --check    # fail when the page is not what report and rows say

The check only holds the page against the stored report and the list of rows, and measures nothing. Every row
keeps the date and the machine of the report it came with; a report's date is that of its file.
"""

import argparse
import json
import sys
from datetime import UTC, datetime
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
        report = merged(report, json.loads(options.merge.read_text()), date_of(options.merge))
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


def date_of(file: Path) -> str:
    """Return the day on which a file was written last, in UTC."""
    return datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat()


def merged(report: dict[str, Any], other: dict[str, Any], date: str) -> dict[str, Any]:
    """Put the rows of another report over those of the same id; an empty row displaces none."""
    rows = {row["id"]: row for row in report["rows"]}
    for row in other["rows"]:
        if row["ratio"] is not None or row["id"] not in rows:
            rows[row["id"]] = {**row, "date": date, "machine": machine_text(other["machine"])}
    return {"versions": {**report["versions"], **other["versions"]}, "rows": list(rows.values())}


def machine_text(machine: dict[str, Any]) -> str:
    """Write what a report says of its machine: the site's report says less than the engine's."""
    words = {
        "processor": "{}",
        "cores": "{} cores",
        "system": "{}",
        "python": "Python {}",
        "engine": "engine {}",
    }
    return ", ".join(text.format(machine[key]) for key, text in words.items() if key in machine)


def measured(report: dict[str, Any]) -> str:
    """The machines, the versions, and a table of every row there is."""
    rows = {row["id"]: row for row in report["rows"]}
    known = [name for group in GROUPS for name in group.targets if name in rows]
    runs = sorted({(rows[name]["date"], rows[name]["machine"]) for name in known})
    versions = ", ".join(f"{name} {number}" for name, number in sorted(report["versions"].items()))
    lines = [
        *(
            f"{number}. Measured on {date}: {machine}."
            for number, (date, machine) in enumerate(runs, start=1)
        ),
        "",
        f"Versions: {versions}.",
        "",
        "| row | measured / against | target | ratio | | run | medians |",
        "|---|---|---|---|---|---|---|",
    ]
    for group in GROUPS:
        for name, (what, target) in group.targets.items():
            lines.append(line(name, what, target, rows.get(name), runs))
    return "\n".join(lines)


def line(name: str, what: str, target: str, row: dict[str, Any] | None, runs: list[tuple[str, str]]) -> str:
    """Write a row of the table; `runs` are the dates and machines that the page counts from 1."""
    if row is None or row["ratio"] is None:
        why = "not measured yet" if row is None else row["why"]
        return f"| {name} | {what} | {target} | – | {why} | | |"
    verdict = "" if not target else "met" if row["met"] else "**missed**"
    unit = f" {row['unit']}" if row["unit"] else ""
    run = runs.index((row["date"], row["machine"])) + 1
    medians = "; ".join(f"{cell}: {number(median(samples))}" for cell, samples in row["samples"].items())
    return f"| {name} | {what} | {target} | {number(row['ratio'], 3)}{unit} | {verdict} | {run} | {medians} |"


def number(value: float, digits: int = 4) -> str:
    """Write thousands and more as whole numbers, anything less with so many digits."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.{digits}g}"


if __name__ == "__main__":
    sys.exit(main())
