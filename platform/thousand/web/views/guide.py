"""How to write a bot, on one page."""

from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena.orders import Limits
from arena.starters import STARTERS, starter_source
from thousand.bots.quotas import quotas
from thousand.pipeline.selectors import arena_offer


@dataclass(frozen=True)
class Starter:
    """A language's starter bot."""

    name: str
    title: str
    filename: str
    source: str


@require_safe
def bot_guide_page(request: HttpRequest) -> HttpResponse:
    offer = arena_offer()
    starters = [starter for starter in _starters() if starter.name in offer.names]
    context = {
        "limits": Limits(),
        "quotas": quotas(),
        "offer": offer,
        "example": starters[0].source,
        "others": starters[1:],
        "built": [language for language in offer.languages if language.built],
    }
    return render(request, "web/guide.html", context)


@cache
def _starters() -> tuple[Starter, ...]:
    """Return the bots that `thousand new` writes: the page shows what the author will have."""
    return tuple(
        Starter(language.name, language.title, language.default_entry, starter_source(language).rstrip())
        for language in STARTERS
    )
