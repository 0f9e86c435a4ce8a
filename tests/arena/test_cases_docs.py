"""docs/cases.md is true: its examples run and give what it shows."""

import json
import re
from pathlib import Path

import pytest

from arena.cli import main
from engine.cases import legal_case, score_case
from engine.explain_score import EVENTS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cases.md").read_text(encoding="utf-8")


def test_the_example_of_a_position_gives_what_is_shown() -> None:
    position, shown = re.findall(r"echo '(.*?)' \| thousand legal --json\n    (.*)", PAGE)[0]
    assert legal_case(json.loads(position)) == json.loads(shown)


def test_the_example_of_a_deal_can_be_scored_and_has_what_is_promised() -> None:
    answer = score_case(json.loads(re.findall(r"^    (\{.*\"deal\".*)$", PAGE, re.MULTILINE)[0]))
    promised = {"total", "barrel", "attempts", "falls", "bolts", "run", "conc", "winner", "events", "ledger"}
    assert promised <= set(answer)
    assert answer["total"] == [220, 225, 320]


def test_every_event_is_explained() -> None:
    explained = set(re.findall(r"`([a-z_]+)\d`", PAGE))
    assert explained == set(EVENTS)


def test_the_commands_it_names_exist(capsys) -> None:  # type: ignore[no-untyped-def]
    for name in set(re.findall(r"thousand (\w+)", PAGE)):
        with pytest.raises(SystemExit) as end:
            main([name, "--help"])
        assert end.value.code == 0, name
    assert "usage: thousand score" in capsys.readouterr().out
