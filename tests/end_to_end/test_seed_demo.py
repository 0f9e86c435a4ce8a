"""The demonstration site: what developers look at pages with, and where the README's picture comes from."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.thorough
def test_an_empty_site_is_filled_once(tmp_path: Path) -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "thousand.settings.embedded",
        "THOUSAND_DATA": str(tmp_path),
    }

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True
        )

    assert run("manage.py", "migrate", "--verbosity=0").returncode == 0
    filled = run("tools/seed_demo.py", "--blocks", "1")
    assert filled.returncode == 0, filled.stderr
    # The rated one, a void one and one that has begun.
    assert filled.stdout.startswith("3 blocks, ")
    again = run("tools/seed_demo.py")
    assert (again.returncode, again.stderr) == (1, "This site has blocks already; seed an empty one.\n")
