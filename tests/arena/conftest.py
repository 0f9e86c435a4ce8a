"""One proved sandbox for all tests that need one."""

import pytest

from arena.sandbox import Sandbox, SandboxUnavailableError, choose_sandbox


@pytest.fixture(scope="session")
def proved_sandbox() -> Sandbox:
    """The best sandbox of this machine; tests are skipped where there is none, with the reason."""
    try:
        return choose_sandbox()
    except SandboxUnavailableError as error:
        pytest.skip(str(error))
