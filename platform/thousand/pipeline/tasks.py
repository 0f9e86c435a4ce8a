"""The platform's queue, one line each. Deadlocks and a database that is away are tried again."""

from django.db import OperationalError

from thousand.celery import app
from thousand.pipeline import services


@app.task(
    name="platform.worker_message",
    autoretry_for=(OperationalError,),
    max_retries=5,
    default_retry_delay=1,
)
def worker_message(message: str) -> None:
    services.handle_worker_message(message)


@app.task(name="platform.tick")
def tick() -> None:
    services.tick()
