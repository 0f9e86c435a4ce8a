"""The public data set: closed blocks alone, no names unless asked, and every line replays to its result."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from jsonschema import Draft202012Validator

from arena.replay import build_replay
from arena.schemas import game_schema
from bots_sdk.house import EasyBot
from bots_sdk.table import play_in_process
from engine import RULES_VERSION, MatchRecord, Ruleset, outcome, replay_record
from tests.factories import (
    make_author,
    make_block,
    make_bot,
    make_complete_block,
    make_finished_match,
    make_organiser,
    make_pool,
    make_version,
)
from thousand.matches.models import Block, BlockKind, BlockState
from thousand.matches.services import close_block
from thousand.operations.games import Wanted, closed_blocks, exported_games
from thousand.ratings.annulment import annul_block
from thousand.replays.models import Replay
from thousand.replays.services import pack_old_replays

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.django_db


def export(tmp_path: Path, *words: str, name: str = "games.jsonl") -> list[dict[str, Any]]:
    """Run the command and read what it wrote."""
    call_command("export_games", str(tmp_path / name), *words, stderr=StringIO())
    return [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]


def played_block(preset: str, **changes: Any) -> Block:
    """A closed block whose matches easy bots really played, from its own seed."""
    ruleset = Ruleset.from_preset(preset, {"deal_limit": 2})
    pool = make_pool(ruleset=ruleset.to_json(), ruleset_digest=ruleset.digest, players=int(ruleset.players))
    versions = [make_version() for _ in range(int(ruleset.players))]
    block = make_block(pool, versions, **changes)
    for match in block.matches.order_by("seating"):
        seats = list(match.seats.select_related("version").order_by("seat"))
        played = play_in_process([EasyBot() for _ in seats], ruleset, bytes(block.seed))
        document = build_replay(
            seed=bytes(block.seed),
            ruleset=ruleset,
            actions=played.record.actions,
            seats=[told_of(seat.version.public_id) for seat in seats],
            cpu_us=[500] * len(played.record.actions),
            wall_us=[match.pk] * len(played.record.actions),
            sandbox="bwrap-1a",
        )
        result = played.outcome
        make_finished_match(
            match,
            places=result.places,
            totals=result.totals,
            verdicts=["ok"] * len(seats),
            document=document,
        )
    close_block(block, now=timezone.now())
    block.refresh_from_db()
    return block


def told_of(version: str) -> dict[str, Any]:
    return {
        "version": version,
        "verdict": "ok",
        "fault_index": None,
        "cpu_ms": 1,
        "wall_ms": 1,
        "decisions": 1,
    }


def test_every_line_replays_to_its_result_also_once_replays_are_packed(tmp_path: Path) -> None:
    played_block("tournament_default")
    played_block("two_player_stock")
    lines = export(tmp_path)
    assert len(lines) == 6 + 2
    validator = Draft202012Validator({**game_schema(), "additionalProperties": False})
    for line in lines:
        validator.validate(line)
        assert line["rules_version"] == RULES_VERSION
        steps = list(replay_record(MatchRecord.from_json(line)))
        result = outcome(steps[-1].state)
        assert (list(result.totals), list(result.places)) == (line["totals"], line["places"])
        assert result.termination == line["termination"]
        assert [seat["total"] for seat in line["seats"]] == line["totals"]
        dealt = [event.full() for step in steps for event in step.events if event.kind == "deal"]
        assert [deck["hands"] for deck in line["decks"]] == [event["hands"] for event in dealt]
        assert [deck.get("stock", []) for deck in line["decks"]] == [e.get("stock", []) for e in dealt]
        cards = [card for deck in line["decks"][:1] for hand in deck["hands"] for card in hand]
        assert len(set(cards + line["decks"][0]["widow"] + line["decks"][0].get("stock", []))) == 24
    assert pack_old_replays(before=timezone.now() + timedelta(seconds=1), most=100) == 8
    assert export(tmp_path) == lines


def test_no_open_void_or_private_block_is_told(tmp_path: Path) -> None:
    closed = make_complete_block()
    opened = make_block()
    for match in opened.matches.all():  # all six played, and the block still open
        make_finished_match(match)
    private = make_block(make_pool(), kind=BlockKind.AB, private_to=make_author())
    for match in private.matches.all():
        make_finished_match(match, published=True)
    Block.objects.filter(pk=private.pk).update(state=BlockState.COMPLETE, closed_at=timezone.now())
    void = make_block()
    for match in void.matches.all():
        make_finished_match(match, published=True)
    Block.objects.filter(pk=void.pk).update(state=BlockState.VOID, closed_at=timezone.now())
    unpublished = make_complete_block()
    hidden = unpublished.matches.order_by("seating")[0].replay
    Replay.objects.filter(pk=hidden.pk).update(published_at=None)  # type: ignore[union-attr]
    lines = export(tmp_path)
    assert {line["block"] for line in lines} == {closed.public_id, unpublished.public_id}
    assert len(lines) == 6 + 5
    assert export(tmp_path, "--kind", "tournament") == []
    assert list(exported_games(Wanted(kinds=[BlockKind.AB]))) == []
    text = (tmp_path / "games.jsonl").read_text()
    for block in (opened, private, void):
        assert bytes(block.seed).hex() not in text
        assert block.public_id not in text


def test_people_are_named_only_if_asked_and_house_bots_always(tmp_path: Path) -> None:
    owner = make_author("marta")
    mine, house = make_bot(owner, "Vistula"), make_bot(name="House Easy", is_house=True)
    block = make_complete_block(versions=[make_version(mine), make_version(house), make_version()])
    lines = export(tmp_path)
    seats = {seat["bot"]: seat for seat in lines[0]["seats"]}
    assert (seats[mine.public_id]["name"], seats[mine.public_id]["owner"]) == (None, None)
    assert (seats[house.public_id]["name"], seats[house.public_id]["house"]) == ("House Easy", True)
    text = (tmp_path / "games.jsonl").read_text()
    assert "marta" not in text
    assert "Vistula" not in text
    named = {seat["bot"]: seat for seat in export(tmp_path, "--names")[0]["seats"]}
    assert (named[mine.public_id]["name"], named[mine.public_id]["owner"]) == ("Vistula", "marta")
    assert named[house.public_id]["owner"] is None
    annul_block(block=block, reason="Played on a broken machine.", by=make_organiser())
    assert [line["annulled"] for line in lines] == [False] * 6
    assert [line["annulled"] for line in export(tmp_path)] == [True] * 6


def test_pools_and_times_choose_and_files_compress(tmp_path: Path) -> None:
    first, second = make_complete_block(make_pool("old")), make_complete_block(make_pool("new"))
    Block.objects.filter(pk=first.pk).update(closed_at=timezone.now() - timedelta(days=40))

    def blocks(*words: str) -> list[str]:
        return list(dict.fromkeys(line["block"] for line in export(tmp_path, *words)))

    day = (timezone.now() - timedelta(days=20)).date().isoformat()
    assert blocks() == [first.public_id, second.public_id]
    assert blocks("--pool", "new") == blocks("--since", day) == [second.public_id]
    assert blocks("--until", f"{day}T00:00+02:00") == [first.public_id]
    assert blocks("--pool", "new", "--pool", "old", "--until", day) == [first.public_id]
    with pytest.raises(CommandError, match="There is no ladder or tournament nowhere; there are new, old"):
        export(tmp_path, "--pool", "nowhere")
    with pytest.raises(CommandError, match="--since 2027-01-02 00:00 is not before --until 2026-01-01 00:00"):
        export(tmp_path, "--since", "2027-01-02", "--until", "2026-01-01")
    with pytest.raises(CommandError, match="soon is no date such as 2026-11-30"):
        export(tmp_path, "--since", "soon")
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        call_command("export_games", str(tmp_path / "nowhere" / "games.jsonl"))
    plain = export(tmp_path)
    call_command("export_games", str(tmp_path / "games.jsonl.gz"), stderr=StringIO())
    packed = gzip.decompress((tmp_path / "games.jsonl.gz").read_bytes())
    assert [json.loads(line) for line in packed.splitlines()] == plain
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    make_complete_block()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    call_command("export_games", str(pipe), stderr=StringIO())
    os.close(reading)
    assert pipe.is_fifo()


def test_a_few_blocks_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        make_complete_block()
    monkeypatch.setattr("thousand.operations.games.BLOCKS_AT_A_TIME", 2)
    games = exported_games(Wanted())

    with CaptureQueriesContext(connection) as captured:
        next(games)
    assert len(captured) < 10
    bodies = [query for query in captured.captured_queries if '"body"' in query["sql"]]
    assert len(bodies) == 1, "one batch has been read"
    assert sum(1 for _game in games) == 29


def test_closed_blocks_come_in_the_order_in_which_they_closed() -> None:
    late, early = make_complete_block(), make_complete_block()
    Block.objects.filter(pk=early.pk).update(closed_at=timezone.now() - timedelta(hours=1))
    assert list(closed_blocks(Wanted())) == [early, late]


def readme_lines(page: str) -> Sequence[str]:
    """The Python example of the data set's page."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return text.partition("```python\n")[2].partition("```")[0].splitlines()


def test_the_five_lines_of_the_documentation_read_an_export(tmp_path: Path) -> None:
    played_block("tournament_default")
    call_command("export_games", str(tmp_path / "games.jsonl.gz"), stderr=StringIO())
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(readme_lines("dataset.md"))],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 6
