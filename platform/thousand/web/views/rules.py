"""What exactly a pool plays: a preset in words and in values."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine import PLAYABLE_PRESETS, PRESETS, Ruleset
from thousand.core.errors import NotFoundError
from thousand.web.rulebook import DEFAULT_PRESET, SUIT_SIGNS, agreement_groups, sentences


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """Show the preset of rated matches; the page links to the others."""
    return rules_page(request, DEFAULT_PRESET)


@require_safe
def rules_page(request: HttpRequest, preset: str) -> HttpResponse:
    if preset not in PLAYABLE_PRESETS:
        raise NotFoundError(
            _("There is no preset “%(preset)s” that the arena plays. It plays: %(presets)s.")
            % {"preset": preset[:60], "presets": ", ".join(PLAYABLE_PRESETS)}
        )
    ruleset = Ruleset.from_preset(preset)
    groups = agreement_groups(ruleset)
    marriages = [
        (letter, sign, points)
        for (letter, sign), points in zip(SUIT_SIGNS, ruleset.marriage_points, strict=True)
    ]
    return render(
        request,
        "web/rules.html",
        {
            "preset": PRESETS[preset],
            "presets": [PRESETS[name] for name in PLAYABLE_PRESETS],
            "default_preset": DEFAULT_PRESET,
            "ruleset": ruleset,
            "sentences": sentences(ruleset),
            "groups": groups,
            "differing": [row for group in groups for row in group.rows if row.differs],
            "marriages": marriages,
        },
    )
