"""The replay viewer: its page with the first picture drawn, one deal as a static page, the transcript."""

import gzip
import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from bots_sdk.cards import marriage_values
from engine import CARD_POINTS, CARD_TEXTS, PRESETS
from thousand.core.encoding import accepts_gzip, names_tag
from thousand.core.errors import NotFoundError
from thousand.matches.selectors import MatchView, match_of_replay, readable_replay
from thousand.replays.captions import SUIT_SIGNS
from thousand.replays.frames import (
    BARREL,
    FINES,
    SheetRow,
    all_dealt,
    barrel_attempts,
    groups,
    picture,
    sheet,
    shown_cards,
    transcript,
)
from thousand.replays.legal_moves import legal_cards
from thousand.replays.models import Replay
from thousand.replays.selectors import document, published_replay
from thousand.replays.transfer import FORM, transfer_form
from thousand.replays.versions import is_of_other_rules, version_notice
from thousand.web.analysis_texts import analysis_texts
from thousand.web.requests import viewer_of
from thousand.web.viewer_texts import VIEWER_TEXTS, viewer_texts

SHEET_FIELDS = ("role", "contract", "tricks", "cards", "marriages", "base", "fines", "barrel", "total")
EMPTY = "\u2013"
IMMUTABLE = "public, max-age=31536000, immutable"
PRIVATE = "private, no-store"

_NUMBER = re.compile(r"\d{1,6}")


@require_safe
@gzip_page
def replay_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """The viewer. `?deal=3` is that deal as a page without JavaScript, `?transcript` the match as plain text,
    `?legal=3` the cards that could have been played in that deal, as JSON."""
    viewer = viewer_of(request)
    stored = document(readable_replay(public_id, viewer))
    # The API asks only those who are signed in for a token; making one sets a cookie, and then no cache may
    # keep the page, which is everybody's.
    csrf = "" if viewer is None else get_token(request)
    return answer(request, public_id, stored, match_of_replay(public_id, viewer), csrf=csrf)


@require_safe
def replay_moved(request: HttpRequest, public_id: str) -> HttpResponse:
    """Lead from the address with a slash behind it to the one without, which links to steps have."""
    query = request.META["QUERY_STRING"]
    address = reverse("web:replay", args=[public_id])
    return redirect(f"{address}?{query}" if query else address, permanent=True)


@require_safe
def replay_events(request: HttpRequest, public_id: str) -> HttpResponse:
    """What the viewer fetches: the events in columns, packed; for ever the same."""
    try:
        return _events(request, published_replay(public_id), IMMUTABLE)
    except NotFoundError:
        return _events(request, readable_replay(public_id, viewer_of(request)), PRIVATE)


