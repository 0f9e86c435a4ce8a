"""The list of bots, and one bot: how good it is, where it loses, whether it is healthy."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from thousand.bots import selectors as bots
from thousand.bots import services
from thousand.bots.models import Bot, BotVersion
from thousand.core.errors import NotFoundError
from thousand.matches import selectors as matches
from thousand.ratings import head_to_head
from thousand.ratings import selectors as ratings
from thousand.ratings.playing import play_of_version, version_shown
from thousand.tournaments import selectors as tournaments
from thousand.tournaments.models import Ladder
from thousand.web.bot_tables import (
    contracts_table,
    history_table,
    opponents_table,
    seats_table,
    verdicts_table,
)
from thousand.web.requests import post_only, signed_in, viewer_of

PAGE_SIZE = 50
RECENT_BLOCKS = 10
HISTORY_ROWS = 50
"""Rows of the table beside the rating graph, newest first."""


@dataclass(frozen=True)
class BotBlock:
    """A block as one of its bots sees it."""

    block: matches.BlockRow
    own: matches.EntryRow
    others: tuple[matches.EntryRow, ...]


@require_safe
def bots_page(request: HttpRequest) -> HttpResponse:
    name = request.GET.get("name", "").strip()[:60]
    after = request.GET.get("after") or None
    rows = bots.bots_list(limit=PAGE_SIZE + 1, name=name, after=after)
    more = len(rows) > PAGE_SIZE
    rows = rows[:PAGE_SIZE]
    return render(
        request,
        "web/bots.html",
        {"bots": rows, "name": name, "after": after, "next_after": rows[-1].public_id if more else None},
    )


@require_safe
def bot_page(request: HttpRequest, public_id: str) -> HttpResponse:
    viewer = viewer_of(request)
    bot, uploads = bots.bot_with_versions(public_id)
    ladder, others = _ladder_shown(bot, request.GET.get("ladder", ""))
    history = ratings.rating_history(ladder.pool, bot) if ladder else []
    shown = version_shown(bot, request.GET.get("version", ""))
    record = matches.record_of(bot)
    return render(
        request,
        "web/bot.html",
        {
            "bot": bots.bot_detail(bot, uploads, viewer),
            "ladder": ladder,
            "other_ladders": others,
            "standing": ratings.standing_of(ladder.pool, bot) if ladder else None,
            "history_table": history_table(history[::-1][:HISTORY_ROWS]),
            "has_graph": len(history) > 1,
            "blocks": _bot_blocks(bot),
            "verdicts_table": verdicts_table(record.verdicts),
            **_play(ladder, shown),
            "faults": matches.faults_of(bot, viewer),
            "times": record.times,
        },
    )


def _ladder_shown(bot: Bot, slug: str) -> tuple[Ladder | None, list[Ladder]]:
    """Return the ladder that was asked for, by default the first of the bot's, and its others."""
    entered = tournaments.ladders_of(bot)
    if not entered and not slug:
        return tournaments.main_ladder(), []
    shown = next((ladder for ladder in entered if not slug or ladder.pool.slug == slug), None)
    if shown is None and slug:
        raise NotFoundError(
            _("“{name}” has not played in a ladder “{slug}”.").format(name=bot.name, slug=slug)
        )
    return shown, [ladder for ladder in entered if ladder is not shown]


@require_safe
def rating_data(request: HttpRequest, public_id: str) -> JsonResponse:
    """Answer the points of the rating graph: three columns and where a new version begins."""
    bot = bots.bot_by_id(public_id)
    ladder, _others = _ladder_shown(bot, request.GET.get("ladder", ""))
    points = ratings.rating_history(ladder.pool, bot) if ladder else []
    band = ratings.fit_band(ladder.pool, bot) if ladder else []
    return JsonResponse(
        {
            "at": [round(point.at.timestamp(), 3) for point in points],
            "rating": [round(point.shown, 2) for point in points],
            "version": [point.version_number for point in points],
            "fit_at": [round(point.at.timestamp(), 3) for point in band],
            "fit": [round(point.value, 2) for point in band],
            "low": [round(point.value - point.half_width, 2) for point in band],
            "high": [round(point.value + point.half_width, 2) for point in band],
        }
    )


@post_only("web:bot", "public_id")
@login_required
def pause_bot(request: HttpRequest, public_id: str) -> HttpResponse:
    bot = services.pause_bot(bot=bots.bot_by_id(public_id), actor=signed_in(request))
    messages.success(
        request, _("%(bot)s is paused. Blocks that have begun are played to their end.") % {"bot": bot.name}
    )
    return redirect("web:bot", public_id=public_id)


@post_only("web:bot", "public_id")
@login_required
def resume_bot(request: HttpRequest, public_id: str) -> HttpResponse:
    bot = services.resume_bot(bot=bots.bot_by_id(public_id), actor=signed_in(request))
    messages.success(request, _("%(bot)s plays again.") % {"bot": bot.name})
    return redirect("web:bot", public_id=public_id)


def _bot_blocks(bot: Bot) -> list[BotBlock]:
    rows = []
    for block in matches.recent_blocks(bot=bot, limit=RECENT_BLOCKS):
        own = next(entry for entry in block.entries if entry.version.bot_id == bot.public_id)
        others = tuple(entry for entry in block.entries if entry is not own)
        rows.append(BotBlock(block, own, others))
    return rows


def _play(ladder: Ladder | None, version: BotVersion | None) -> dict[str, object]:
    """Return how a version plays on a ladder, as far as that is counted."""
    if ladder is None or version is None:
        return {}
    found: dict[str, object] = {"shown_version": version}
    if opponents := head_to_head.opponents(ladder.pool, version):
        found["opponents_table"] = opponents_table(opponents)
    if play := play_of_version(ladder.pool, version):
        found |= {"play": play, "seats_table": seats_table(play)}
        found["marriages_per_deal"] = play.per_deal(play.marriages)
        found["deals_per_bolt"] = play.deals / play.bolts if play.bolts else None
        if play.contracts:
            found["contracts_table"] = contracts_table(play)
    return found
