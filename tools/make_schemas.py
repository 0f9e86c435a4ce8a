"""Writes the JSON Schemas of the wire protocol and of replays to docs/schemas.

python tools/make_schemas.py            write them
python tools/make_schemas.py --check    say which files are stale, and exit with 1
"""

import json
import sys
from pathlib import Path

from arena.schemas import all_schemas

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "schemas"


def main() -> int:
    """Write the files, or check them."""
    stale = []
    for name, schema in all_schemas().items():
        path = FOLDER / f"{name}.json"
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.name)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    if stale:
        print(("stale: " if "--check" in sys.argv else "written: ") + ", ".join(stale))
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
