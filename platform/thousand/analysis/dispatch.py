"""Wakes a worker: the message says nothing, the rows say what waits."""

import logging

from django.conf import settings

from thousand.celery import app

logger = logging.getLogger(__name__)

QUEUE = "analysis"
"""Of workers that make analyses and nothing else, so that no match waits for one."""
WORK = "analysis.work"
STALE_S = 60
"""A message that nobody took so long is not worth taking: `recover` rings again."""


def ring() -> None:
    """Wake a worker that waits for messages. A broker that is away is no loss: `recover` rings again."""
    if not settings.ANALYSIS_BELL:
        return
    try:
        app.send_task(WORK, queue=QUEUE, retry=False, expires=STALE_S)
    except Exception as error:  # whatever a broker's client raises
        logger.warning("no analysis worker could be woken (%s)", error)
