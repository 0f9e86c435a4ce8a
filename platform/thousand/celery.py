"""The platform's Celery app: consumes queue `platform`, where workers report and beat ticks.

The arena has an app of its own (`arena.celery`), so that the processes that run strangers' code need
neither Django nor its secrets.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "thousand.settings.production")

app = Celery("thousand")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["thousand.pipeline", "thousand.analysis", "thousand.operations"])
