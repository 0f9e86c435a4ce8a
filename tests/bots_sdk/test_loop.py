"""The dialogue over standard input and output, with a real process."""

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from tests.bots_sdk.samples import act, hello

ROOT = Path(__file__).resolve().parents[2]


def talk(bot: str, *lines: object) -> "subprocess.CompletedProcess[str]":
    """Run a bot's source on these lines, then close its input."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    code = dedent(bot)
    return subprocess.run(
        [sys.executable, "-E", "-c", code], input=text, cwd=ROOT, capture_output=True, text=True, check=False
    )


FIRST = """
    from bots_sdk import Bot, run
    print("loading")
    class First(Bot):
        def start(self, hello): print("seat", hello.seat)
        def choose(self, request): print("thinking"); return request.legal[0]
        def end(self, end): print("bye", end.result.places)
    run(First())
"""
END = {
    "type": "end",
    "events": [],
    "result": {"termination": "target", "places": [1, 2, 3], "totals": [1, 2, 3], "winner": 0},
}


def test_a_match_is_one_line_an_answer_and_ends_with_the_input() -> None:
    done = talk(FIRST, hello(), act().to_json(), END)
    assert done.stdout == '{"type":"ready"}\n{"id":7,"action":"pass"}\n'
    assert done.returncode == 0


def test_what_the_bot_prints_joins_its_log() -> None:
    done = talk(FIRST, hello(), act().to_json(), END)
    assert done.stderr == "loading\nseat 1\nthinking\nbye [1, 2, 3]\n"


def test_a_bot_that_wants_no_view_says_so() -> None:
    lean = FIRST.replace("def start", "wants_view = False\n        def start")
    done = talk(lean, hello(), act().to_json(), END)
    assert done.stdout == '{"type":"ready","view":false}\n{"id":7,"action":"pass"}\n'


def test_lines_are_found_however_they_arrive() -> None:
    long = {**act().to_json(), "padding": "x" * 100_000}
    done = talk(FIRST, hello(), long, act().to_json(), act().to_json())
    assert done.stdout == '{"type":"ready"}\n' + '{"id":7,"action":"pass"}\n' * 3


def test_a_last_line_without_its_end_is_read() -> None:
    text = json.dumps(hello())
    bot = [sys.executable, "-E", "-c", dedent(FIRST)]
    done = subprocess.run(bot, input=text, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == '{"type":"ready"}\n'


def test_an_input_that_closes_early_ends_the_bot_quietly() -> None:
    done = talk(FIRST)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "loading\n")


def test_an_exception_leaves_a_traceback_in_the_log_and_exit_code_1() -> None:
    done = talk(
        """
        from bots_sdk import Bot, run
        class Broken(Bot):
            def choose(self, request): return 1 / 0
        run(Broken())
        """,
        hello(),
        act().to_json(),
    )
    assert done.returncode == 1
    assert done.stdout == '{"type":"ready"}\n'
    assert "ZeroDivisionError" in done.stderr


def test_a_forgotten_return_is_told_in_words() -> None:
    done = talk(
        """
        from bots_sdk import Bot, run
        class Silent(Bot):
            def choose(self, request): pass
        run(Silent())
        """,
        hello(),
        act().to_json(),
    )
    assert done.returncode == 1
    assert "choose() returned None; return one of request.legal" in done.stderr


def test_a_bot_without_choose_is_told_what_to_write() -> None:
    done = talk("from bots_sdk import Bot, run; run(Bot())", hello(), act().to_json())
    assert "Bot needs a method choose(self, request)" in done.stderr
