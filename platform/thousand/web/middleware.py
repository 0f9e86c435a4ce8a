"""Headers of every answer: a strict content security policy, and a request id that error pages print."""

import re
import secrets

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from thousand.core.errors import ApplicationError
from thousand.web.requests import REQUEST_ID
from thousand.web.views.errors import error_page

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # Pico's form icons are data: images inside its style sheet; nothing is fetched for them.
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)

_ACCEPTED_ID = re.compile(r"[0-9A-Za-z-]{8,64}")


class RequestIdMiddleware(MiddlewareMixin):
    """Gives each request an id: the proxy's `X-Request-ID` where it is sane, else eight random bytes."""

    def process_request(self, request: HttpRequest) -> None:
        given = request.headers.get("X-Request-ID", "")
        request.META[REQUEST_ID] = given if _ACCEPTED_ID.fullmatch(given) else secrets.token_hex(8)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers["X-Request-ID"] = request.META[REQUEST_ID]
        return response


class ContentSecurityPolicyMiddleware(MiddlewareMixin):
    """Nothing inline, nothing from elsewhere. A view that must differ sets the header itself."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        return response


class ApplicationErrorMiddleware(MiddlewareMixin):
    """Turns an `ApplicationError` that a page view raised into its error page; the API maps its own."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, ApplicationError):
            return error_page(request, exception)
        return None
