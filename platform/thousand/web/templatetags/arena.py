"""How values look on a page: formats of ratings, scores, shares, times and ids, and the site's icons."""

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django import template
from django.template.defaultfilters import linebreaksbr
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.sizes import KB, size_text
from thousand.matches.points import score_text
from thousand.ratings.selectors import Standing
from thousand.web.intervals import IntervalAxis, IntervalBar, draw_interval
from thousand.web.sparklines import Sparkline, draw_sparkline

register = template.Library()

MINUS = "\u2212"
THIN_SPACE = "\u2009"
NO_BREAK = "\u00a0"

VERDICT_WORDS = {
    "ok": gettext_lazy("no fault"),
    "illegal_action": gettext_lazy("illegal action"),
    "invalid_message": gettext_lazy("invalid message"),
    "timeout": gettext_lazy("timed out"),
    "crash": gettext_lazy("crashed"),
    "memory_limit": gettext_lazy("over the memory limit"),
    "output_limit": gettext_lazy("over the output limit"),
    "start_failure": gettext_lazy("did not start"),
}

VERDICT_CLAUSES = {
    "illegal_action": gettext_lazy("answered with an illegal action"),
    "invalid_message": gettext_lazy("sent an invalid message"),
    "timeout": gettext_lazy("timed out"),
    "crash": gettext_lazy("crashed"),
    "memory_limit": gettext_lazy("went over the memory limit"),
    "output_limit": gettext_lazy("wrote more than the output limit"),
    "start_failure": gettext_lazy("did not start"),
}

TERMINATION_WORDS = {
    "target": gettext_lazy("a bot won"),
    "deal_limit": gettext_lazy("the deal limit of the rules"),
    "deal_cap": gettext_lazy("the arena's limit of deals"),
    "all_faulted": gettext_lazy("faults of all seats"),
}

TIE_BREAK_WORDS = {
    "score": gettext_lazy("points"),
    "encounter": gettext_lazy("encounter"),
    "points": gettext_lazy("final points"),
    "contracts": gettext_lazy("contracts"),
    "forfeits": gettext_lazy("faults"),
    "fit": gettext_lazy("fit"),
}

_MESSAGE_ICONS = {"success": "ok", "error": "fault", "warning": "warning"}


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return one drawing of the sprite; decorative: a word always stands near it."""
    return format_html(
        '<svg class="icon icon-{0}" width="16" height="16" aria-hidden="true">'
        '<use href="{1}#{0}"></use></svg>',
        name,
        static("web/icons.svg"),
    )


@register.filter
def message_icon(level: str) -> str:
    """Return the icon for one of Django's message levels."""
    return _MESSAGE_ICONS.get(level, "info")


@register.filter
def count(value: int | None) -> str:
    """Return a count: plain below 10 000, then grouped by thin spaces; a dash for None."""
    if value is None:
        return "\u2013"
    digits = f"{abs(value):,}".replace(",", THIN_SPACE) if abs(value) >= 10_000 else str(abs(value))
    return (MINUS if value < 0 else "") + digits


@register.filter
def rating(value: float | None) -> str:
    """Return a rating as a whole number, halves up."""
    return "\u2013" if value is None else count(math.floor(value + 0.5))


@register.filter
def signed(value: float | None) -> str:
    """Return a difference with its sign and one decimal: +6.2, −3.1, 0.0 for no change."""
    if value is None:
        return "\u2013"
    text = f"{abs(value):.1f}"
    if text == "0.0":
        return text
    return (MINUS if value < 0 else "+") + text


@register.filter
def signed_fine(value: float) -> str:
    """Return a difference with its sign and two decimals: +2.94, −0.05, 0.00."""
    text = f"{abs(value):.2f}"
    return text if text == "0.00" else (MINUS if value < 0 else "+") + text


@register.filter
def signed_whole(value: int) -> str:
    """Return a whole difference with its sign: +120, −60, 0."""
    return count(value) if value <= 0 else "+" + count(value)


@register.filter
def slot_letter(slot: int) -> str:
    """Return the letter that marks a bot on its block's page."""
    return "ABCD"[slot]


@register.filter
def half_points(halves: int) -> str:
    """Return a number of halves as points: 15 is 7½."""
    return score_text(halves)


@register.filter
def tie_break(name: str | None) -> str:
    """Return what sets two rows of a table apart; empty for a shared place and for the first."""
    return str(TIE_BREAK_WORDS.get(name or "", ""))


