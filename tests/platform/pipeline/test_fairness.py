"""Anybody can check a closed block by what the API gives: with the command, or with a few lines of Python."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arena.cli import main
from arena.fairness import check_block, check_block_replay, check_replay, missing_matches
from tests.platform.pipeline.test_flow import play_block
from thousand.matches.models import Block, BlockState
from thousand.pipeline.services import tick

pytestmark = pytest.mark.usefixtures("worker")

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"


def load(client: Client, path: str) -> Any:
    """What a stranger gets from an address of the API."""
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, path
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return json.loads(body)


_downloaded: dict[str, Any] = {}
"""Path in the API to document: a block is played once for this file, as that takes seconds."""


@pytest.fixture
def block(client: Client) -> dict[str, Any]:
    """A closed block as a stranger gets it."""
    if not _downloaded:
        path = f"blocks/{play_block().public_id}/"
        told = load(client, path)
        for match in told["matches"]:
            replay = f"replays/{match['replay_id']}/"
            _downloaded[replay] = load(client, replay)
        _downloaded[path] = told
    return next(copy.deepcopy(document) for path, document in _downloaded.items() if path.startswith("b"))


@pytest.fixture
def replays(block: dict[str, Any]) -> list[dict[str, Any]]:
    """The replays of its matches."""
    return [copy.deepcopy(_downloaded[f"replays/{match['replay_id']}/"]) for match in block["matches"]]


def test_a_closed_block_and_its_replays_hold_in_every_comparison(
    block: dict[str, Any],
    replays: list[dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [tmp_path / "block.json", *(tmp_path / f"replay-{number}.json" for number in range(6))]
    for file, document in zip(files, [block, *replays], strict=True):
        file.write_text(json.dumps(document))
    code = main(["verify", *map(str, files), "--commitment", block["commitment"].upper()])
    out = capsys.readouterr().out
    assert code == 0, out
    assert "DIFFERS" not in out
    assert out.count("  same     seed     SHA-256 of the seed is the commitment") == 7
    for name in ("cards", "events", "outcome", "block"):
        assert out.count(f"  same     {name:7}  ") == 6
    code = main(["verify", *map(str, files[:3]), "--commitment", "0" * 64])
    out = capsys.readouterr().out
    assert code == 1
    assert "committed to was 0000" in out
    assert f"were not given: {', '.join(match['replay_id'] for match in block['matches'][2:])}" in out


def test_every_lie_about_a_block_is_found_by_its_name(
    block: dict[str, Any], replays: list[dict[str, Any]]
) -> None:
    replay = replays[0]

    def wrong(**changes: Any) -> set[str]:
        lie = {**copy.deepcopy(replay), **changes}
        compared = [*check_replay(lie, block["commitment"]), *check_block_replay(block, lie)]
        return {one.name for one in compared if one.holds is False}

    assert wrong() == set()
    assert wrong(seed="ab" * 32) >= {"block"}
    deals = copy.deepcopy(replay["deals"])
    first = next(event for event in deals[0]["events"] if event["event"] == "deal")
    first["hands"][0][0], first["widow"][0] = first["widow"][0], first["hands"][0][0]
    assert wrong(deals=deals) == {"cards", "events"}
    outcome = {**replay["outcome"], "totals": [1000, 0, 0]}
    assert wrong(outcome=outcome) == {"outcome", "block"}
    assert [one.holds for one in check_block({**block, "seed": "ab" * 32})] == [False]
    assert [one.holds for one in check_block({**block, "seed": None})] == [None]
    assert missing_matches(block, replays[:5]) == [block["matches"][5]["replay_id"]]


def test_an_open_block_tells_its_commitment_and_no_seed(client: Client) -> None:
    tick()
    block = Block.objects.filter(state=BlockState.OPEN).order_by("id")[0]
    (comparison,) = check_block(load(client, f"blocks/{block.public_id}/"))
    assert comparison.holds is None
    assert block.commitment in comparison.text


def test_the_documented_lines_check_a_block_without_any_of_our_software(block: dict[str, Any]) -> None:
    code = re.search(r"```python\n(import hashlib.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert code is not None
    lines = re.sub(r"def load\(path\):\n.*?\n\n", "", code[1], flags=re.DOTALL)
    lines = lines.replace("BLOCK_ID", block["id"])
    told: list[str] = []

    def loaded(path: str) -> Any:
        told.append(path)
        return copy.deepcopy(_downloaded[path])

    exec(lines, {"load": loaded})  # noqa: S102 - our own page
    assert len(told) == 7

    def shuffled(path: str) -> Any:
        document = loaded(path)
        for deal in document.get("deals", ()):
            deal["events"][0]["widow"] = ["9S", "9C", "9D"]
        return document

    with pytest.raises(AssertionError):
        exec(lines, {"load": shuffled})  # noqa: S102 - the same
