"""docs/rules.md says what the engine does: its generated parts are fresh."""

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_rules_doc", ROOT / "tools" / "make_rules_doc.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_parts_are_fresh() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert load_tool().with_generated_parts(page) == page, "run: python tools/make_rules_doc.py"
