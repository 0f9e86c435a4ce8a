"""How often one may call. Rates are in the setting `API_RATES`, by scope.

Calls are counted in the cache: for all processes of a site together where that is Redis. While the cache is
away nobody is counted; the site answers on.
"""

import logging
from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from thousand.accounts.models import User

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports this module


logger = logging.getLogger(__name__)


class RateThrottle(SimpleRateThrottle):
    """A rate of one scope for each account, or for each address without one."""

    def __init__(self) -> None:
        """Wait for the request: it decides the scope."""

    def scope_of(self, request: Request) -> str | None:
        """Return a key of `API_RATES`, or None for a call that this throttle does not count."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Return whether the call may go on."""
        scope = self.scope_of(request)
        if scope is None:
            return True
        self.scope = scope
        self.rate = settings.API_RATES[scope]
        self.num_requests, self.duration = self.parse_rate(self.rate)
        try:
            return super().allow_request(request, view)
        except Exception as error:  # whatever a cache's client raises
            logger.warning("calls are not counted, because the cache does not answer: %s", error)
            return True

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        """Return the key that counts this caller's calls."""
        user = request.user
        caller = user.public_id if isinstance(user, User) else self.get_ident(request)
        return f"throttle-{self.scope}-{caller}"


class CallsThrottle(RateThrottle):
    """All calls."""

    def scope_of(self, request: Request) -> str | None:
        """Count accounts apart from addresses, which many people may share."""
        return "account" if isinstance(request.user, User) else "anonymous"


class UploadThrottle(RateThrottle):
    """Uploads: each costs a validation by real matches."""

    def scope_of(self, request: Request) -> str | None:
        """Count what writes."""
        return "upload" if request.method == "POST" else None


class AnalyseThrottle(RateThrottle):
    """Analyses: each costs a worker half a minute or more."""

    def scope_of(self, request: Request) -> str | None:
        """Count what asks for one; who has no account may ask for fewer."""
        if request.method != "POST":
            return None
        return "analyse" if isinstance(request.user, User) else "analyse_anonymous"


class OrganiseThrottle(RateThrottle):
    """What organisers create."""

    def scope_of(self, request: Request) -> str | None:
        """Count what writes."""
        return "organise" if request.method == "POST" else None
