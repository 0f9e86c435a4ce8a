"""The site's addresses and those that only the benchmark asks for."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import include, path

from thousand.api import standings
from thousand.operations.bench.baseline import BaselineView


def nothing(request: HttpRequest) -> HttpResponse:
    """Answer as quickly as the site's way of answering allows."""
    return HttpResponse(b"{}", content_type="application/json")


def uncached(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """Read the standings anew."""
    standings.pages.clear()
    return standings.StandingsView.as_view()(request, **kwargs)


urlpatterns = [
    path("bench/nothing", nothing),
    path("bench/<slug:slug>/uncached", uncached),
    path("bench/<slug:slug>/baseline", BaselineView.as_view()),
    path("", include("thousand.urls")),
]
