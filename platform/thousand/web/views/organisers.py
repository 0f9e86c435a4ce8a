"""What only organisers read."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from thousand.accounts.selectors import is_organiser
from thousand.core.errors import NotAllowedError
from thousand.ratings.collusion import FALSE_ALARMS, LEAST_BLOCKS
from thousand.ratings.collusion_reports import newest_reports
from thousand.web.requests import signed_in


@require_safe
@login_required
def collusion_page(request: HttpRequest) -> HttpResponse:
    """Show the newest report on pairs of bots, pool by pool."""
    if not is_organiser(signed_in(request)):
        raise NotAllowedError(_("Reports on pairs of bots are for organisers."))
    context = {"reports": newest_reports(), "least_blocks": LEAST_BLOCKS, "percent": 100 * FALSE_ALARMS}
    return render(request, "web/collusion.html", context)