def _events(request: HttpRequest, replay: Replay, caching: str) -> HttpResponse:
    tag = f"{replay.digest}-{FORM}"
    headers = {"ETag": f'"{tag}"', "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if names_tag(request, tag):
        return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    body = msgspec.json.encode(transfer_form(document(replay)))
    if accepts_gzip(request.headers.get("Accept-Encoding", "")):
        body = gzip.compress(body, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return HttpResponse(body, content_type="application/json", headers=headers)


def answer(
    request: HttpRequest, public_id: str, stored: Mapping[str, Any], match: MatchView, *, csrf: str = ""
) -> HttpResponse:
    """Draw a replay document of a match; asks the database nothing. `csrf` is of who may need a token."""
    # Isolated, so that a name written from right to left keeps its version behind it.
    names = [f"\u2068{seat.version.bot_name}\u2069 v{seat.version.number}" for seat in match.seats]
    context = {
        "replay_id": public_id,
        "document_url": f"/api/v1/replays/{public_id}/",
        "match": match,
        "replay": stored,
        "names": names,
        "older": is_of_other_rules(stored),
        "version_notice": version_notice(stored),
        "sprite": static("web/cards.svg"),
        "preset_known": match.ruleset_preset in PRESETS,
    }
    if "transcript" in request.GET:
        return _transcript(stored, match)
    if _NUMBER.fullmatch(request.GET.get("legal", "")):
        return _legal(stored, int(request.GET["legal"]))
    if _NUMBER.fullmatch(request.GET.get("deal", "")):
        return _deal_page(request, stored, names, context)
    first = picture(stored, 0, names)
    context |= {
        "picture": first,
        "seats": list(zip(first.seats, match.seats, strict=True)),
        "page": _page_data(public_id, stored, match, names) | {"analysis": _analysis_data(public_id, csrf)},
        "embedded": "embed" in request.GET,
        "without_controls": request.GET.get("controls") == "0",
    }
    return render(request, "web/replay.html", context)


def _analysis_data(public_id: str, csrf: str) -> dict[str, Any]:
    """Return what the analysis panel needs to ask for an analysis and to show it."""
    return {
        "status": reverse("api:replay_analysis", args=[public_id]),
        "csrf": csrf,
        "script": static("web/analysis/panel.js"),
        "style": static("web/analysis/panel.css"),
        "help": reverse("web:analysis_help"),
        "texts": analysis_texts(),
    }


def _deal_page(
    request: HttpRequest, stored: Mapping[str, Any], names: list[str], context: dict[str, Any]
) -> HttpResponse:
    last = len(stored["deals"]) - 1
    asked = int(request.GET["deal"])
    deal = min(asked, last)
    dealt = all_dealt(stored, deal)[-1]
    context |= {
        "asked": asked if asked > last else None,
        "deal": deal,
        "last_deal": last,
        "previous_deal": deal - 1 if deal else None,
        "next_deal": deal + 1 if deal < last else None,
        "dealt": dealt,
        "hands": [(name, shown_cards(hand)) for name, hand in zip(names, dealt["hands"], strict=True)],
        "heaps": [(title, shown_cards(cards)) for title, cards in _heaps(dealt) if cards],
        "groups": list(groups(stored["deals"][deal]["events"], barrel_attempts(stored))),
    }
    if found := sheet(stored, deal, names):
        context |= {
            "sheet": found,
            "sheet_heads": [VIEWER_TEXTS[f"sheet-{field}"] for field in SHEET_FIELDS],
            "sheet_rows": [(row, _sheet_cells(row)) for row in found.rows],
        }
    return render(request, "web/replay_deal.html", context)


def _heaps(dealt: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Return what was dealt to nobody, each with its title."""
    heaps = [(_("Widow"), dealt["widow"])]
    heaps += [(_("Widow {n}").format(n=n), pile) for n, pile in enumerate(dealt.get("piles", ()), 1)]
    return [*heaps, (_("Dead hand"), dealt.get("dead", [])), (_("Stock"), dealt.get("stock", []))]


def _sheet_cells(row: SheetRow) -> list[str]:
    """Return a seat's line of the score sheet in words, in the order of `SHEET_FIELDS`."""
    barrel = [_word("sits")] if row.sits else []
    barrel += [f"{_word(f'cause-{cause}')} {amount}" for cause, amount in row.barrel]
    if row.attempts:
        barrel.append(_word("attempt").replace("{n}", str(row.attempts)))
    return [
        _role(row),
        f"{row.contract or ''} {_word(row.result)}".strip() if row.declarer else EMPTY,
        row.tricks,
        row.cards,
        ", ".join(f"{SUIT_SIGNS[suit]} {value}" for suit, value in row.marriages) or EMPTY,
        _named(row.base),
        _named(row.fines),
        ", ".join(barrel) or EMPTY,
        f"{row.before} → {row.after}",
    ]


def _role(row: SheetRow) -> str:
    if row.declarer:
        return _word("declarer")
    return _word("sits-out") if row.sits_out else _word("defender") if row.defender else EMPTY


def _named(entries: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{_word(f'cause-{cause}')} {amount}" for cause, amount in entries) or EMPTY


def _word(key: str) -> str:
    return str(VIEWER_TEXTS.get(key, key))


def _transcript(stored: Mapping[str, Any], match: MatchView) -> HttpResponse:
    names = [f"{seat.version.bot_name} v{seat.version.number}" for seat in match.seats]
    title = _("Thousand Arena, match {match}, preset {preset}, rules version {rules}").format(
        match=match.public_id, preset=match.ruleset_preset, rules=match.rules_version
    )
    if notice := version_notice(stored):
        title = f"{title}\n{notice}"
    answer = HttpResponse(transcript(stored, title, names), content_type="text/plain; charset=utf-8")
    name = f"thousand-{match.public_id}.txt"
    answer["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return answer


def _legal(stored: Mapping[str, Any], deal: int) -> JsonResponse:
    if deal >= len(stored["deals"]):
        raise NotFoundError(_("This replay has no deal {deal}.").format(deal=deal))
    return JsonResponse({"cards": legal_cards(stored, deal)})


def _page_data(
    public_id: str, stored: Mapping[str, Any], match: MatchView, names: list[str]
) -> dict[str, Any]:
    """Return what the module needs beyond the events; no value here is secret."""
    notes = {
        seat: private.quoted or private.message
        for seat, private in enumerate(match.private)
        if private is not None and match.seats[seat].verdict != "ok"
    }
    return {
        "events": f"{reverse('web:replay_events', args=[public_id])}?form={FORM}",
        "sprite": static("web/cards.svg"),
        "names": names,
        "marriages": marriage_values(stored["ruleset"]["agreements"]),
        "groups": dict.fromkeys(FINES, "fines") | dict.fromkeys(BARREL, "barrel"),
        "points": {text: CARD_POINTS[card] for card, text in enumerate(CARD_TEXTS)},
        "faultNotes": notes,
        "block": reverse("web:block", args=[match.block.public_id]),
        "texts": viewer_texts(),
    }
