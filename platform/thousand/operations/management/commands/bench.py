"""`manage.py bench`: the platform's rows of the benchmark, each as a ratio to something in the same run."""

import json
import os
import platform
import sys
from argparse import ArgumentParser
from importlib.metadata import version
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.bench.rows import Row, exit_code, wanted
from arena.bench.site_rows import TARGETS
from thousand.operations.bench.load import generator
from thousand.operations.bench.queue import queue_row
from thousand.operations.bench.read_path import read_path_rows
from thousand.operations.bench.site import fill_site
from thousand.operations.migrated import require_migrations

QUEUE = "E1"
MEASURED = ("django", "djangorestframework", "uvicorn", "msgspec", "celery")


class Command(BaseCommand):
    help = (
        "Measure the read path and the queue; exit 0 if every target is met, 1 if not, 3 if some cannot be."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="rows, such as W1 or W1a")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
        parser.add_argument("--fill", action="store_true", help="used by itself: fill an empty database")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["fill"]:
            require_migrations()
            self.stdout.write(json.dumps(_filled()))
            return
        ids = wanted(list(TARGETS), options["only"])
        if not ids:
            raise CommandError(
                f"No row is called {' or '.join(options['only'])}; there are {', '.join(TARGETS)}."
            )
        read = [name for name in ids if name != QUEUE]
        rows = read_path_rows(read, self.stderr.write) if read else []
        if QUEUE in ids:
            rows.append(queue_row(self.stderr.write))
        if options["json"]:
            self.stdout.write(json.dumps(_report(rows)))
        else:
            for row in rows:
                self.stdout.write(_line(row))
        if code := exit_code(rows):
            sys.exit(code)


def _filled() -> dict[str, Any]:
    """Fill the site and count the queries of the addresses that are measured."""
    known = fill_site()
    client = Client(headers={"host": "127.0.0.1"})
    tag = f'"{known["digest"]}"'
    asked = {
        "uncached": (f"/bench/{known['slug']}/uncached", {}),
        "replay": (f"/api/v1/replays/{known['replay']}/", {}),
        "replay 304": (f"/api/v1/replays/by-digest/{known['digest']}/", {"If-None-Match": tag}),
    }
    queries = {}
    for name, (path, headers) in asked.items():
        with CaptureQueriesContext(connection) as captured:
            client.get(path, headers=headers)
        queries[name] = len(captured)
    return {**known, "queries": queries}


def _report(rows: list[Row]) -> dict[str, Any]:
    machine = {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}
    versions = {name: version(name) for name in MEASURED} | {"load": generator()}
    return {"machine": machine, "versions": versions, "rows": [row.to_json() for row in rows]}


def _line(row: Row) -> str:
    if row.ratio is None:
        return f"{row.id:4} –        {row.target:9} {'not measured':12} {row.what} ({row.why})"
    verdict, unit = "met" if row.met else "missed", f", {row.unit}" if row.unit else ""
    return f"{row.id:4} {row.ratio:<8.3g} {row.target:9} {verdict:12} {row.what}{unit}"
