"""What exactly is played: presets, the rules of a ladder, and single agreements, in words and in values."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine import AGREEMENTS, PRESETS, Ruleset
from engine.catalogue import BASE, group_of, value_text
from thousand.accounts.selectors import is_organiser
from thousand.core.errors import NotFoundError
from thousand.pipeline.orders import limits_of
from thousand.tournaments.selectors import ladder_by_slug
from thousand.web.requests import viewer_of
from thousand.web.rulebook import (
    missing_agreement,
    missing_preset,
    presets,
    proofs,
    related,
    ruleset_context,
    values_by_preset,
)


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """Show the preset of rated matches; the page links to the others."""
    return rules_page(request, BASE)


@require_safe
def rules_page(request: HttpRequest, preset: str) -> HttpResponse:
    if preset not in PRESETS:
        raise NotFoundError(missing_preset(preset, PRESETS))
    context = {
        **ruleset_context(Ruleset.from_preset(preset, score_only=True)),
        "preset": PRESETS[preset],
        "presets": presets(),
        "may_organise": is_organiser(viewer_of(request)),
    }
    return render(request, "web/rules.html", context)


@require_safe
def ladder_rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a ladder plays, also where that is no preset."""
    ladder = ladder_by_slug(slug)
    ruleset = Ruleset.from_json(ladder.pool.ruleset)
    limits = limits_of(ladder.pool.limits, ladder.pool.players)
    context = {**ruleset_context(ruleset), "ladder": ladder, "limits": limits}
    return render(request, "web/rules_ladder.html", context)


@require_safe
def agreement_page(request: HttpRequest, agreement: str) -> HttpResponse:
    """Show one agreement: what it does, its values in every preset, and the tests that prove it."""
    row = AGREEMENTS.get(agreement)
    if row is None:
        raise NotFoundError(missing_agreement(agreement))
    context = {
        "row": row,
        "effect": _(row.effect),
        "group": _(group_of(agreement)),
        "default": value_text(row.default),
        "allowed": row.type.expected(),
        "played": None if row.played is None else [value_text(value) for value in row.played],
        "related": related(row),
        "values": values_by_preset(row),
        "proofs": proofs(agreement),
    }
    return render(request, "web/rules_agreement.html", context)
