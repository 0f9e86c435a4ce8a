"""The tests of this folder once more, by a user who owns nothing, when root runs the suite."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox.folders import reachable_by_others
from arena.sandbox.identity import FIRST_UID
from arena.sandbox.runtime import python_runtime

CHECKOUT = Path(__file__).parents[3]
USER = FIRST_UID - 1
FILES = ["test_isolation.py", "test_limits.py", "test_freeze.py", "test_lifecycle.py", "test_choose.py"]
FILES += ["test_runtime.py", "test_python_inside.py"]


@pytest.fixture
def home() -> Iterator[Path]:
    """Not below pytest's own folder, which is closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.sandbox
@pytest.mark.timeout(300)
@pytest.mark.skipif(os.geteuid() != 0, reason="the suite is run by an ordinary user already")
def test_everything_holds_for_an_ordinary_user(home: Path) -> None:
    packages = Path(pytest.__file__).parents[1]
    if not (reachable_by_others(CHECKOUT) and reachable_by_others(packages)):
        pytest.skip("other users cannot read this checkout and its environment")
    os.chown(home, USER, USER)
    runtime = python_runtime().python
    done = subprocess.run(
        [
            str(runtime / "bin" / "python3"),
            *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not thorough"),
            *(f"tests/arena/sandbox/{name}" for name in FILES),
        ],
        cwd=CHECKOUT,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(home),
            "TMPDIR": str(home),
            "LD_LIBRARY_PATH": str(runtime / "lib"),
            "PYTHONPATH": os.pathsep.join([str(CHECKOUT), str(CHECKOUT / "platform"), str(packages)]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(home / "hypothesis"),
        },
        user=USER,
        group=USER,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, f"{sys.version}\n{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    assert " passed" in done.stdout
