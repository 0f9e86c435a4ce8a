"""What beat asks for, one line each."""

from thousand.celery import app
from thousand.operations.nightly import run_nightly_if_due


@app.task(name="operations.nightly")
def nightly() -> None:
    run_nightly_if_due()
