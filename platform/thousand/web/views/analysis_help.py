"""What the numbers of an analysis mean, in words."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.analysis.bidding import BOLD, SOUND, TIMID
from arena.analysis.deciding import BID_WORLDS, CARD_WORLDS
from arena.analysis.document import Threshold
from arena.analysis.marks import BLUNDER, GOOD, INACCURACY, MISTAKE


@require_safe
def analysis_help_page(request: HttpRequest) -> HttpResponse:
    context = {
        "worlds": {"cards": CARD_WORLDS, "bids": BID_WORLDS},
        "bids": {"sound": round(100 * SOUND), "bold": round(100 * BOLD), "timid": round(100 * TIMID)},
        "marks": [
            ("!", _("good"), _("every other action would give up {chance} %").format(chance=_chance(GOOD))),
            ("?!", _("inaccuracy"), _meaning(INACCURACY)),
            ("?", _("mistake"), _meaning(MISTAKE)),
            ("??", _("blunder"), _meaning(BLUNDER)),
        ],
    }
    return render(request, "web/analysis_help.html", context)


def _meaning(threshold: Threshold) -> str:
    return _("{chance} % of winning chance given up, or {points} points").format(
        chance=_chance(threshold), points=f"{threshold.points:g}"
    )


def _chance(threshold: Threshold) -> str:
    return f"{100 * threshold.chance:g}"
