"""The queues of analyses, one line each."""

from thousand.analysis import services
from thousand.analysis.dispatch import ring
from thousand.celery import app


@app.task(name="analysis.work")
def work() -> None:
    if services.run_next():
        ring()


@app.task(name="analysis.recover")
def recover() -> None:
    services.recover()
