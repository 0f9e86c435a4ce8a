"""A bot that is asked again says the same, unless something decided that it was not shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.counterfactual import ask_again
from arena.sandbox import Sandbox
from bots_sdk.house import house_artifact

pytestmark = pytest.mark.sandbox

BOT = """from bots_sdk import Bot, run
import os

class Mine(Bot):
    def choose(self, request):
        {body}

run(Mine())
"""
HONEST = BOT.format(body="return request.legal[-1]")
# Plays the last card of every third deal otherwise: what it would do if it saw its friend.
OTHERWISE = BOT.format(body="return request.legal[0 if request.deal == 2 else -1]")
RESTLESS = BOT.format(body="return request.legal[os.urandom(1)[0] % len(request.legal)]")


def replay_of(folder: Path, bot: str) -> tuple[dict[str, Any], Path]:
    (folder / "bot.py").write_text(bot)
    out = folder / "match-1.json"
    words = ["play", str(folder / "bot.py"), "easy", "random", "--seed", "5", "--set", "deal_limit=8"]
    assert main([*words, "--out", str(folder)]) == 0
    return json.loads(out.read_text()), out


@pytest.fixture(scope="module")
def honest_replay(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    return replay_of(tmp_path_factory.mktemp("honest"), HONEST)


def test_an_honest_bot_gives_every_answer_again(
    honest_replay: tuple[dict[str, Any], Path], proved_sandbox: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    document, path = honest_replay
    found = ask_again(document, HONEST.encode(), "bot.py", 0, proved_sandbox)
    assert (found.difference, found.steady) == (None, True)
    assert found.decisions > 10
    capsys.readouterr()
    assert main(["counterfactual", str(path), "easy", "--seat", "1", "--runs", "1"]) == 0
    assert "same" in capsys.readouterr().out


def test_the_first_decision_that_something_else_made_is_shown(
    tmp_path: Path, proved_sandbox: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    # The replay tells of a bot that does otherwise in one deal; the one that is asked again is honest.
    document, path = replay_of(tmp_path, OTHERWISE)
    found = ask_again(document, HONEST.encode(), "bot.py", 0, proved_sandbox)
    assert found.difference is not None
    assert found.steady
    assert found.difference.deal == 2
    assert found.difference.then != found.difference.now
    assert found.difference.now in found.difference.view["legal"]
    (tmp_path / "honest.py").write_text(HONEST)
    capsys.readouterr()
    assert main(["counterfactual", str(path), str(tmp_path / "honest.py"), "--seat", "0"]) == 1
    assert "something else decided" in capsys.readouterr().out


def test_nothing_follows_from_a_bot_that_throws_dice_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _document, path = replay_of(tmp_path, RESTLESS)
    capsys.readouterr()
    assert main(["counterfactual", str(path), str(tmp_path / "bot.py"), "--seat", "0"]) == 0
    assert "nothing follows" in capsys.readouterr().out


def test_what_cannot_be_asked_is_refused_with_the_reason(
    honest_replay: tuple[dict[str, Any], Path], proved_sandbox: Sandbox
) -> None:
    document, _path = honest_replay
    with pytest.raises(ValueError, match="seats 0 to 2, not 3"):
        ask_again(document, house_artifact("easy"), "bot.py", 3, proved_sandbox)
    faulted = {
        **document,
        "seats": [{**document["seats"][0], "verdict": "crash", "fault_index": 9}, *document["seats"][1:]],
    }
    with pytest.raises(ValueError, match="not true"):
        ask_again(faulted, house_artifact("easy"), "bot.py", 0, proved_sandbox)
