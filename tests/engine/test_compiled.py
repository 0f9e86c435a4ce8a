"""The engine runs compiled or interpreted, says which, and never runs what its sources do not say."""

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import engine
from engine import match

ENGINE = Path(engine.__file__).parent
MEANT_TO_BE_PURE = os.environ.get("THOUSAND_COMPILE") == "0"
PRINT_FORM = "import engine; from engine import match; print(engine.COMPILED, match.__file__)"


def run(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python as the sandbox does for bots: isolated, the standard library and one folder."""
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); {code}"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with the engine alone, compiled modules included."""
    shutil.copytree(ENGINE, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_suite_tests_the_form_it_is_meant_to() -> None:
    assert engine.COMPILED is not MEANT_TO_BE_PURE, (
        "if it should be compiled, `make compile` tells what is missing"
    )
    assert str(match.__file__).endswith(".py" if MEANT_TO_BE_PURE else tuple(EXTENSION_SUFFIXES))


@pytest.mark.skipif(MEANT_TO_BE_PURE, reason="about compiled modules")
def test_a_copied_folder_runs_compiled_with_the_standard_library_alone(copied: Path) -> None:
    form, file = run(PRINT_FORM, copied).stdout.split()
    assert form == "True"
    assert file.startswith(str(copied))
    assert file.endswith(tuple(EXTENSION_SUFFIXES))


def test_the_environment_asks_for_the_sources(copied: Path) -> None:
    form, file = run(PRINT_FORM, copied, THOUSAND_COMPILE="0").stdout.split()
    assert form == "False"
    assert file.endswith("match.py")


@pytest.mark.skipif(MEANT_TO_BE_PURE, reason="about compiled modules")
def test_a_changed_source_is_an_error_that_says_what_to_do(copied: Path) -> None:
    source = copied / "engine" / "play.py"
    source.write_text(source.read_text() + "\n# changed\n")
    refused = run(PRINT_FORM, copied)
    assert refused.returncode == 1
    assert f"{source} was changed after it was compiled" in refused.stderr
    assert "make compile" in refused.stderr
    assert run(PRINT_FORM, copied, THOUSAND_COMPILE="0").returncode == 0


def test_without_compiled_modules_the_sources_run(copied: Path) -> None:
    for library in (copied / "engine").glob("*.so"):
        library.unlink()
    assert run(PRINT_FORM, copied).stdout.split()[0] == "False"
