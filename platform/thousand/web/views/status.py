"""Is the arena working, and when is it my turn?"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from thousand.analysis.selectors import analysis_queue
from thousand.pipeline import selectors as pipeline
from thousand.web.requests import wants_part


@require_safe
def status_page(request: HttpRequest) -> HttpResponse:
    template = "web/parts/status_body.html" if wants_part(request) else "web/status.html"
    context = {
        "arena": pipeline.arena_status(),
        "offer": pipeline.arena_offer(),
        "analyses": analysis_queue(),
    }
    return render(request, template, context)
