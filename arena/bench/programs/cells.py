"""How a program of cells is asked and answers: one JSON line in, one out. Standard library only.

→ {"cell": "w_step", "on": "skat"}
← 1372690.4
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

SAMPLE_S = 0.25
"""CPU seconds of one sample."""


def serve(cells: Mapping[str, Callable[..., Any]]) -> None:
    """Answer until standard input ends. What libraries print goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        how = json.loads(line)
        answers.write(json.dumps(cells[how.pop("cell")](**how)) + "\n")
        answers.flush()


def rate(work: Callable[[], int], seconds: float = SAMPLE_S) -> float:
    """Repeat work that returns how many things it did; return things a second of this process's CPU time."""
    done, begin = 0, process_time()
    while True:
        done += work()
        spent = process_time() - begin
        if spent >= seconds:
            return done / spent
