"""Resolve the dependencies of pyproject.toml and rewrite requirements/*.lock, every file with its hash."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCKS = {
    "dev.lock": ["pyproject.toml", "--extra", "dev", "--upgrade"],
    "server.lock": ["pyproject.toml", "--extra", "server", "--constraint", "requirements/dev.lock"],
    "runtime.lock": ["requirements/runtime.in", "--constraint", "requirements/dev.lock"],
    "build.lock": ["-", "--constraint", "requirements/dev.lock"],
}
"""`build.lock` holds what the editable install needs before anything else is there: the builder and the
compiler of the engine; `runtime.lock` what Python bots may import. The others are constrained by the
largest, so that they agree when they are installed together."""


def main() -> None:
    for name, sources in LOCKS.items():
        argv = [
            *(sys.executable, "-m", "uv", "pip", "compile", *sources),
            *("--universal", "--python-version", "3.11", "--generate-hashes"),
            *("--no-header", "--no-emit-index-url", "--quiet", "-o", f"requirements/{name}"),
        ]
        given = "hatchling\nmypy\nsetuptools\n" if sources[0] == "-" else None
        subprocess.run(argv, cwd=ROOT, check=True, input=given, text=True)
        print(f"requirements/{name}")


if __name__ == "__main__":
    main()
