"""The Django side of Thousand Arena: accounts, bots, ladders, ratings, replays, API and pages."""

from thousand.celery import app as celery_app

__all__ = ["celery_app"]
