"""The page of measured rates: which run a row is from, and what its medians are called."""

import runpy
from pathlib import Path
from typing import Any

TOOL = runpy.run_path(str(Path(__file__).resolve().parents[1] / "tools" / "make_performance_doc.py"))
BUSY = {"processor": "Xeon", "cores": 2, "system": "Linux", "python": "3.11.7", "engine": "compiled"}
IDLE = {"cores": 8, "system": "Linux", "python": "3.11.7"}


def row(name: str, ratio: float | None, **samples: list[float]) -> dict[str, Any]:
    return {"id": name, "ratio": ratio, "met": True, "unit": "", "why": "no peer", "samples": samples}


def report(machine: dict[str, Any], *rows: dict[str, Any]) -> dict[str, Any]:
    return {"machine": machine, "versions": {}, "rows": list(rows)}


def test_a_merged_row_keeps_the_date_and_the_machine_of_its_run() -> None:
    first = TOOL["merged"](
        {"versions": {}, "rows": []}, report(BUSY, row("S1", 2), row("S2", 4)), "2026-11-01"
    )
    both = TOOL["merged"](first, report(IDLE, row("S2", 9)), "2026-11-30")
    page = TOOL["measured"](both)
    assert "1. Measured on 2026-11-01: Xeon, 2 cores, Linux, Python 3.11.7, engine compiled." in page
    assert "2. Measured on 2026-11-30: 8 cores, Linux, Python 3.11.7." in page
    assert "| 2 | met | 1 |" in page, "S1 stays with the first run"
    assert "| 9 | met | 2 |" in page, "S2 is of the second"


def test_a_row_that_could_not_be_measured_displaces_none_that_was() -> None:
    first = TOOL["merged"]({"versions": {}, "rows": []}, report(BUSY, row("S1", 2)), "2026-11-01")
    again = TOOL["merged"](first, report(IDLE, row("S1", None), row("S2", None)), "2026-11-30")
    assert [(one["id"], one["ratio"]) for one in again["rows"]] == [("S1", 2), ("S2", None)]


def test_medians_go_by_the_names_of_what_was_measured() -> None:
    solved = row("S1", 1.9, **{"c solve": [570.0, 560.0, 565.0], "engine solve": [300.0, 1.0, 12_345.6]})
    page = TOOL["measured"](TOOL["merged"]({"versions": {}, "rows": []}, report(BUSY, solved), "2026-11-01"))
    assert "| c solve: 565; engine solve: 300 |" in page
    assert TOOL["number"](12_345.6) == "12,346"
