"""The site's processes as operators start them, but with named steps at which a test may strike.

    python -m tests.platform.pipeline.staged FOLDER platform|beat|arena|web [ARG ...]

A test arms a step by writing `FOLDER/armed/STEP` with `kill` or `hold` in it. The first process that comes
there takes the file away, and either dies on the spot as by `kill -9`, or waits until the test removes
`FOLDER/held/STEP`, in which it finds the process. Every message of a worker is kept in `FOLDER/said`, so
that the test can deliver it again. Nothing of this is in the product: its functions are wrapped here, by
name, and a name that has gone is an error.
"""

import importlib
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Literal

HOLD_S = 60.0
"""A step that a test has forgotten goes on after this."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where in the program a step is: just before or after a function is called."""

    process: Literal["platform", "arena", "web"]
    module: str
    function: str
    when: Literal["before", "after"]
    only: str = ""
    """Of functions that take a message: the name of its type."""


STEPS = {
    "plan-begun": Step("platform", "thousand.pipeline.services", "propose_block", "before"),
    "plan-uncommitted": Step("platform", "thousand.pipeline.services", "propose_block", "after"),
    "order-marked": Step("platform", "thousand.pipeline.dispatch", "mark_sent", "after"),
    "order-committed": Step("platform", "thousand.pipeline.dispatch", "_send", "before"),
    "order-sent": Step("platform", "thousand.pipeline.dispatch", "_send", "after"),
    "start-taken": Step("platform", "thousand.pipeline.services", "start_match", "before"),
    "start-counted": Step("platform", "thousand.pipeline.completion", "mark_started", "after"),
    "heartbeat-taken": Step("platform", "thousand.pipeline.services", "record_heartbeat", "before"),
    "report-taken": Step("platform", "thousand.pipeline.services", "complete_match", "before"),
    "report-checked": Step("platform", "thousand.pipeline.completion", "check_report", "after"),
    "replay-stored": Step("platform", "thousand.pipeline.completion", "store_replay", "after"),
    "match-finished": Step("platform", "thousand.pipeline.completion", "finish_match", "after"),
    "block-closed": Step("platform", "thousand.pipeline.completion", "close_block", "after"),
    "block-rated": Step("platform", "thousand.pipeline.completion", "rate_block", "after"),
    "block-committed": Step("platform", "thousand.pipeline.services", "complete_match", "after"),
    "sweep-begun": Step("platform", "thousand.pipeline.services", "sweep", "before"),
    "fit-computed": Step("platform", "thousand.ratings.fitting", "fit", "after"),
    "verdict-settled": Step("platform", "thousand.bots.validation", "settle", "after"),
    "worker-has-order": Step("arena", "arena.slots", "RunnerSlot.play", "before"),
    "worker-starts": Step("arena", "arena.worker", "ArenaWorker._say", "before", "MatchStarted"),
    "worker-plays": Step("arena", "arena.worker", "ArenaWorker._say", "after", "MatchStarted"),
    "worker-beats": Step("arena", "arena.worker", "ArenaWorker._say", "before", "Heartbeat"),
    "worker-has-report": Step("arena", "arena.worker", "ArenaWorker._say", "before", "MatchFinished"),
    "worker-has-reported": Step("arena", "arena.worker", "ArenaWorker._say", "after", "MatchFinished"),
    "upload-stored": Step("web", "thousand.bots.services", "_add_version", "before"),
    "upload-committed": Step("web", "thousand.bots.services", "_add_version", "after"),
}


def steps_of(process: str) -> list[str]:
    return [name for name, step in STEPS.items() if step.process == process]


def install(folder: Path, process: str) -> None:
    """Wrap the functions of this process's steps."""
    for name in steps_of(process):
        step = STEPS[name]
        holder: Any = importlib.import_module(step.module)
        *path, attribute = step.function.split(".")
        for part in path:
            holder = getattr(holder, part)
        setattr(holder, attribute, _stepped(folder, name, step, getattr(holder, attribute)))


def _stepped(folder: Path, name: str, step: Step, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def stepped(*args: Any, **options: Any) -> Any:
        concerned = not step.only or type(args[-1]).__name__ == step.only
        if concerned and step.when == "before":
            _reach(folder, name)
        result = function(*args, **options)
        if concerned and step.when == "after":
            _reach(folder, name)
        return result

    return stepped


def _reach(folder: Path, name: str) -> None:
    taken = folder / "taken" / f"{name}.{os.getpid()}"
    try:
        (folder / "armed" / name).rename(taken)
    except FileNotFoundError:
        return
    action = taken.read_text()
    held = folder / "held" / name
    partial = held.with_suffix(f".{os.getpid()}")
    partial.write_text(str(os.getpid()))
    partial.rename(held)
    if action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    patience = time.monotonic() + HOLD_S
    while held.exists() and time.monotonic() < patience:
        time.sleep(0.02)


def keep_what_is_said(folder: Path) -> None:
    """Write each message of a worker to a file, named so that files sort by time."""
    celery = importlib.import_module("arena.celery")
    send = celery.send_to_platform

    def kept(message: str) -> None:
        path = folder / "said" / f"{time.time():017.6f}-{os.getpid()}"
        path.with_suffix(".new").write_text(message)
        path.with_suffix(".new").rename(path)
        send(message)

    celery.send_to_platform = kept


def main() -> None:
    folder, process, *arguments = Path(sys.argv[1]), *sys.argv[2:]
    if process == "web":
        import uvicorn

        _load_site()
        install(folder, "web")
        uvicorn.run(
            "thousand.asgi:application", host="127.0.0.1", port=int(arguments[0]), log_level="warning"
        )
        return
    from celery.bin.celery import main as celery

    if process == "arena":
        importlib.import_module("arena.celery")
        keep_what_is_said(folder)
        sys.argv = ["celery", "-A", "arena.celery", "worker", *arguments]
    else:
        _load_site()
        sys.argv = ["celery", "-A", "thousand", "worker" if process == "platform" else process, *arguments]
    install(folder, process)
    sys.exit(celery())


def _load_site() -> None:
    import django

    importlib.import_module("thousand.celery")
    django.setup()
    importlib.import_module("thousand.pipeline.tasks")


if __name__ == "__main__":
    main()
