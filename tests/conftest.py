"""Fixtures and profiles shared by every folder of tests; which tests may not run beside each other."""

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci", max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=5_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

ROOT = Path(__file__).resolve().parents[1]


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whole files of tests that start sandboxes: `make test` runs them one after the other.

    Those with a browser come first, which take long: at the end no process shall wait for another.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
    for item in items:
        if starts_sandboxes(item.nodeid.partition("::")[0]):
            item.add_marker("machine")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Say which tests one worker of `pytest -n` takes together.

    A file stays whole, so that what it prepares is prepared once. All files that start sandboxes stay with
    one worker: slots, their users and cores are the machine's, and "nothing is left" looks at all of it.
    (Groups by mark, `--dist loadgroup`, need node ids that pytest 9 no longer lets be changed.)
    """
    from xdist.scheduler import LoadScopeScheduling  # only there where workers are asked for

    class WholeFiles(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "machine" if starts_sandboxes(file) else file

    return WholeFiles(config, log)


@cache
def starts_sandboxes(file: str) -> bool:
    """Say whether a file of tests is marked so, or lies where all are."""
    if file.startswith(("tests/arena/sandbox/", "tests/end_to_end/")):
        return True
    text = (ROOT / file).read_text(encoding="utf-8")
    return "mark.sandbox" in text