@register.filter
def share(value: float | None) -> str:
    """Return a fraction of 1 as a percentage with one decimal."""
    return "\u2013" if value is None else f"{value * 100:.1f}{NO_BREAK}%"


@register.filter
def milliseconds(value: float | None) -> str:
    """Return a duration given in milliseconds: under 1 ms, 12 ms, 1.8 s."""
    if value is None:
        return "\u2013"
    if value < 1:
        return _("under 1 ms").replace(" 1 ", f" 1{NO_BREAK}")
    if value < 1000:
        return f"{value:.0f}{NO_BREAK}ms"
    return f"{_brief(value / 1000)}{NO_BREAK}s"


def _brief(value: float) -> str:
    """Return one decimal, left out where it is 0."""
    return f"{value:.1f}".removesuffix(".0")


@register.filter
def file_size(value: int) -> str:
    """Return a number of bytes as a person reads it; 1 kB is 1024 bytes."""
    if value < KB:
        return ngettext("%(size)d byte", "%(size)d bytes", value) % {"size": value}
    return size_text(value).replace(" ", NO_BREAK)


@register.filter
def instant(value: datetime | None) -> str | SafeString:
    """Return `<time>` with the instant in UTC."""
    if value is None:
        return "\u2013"
    utc = value.astimezone(UTC)
    return format_html(
        '<time datetime="{}">{}</time>', f"{utc:%Y-%m-%dT%H:%M:%SZ}", f"{utc:%Y-%m-%d %H:%M}{NO_BREAK}UTC"
    )


@register.filter
def instant_seconds(value: datetime) -> SafeString:
    """Return `<time>` with the instant in UTC to the second."""
    utc = value.astimezone(UTC)
    return format_html(
        '<time datetime="{}">{}</time>', f"{utc:%Y-%m-%dT%H:%M:%SZ}", f"{utc:%Y-%m-%d %H:%M:%S}{NO_BREAK}UTC"
    )


@register.filter
def seconds(value: float) -> str:
    """Return a wait as whole seconds, or as minutes from two minutes on."""
    if value < 120:
        return f"{value:.0f}{NO_BREAK}s"
    return f"{value / 60:.0f}{NO_BREAK}min"


@register.filter
def ago(value: datetime | None) -> str | SafeString:
    """Return `<time>` with how long ago it was; the instant itself is its title."""
    if value is None:
        return "\u2013"
    utc = value.astimezone(UTC)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        f"{utc:%Y-%m-%dT%H:%M:%SZ}",
        f"{utc:%Y-%m-%d %H:%M} UTC",
        _age(timezone.now() - value),
    )


def _age(age: timedelta) -> str:
    seconds = max(0, int(age.total_seconds()))
    if seconds < 60:
        return _("%(number)d s ago") % {"number": seconds}
    if seconds < 3600:
        return _("%(number)d min ago") % {"number": seconds // 60}
    if seconds < 48 * 3600:
        return _("%(number)d h ago") % {"number": seconds // 3600}
    return _("%(number)d days ago") % {"number": seconds // 86400}


@register.filter
def verdict_word(verdict: str) -> str:
    """Return what a verdict means in two or three words."""
    return str(VERDICT_WORDS.get(verdict, verdict.replace("_", " ")))


@register.filter
def verdict_clause(verdict: str) -> str:
    """Return what a bot did wrong, as the rest of a sentence that its name begins."""
    return str(VERDICT_CLAUSES.get(verdict, verdict_word(verdict)))


@register.filter
def with_code(text: str) -> SafeString:
    """Return a message with what it quotes in backticks as code, line by line."""
    parts = re.split(r"`([^`\n]+)`", text)
    return format_html_join(
        "",
        "{}{}",
        (
            (linebreaksbr(part), "") if index % 2 == 0 else (format_html("<code>{}</code>", part), "")
            for index, part in enumerate(parts)
        ),
    )


@register.filter
def termination_word(termination: str) -> str:
    """Return how a match ended."""
    return str(TERMINATION_WORDS.get(termination, "\u2013"))


@register.filter
def sparkline(values: Sequence[float]) -> Sparkline | None:
    """Return the drawing of a few values in order, or None when there is no line to draw."""
    return draw_sparkline(values)


@register.filter
def interval_bar(row: Standing, axis: IntervalAxis | None) -> IntervalBar | None:
    """Return the drawing of a row's interval on the axis of its table, or None when it has none."""
    return draw_interval(row, axis)
