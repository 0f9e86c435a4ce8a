"""The C reference of the trick-play core and of the solver, built by the system's compiler when first asked.

The sources lie in `benchmarks/c` of a checkout: they are in no wheel, and nothing imports what is built.
"""

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.bench.peers import NoPeerError
from arena.cache_folder import cache_folder

SOURCES: Final = Path(__file__).resolve().parents[2] / "benchmarks" / "c"
REFERENCES: Final = ("playouts", "solver")
FLAGS: Final = ("-O3", "-std=gnu11")


def built(name: str) -> Path:
    """Return the program of a reference; NoPeerError where there is no source or no compiler."""
    source = SOURCES / f"{name}.c"
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not source.is_file():
        raise NoPeerError("the C reference is only in a checkout")
    if compiler is None:
        raise NoPeerError("there is no C compiler")
    digest = sha256(source.read_bytes() + " ".join((compiler, *FLAGS)).encode()).hexdigest()[:12]
    program = cache_folder("bench") / "c" / f"{name}-{digest}"
    if not program.is_file():
        program.parent.mkdir(parents=True, exist_ok=True)
        aside = program.with_suffix(f".{os.getpid()}")
        run = subprocess.run(
            [compiler, *FLAGS, "-o", str(aside), str(source)], capture_output=True, text=True, check=False
        )
        if run.returncode:
            raise NoPeerError(f"the C reference does not compile: {run.stderr.strip().splitlines()[-1]}")
        aside.rename(program)
    return program
