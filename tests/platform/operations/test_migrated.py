"""Commands on a database that lacks tables: one line, and the command that makes it right."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from thousand.operations.migrated import MigratedCommand

ROOT = Path(__file__).resolve().parents[3]
OURS = sorted(name for name, app in get_commands().items() if str(app).startswith("thousand."))
MAKE_THEIR_TABLES = ["bench", "up"]


def test_every_command_of_ours_but_those_that_make_their_tables_asks_for_all_migrations() -> None:
    asking = [
        name for name in OURS if isinstance(load_command_class("thousand.operations", name), MigratedCommand)
    ]
    assert sorted(asking + MAKE_THEIR_TABLES) == OURS


@pytest.mark.parametrize("data", ["new", "file"])
def test_a_database_without_tables_is_one_line(tmp_path: Path, data: str) -> None:
    folder = tmp_path / "data"
    if data == "file":
        (folder / "thousand.sqlite3").mkdir(parents=True)
    done = _manage("audit", "--data", folder)
    assert (done.returncode, done.stdout) == (1, "")
    line, _end, rest = done.stderr.partition("\n")
    assert rest == ""
    database = folder / "thousand.sqlite3"
    if data == "file":
        assert line.startswith(f"CommandError: The database {database} cannot be opened: ")
    else:
        assert line.startswith(f"CommandError: The database {database} lacks ")
        assert line.endswith(
            f"Run `manage.py migrate --data {folder}`, then `manage.py setup --data {folder}`."
        )


@pytest.mark.django_db
@pytest.mark.parametrize(
    "words",
    [
        ["audit"],
        ["bench", "--fill"],
        ["export_games", "-"],
        ["nightly"],
        ["rebuild_ratings"],
        ["rebuild_statistics"],
        ["setup"],
    ],
)
def test_a_database_that_is_a_migration_behind_is_refused(
    words: list[str], settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MIGRATION_MODULES = {}  # most runs of the suite make their tables without migrations
    known = MigrationLoader(connection).graph
    applied = dict.fromkeys(set(known.nodes) - set(known.leaf_nodes("pipeline")))
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _recorder: applied)
    with pytest.raises(CommandError, match=r"lacks 1 migration\. Run `manage\.py migrate"):
        call_command(*words)


@pytest.mark.parametrize("words", [["check"], ["audit", "--help"]])
def test_output_that_the_disk_does_not_take_is_one_line_and_no_success(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = _manage(*words, "--settings", "thousand.settings.test", stdout=full)
    assert done.returncode == 1
    assert done.stderr == "manage.py: the output cannot be written: No space left on device\n"


def _manage(*words: object, stdout: object = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    known = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment = known | {"DJANGO_SETTINGS_MODULE": "thousand.settings.embedded"}
    argv = [sys.executable, "manage.py", *map(str, words)]
    return subprocess.run(
        argv,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment,  # type: ignore[arg-type]
    )
