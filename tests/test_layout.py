"""`platform/` is a source root: a package there would shadow Python's own `platform` module."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_platform_is_not_a_package() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists()


def test_platform_holds_exactly_one_package() -> None:
    packages = {path.name for path in (ROOT / "platform").iterdir() if path.is_dir()}
    assert packages - {"__pycache__"} == {"thousand"}


def test_standard_library_platform_wins_in_the_root() -> None:
    code = "import platform, uuid; platform.system(); print(platform.__file__)"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert str(ROOT) not in result.stdout


def test_tests_are_no_package() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))
