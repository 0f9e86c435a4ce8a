"""How a Python bot finds itself: the arena's interpreter, the standard library, the SDK, and nothing else."""

import subprocess
import sys

import pytest

from tests.arena.sandbox.conftest import RunToEnd
from tests.arena.sandbox.probe import Probe

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]


def test_a_bot_runs_on_the_arenas_own_python(inside: Probe) -> None:
    assert inside.run("sys.version") == sys.version
    flags = ("safe_path", "no_user_site", "no_site", "dont_write_bytecode", "utf8_mode")
    assert all(inside.run(f"sys.flags.{flag}") for flag in flags)


def test_sets_of_texts_have_the_same_order_in_every_start(inside: Probe, outside: Probe) -> None:
    program = [sys.executable, "-c", "print(hash('QS'))"]
    fixed = subprocess.run(program, env={"PYTHONHASHSEED": "0"}, stdout=subprocess.PIPE, check=True).stdout
    assert inside.run("hash('QS')") == outside.run("hash('QS')") == int(fixed)


def test_the_standard_library_is_there_and_compiled(inside: Probe) -> None:
    modules = (
        "asyncio collections ctypes dataclasses decimal fractions hashlib heapq json math random sqlite3"
    )
    for name in modules.split():
        assert inside.run(f"__import__({name!r}).__name__") == name
    cached = inside.run("__import__('statistics').__cached__")
    assert inside.run(f"os.path.exists({cached!r})")


@pytest.mark.parametrize("name", ["msgspec", "django", "pytest", "pip", "setuptools", "arena", "thousand"])
def test_nothing_else_can_be_imported(inside: Probe, name: str) -> None:
    assert inside.error(f"__import__({name!r})") == "ModuleNotFoundError"


def test_the_sdk_can_be_imported_and_is_compiled(inside: Probe) -> None:
    for name in ("engine", "bots_sdk"):
        folder, file = inside.run(f"__import__({name!r}).__file__").split(f"/{name}/")
        assert folder.startswith("/sdk") or "/sdk-" in folder  # without mounts it goes by the host's name
        assert file == "__init__.py"
        assert inside.run(f"os.path.exists(sys.modules[{name!r}].__cached__)")


def test_its_own_files_come_first_then_the_standard_library_then_the_sdk(inside: Probe) -> None:
    _own, *standard, sdk, libraries = inside.run("sys.path")
    assert inside.run("os.path.samefile(sys.argv[0], sys.path[0] + '/bot.py')")
    assert all("/python" in entry and "-packages" not in entry for entry in standard)
    assert sdk.startswith("/sdk") or "/sdk-" in sdk
    assert libraries == "/runtime/python"


def test_asyncio_and_threads_work(inside: Probe) -> None:
    inside.run("import asyncio\nasync def later():\n    await asyncio.sleep(0.001)\n    return 5")
    assert inside.run("asyncio.run(later())") == 5
    assert inside.run("asyncio.run(asyncio.to_thread(sum, [1, 2]))") == 3


def test_the_entry_is_main_and_may_lie_in_a_folder(run_to_end: RunToEnd) -> None:
    # The library is at /usr on machines whose own Python plays, at /python elsewhere; its archive is first.
    source = (
        "import sys\nprint(__name__, __file__, sys.argv, sys.path[0], sys.path[1].rpartition('/lib/')[2])"
    )
    version = f"{sys.version_info.major}{sys.version_info.minor}"
    assert run_to_end(source).stdout == f"__main__ /bot/bot.py ['/bot/bot.py'] /bot python{version}.zip\n"


def test_a_traceback_shows_the_bots_lines_and_not_the_arenas(run_to_end: RunToEnd) -> None:
    ended = run_to_end("def choose():\n    return 1 / 0\n\nchoose()\n")
    assert ended.stderr == (
        "Traceback (most recent call last):\n"
        '  File "/bot/bot.py", line 4, in <module>\n'
        "    choose()\n"
        '  File "/bot/bot.py", line 2, in choose\n'
        "    return 1 / 0\n"
        "           ~~^~~\n"
        "ZeroDivisionError: division by zero\n"
    )


def test_a_syntax_error_shows_the_line(run_to_end: RunToEnd) -> None:
    ended = run_to_end("print('hello'\n")
    assert ended.report.exit_code == 1
    assert ended.stderr.startswith('  File "/bot/bot.py", line 1\n')
    assert "SyntaxError" in ended.stderr


def test_a_forgotten_flush_does_no_harm(run_to_end: RunToEnd) -> None:
    ended = run_to_end("import os\nprint('heard')\nos._exit(0)")
    assert ended.stdout == "heard\n"


def test_text_is_utf8_whatever_the_host_speaks(run_to_end: RunToEnd) -> None:
    assert run_to_end("print('\\u2660 \\u0428')").stdout == "♠ Ш\n"
