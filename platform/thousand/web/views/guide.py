"""How to write a bot, on one page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena.orders import Limits
from thousand.bots.quotas import quotas


@require_safe
def bot_guide_page(request: HttpRequest) -> HttpResponse:
    return render(request, "web/guide.html", {"limits": Limits(), "quotas": quotas()})
