"""docs/protocol.md shows what the code says, and the bot of the README, the template and the guide is one."""

import ast
import re
import subprocess
import sys
from pathlib import Path

from arena.verdicts import Verdict

ROOT = Path(__file__).resolve().parents[2]


def code_of(source: str) -> str:
    """Code without comments and docstrings."""
    tree = ast.parse(source)
    if ast.get_docstring(tree):
        tree.body = tree.body[1:]
    return ast.unparse(tree)


def first_python_block(page: str) -> str:
    found = re.search(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found
    return found[1]


def test_the_generated_parts_of_the_page_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "tools/make_protocol_docs.py", "--check"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}{done.stderr}; run python tools/make_protocol_docs.py"


def test_every_verdict_is_explained_to_authors() -> None:
    for page in ("docs/protocol.md", "docs/bot-guide.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for verdict in Verdict:
            assert f"`{verdict}`" in text, f"{page} does not explain {verdict}"


def test_readme_template_and_guide_show_the_same_bot() -> None:
    template = code_of((ROOT / "bots_sdk/templates/bot.py").read_text(encoding="utf-8"))
    assert code_of(first_python_block("README.md")) == template
    assert code_of(first_python_block("docs/bot-guide.md")) == template
