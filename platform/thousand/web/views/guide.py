"""How to write a bot, on one page."""

from functools import cache
from importlib.resources import files

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena.orders import Limits
from thousand.bots.quotas import quotas


@require_safe
def bot_guide_page(request: HttpRequest) -> HttpResponse:
    return render(request, "web/guide.html", {"limits": Limits(), "quotas": quotas(), "example": _example()})


@cache
def _example() -> str:
    """Return the bot that `thousand new` writes: the page shows what the author will have."""
    return files("bots_sdk").joinpath("templates/bot.py").read_text(encoding="utf-8").rstrip()
