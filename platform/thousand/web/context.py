"""What every template may use without a view's help."""

from django.http import HttpRequest

from thousand.web.requests import request_id

_SECTIONS = {
    "home": "home",
    "ladders": "ladders",
    "ladder": "ladders",
    "head_to_head": "ladders",
    "bots": "bots",
    "bot": "bots",
    "version": "bots",
    "ab_tests": "bots",
    "ab_test": "bots",
    "ab_test_new": "bots",
    "upload": "upload",
    "bot_upload": "upload",
    "rules": "rules",
    "rules_index": "rules",
    "agreement": "rules",
    "ladder_rules": "ladders",
    "ladder_new": "ladders",
    "tournaments": "tournaments",
    "tournament": "tournaments",
    "tournament_new": "tournaments",
    "tournament_edit": "tournaments",
    "tournament_rules": "tournaments",
    "status": "status",
    "bot_guide": "guide",
    "account": "account",
    "account_erase": "account",
    "account_login": "login",
    "account_signup": "signup",
}
"""Which entry of the site's menu a page belongs to, by URL name."""


def site(request: HttpRequest) -> dict[str, str]:
    """Add `section` (the current menu entry) and `request_id`."""
    match = request.resolver_match
    name = match.url_name if match is not None else None
    return {"section": _SECTIONS.get(name or "", ""), "request_id": request_id(request)}
