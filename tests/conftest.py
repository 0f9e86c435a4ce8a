"""Fixtures and profiles shared by every folder of tests; which tests may not run beside each other."""

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci", max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=5_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

MACHINE = ("tests/arena/", "tests/end_to_end/", "tests/platform/operations/", "tests/platform/pipeline/")
"""Folders whose tests start sandboxes or whole sites: slots, their users and cores are the machine's."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Say which tests one worker of `pytest -n` takes together.

    A file stays whole, so that what it prepares is prepared once. Everything that starts sandboxes stays with
    one worker: "nothing is left" looks at all of the machine. (Groups by mark, `--dist loadgroup`, need node
    ids that pytest 9 no longer lets be changed.)
    """
    from xdist.scheduler import LoadScopeScheduling  # only there where workers are asked for

    class WholeFiles(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "machine" if nodeid.startswith(MACHINE) else nodeid.partition("::")[0]

    return WholeFiles(config, log)
