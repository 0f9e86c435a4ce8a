"""The vendored front end is what its lock says, and its licences are here."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[3]


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("vendor", ROOT / "tools" / "vendor.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["vendor"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_every_vendored_file_has_the_hash_of_the_lock() -> None:
    assert load_tool().differences() == []


def test_every_package_is_pinned_and_brings_its_licence() -> None:
    packages = json.loads((ROOT / "tools" / "vendor.lock.json").read_text())["packages"]
    table = (ROOT / "LICENSES" / "README.md").read_text()
    for package in packages:
        assert package["integrity"].startswith("sha512-")
        assert package["version"] in table
        assert package["licence"] in table
        assert any(file["path"].startswith("LICENSES/") for file in package["files"])


def test_nothing_unpinned_lies_among_the_vendored_files() -> None:
    packages = json.loads((ROOT / "tools" / "vendor.lock.json").read_text())["packages"]
    pinned = {file["path"] for package in packages for file in package["files"]}
    folder = ROOT / "platform/thousand/web/static/web/vendor"
    assert {str(path.relative_to(ROOT)) for path in folder.iterdir()} == {
        path for path in pinned if "/vendor/" in path
    }
