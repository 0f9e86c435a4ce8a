"""What the site may ask of a worker, by name; one JSON order each. Reports come back as messages."""

from arena.celery import app
from arena.worker import current


@app.task(name="arena.play_match")
def play_match(order_json: str) -> None:
    """Play one match."""
    current().play_match(order_json)


@app.task(name="arena.validate_bot")
def validate_bot(order_json: str) -> None:
    """Find out whether an upload is fit to compete."""
    current().validate_bot(order_json)
