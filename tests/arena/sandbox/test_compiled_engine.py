"""The compiled engine reaches the bots: `/sdk` holds it, and the bots' interpreter runs it."""

import subprocess

import engine
from arena.sandbox.runtime import python_runtime


def test_bots_run_the_engine_in_the_form_the_arena_does() -> None:
    runtime = python_runtime()
    code = f"import sys; sys.path.insert(0, {str(runtime.sdk)!r}); import engine; print(engine.COMPILED)"
    shown = subprocess.run(
        [runtime.python / "bin" / "python3", "-I", "-S", "-c", code],
        env={},
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.strip() == str(engine.COMPILED)
