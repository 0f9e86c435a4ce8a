"""The steps of a validation as the upload page lists them: what is done, what runs, what waits."""

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from thousand.bots.models import VersionState
from thousand.bots.selectors import VersionView
from thousand.web.templatetags.arena import file_size

_FIRST_POLLS = ((10.0, 1), (60.0, 2))
"""(seconds since the upload, seconds until the next look); later: every 5 s."""


@dataclass(frozen=True)
class ProgressStep:
    """One line: a shape, a word and a text."""

    name: str
    state: str
    """`passed`, `failed`, `running`, `waiting` or `skipped`."""
    text: str


def progress_steps(version: VersionView) -> list[ProgressStep]:
    """Return the steps in order: five, and one more for sources that are built. Texts of the report are there
    for its owner and organisers only.
    """
    received = _("%(size)s, SHA-256 %(digest)s…") % {
        "size": file_size(version.size),
        "digest": version.source_digest[:12],
    }
    steps = [ProgressStep(_("Received"), "passed", received)]
    reported = {name: [step for step in version.steps if step.name == name] for name in _NAMES}
    failed = False
    for name in _NAMES:
        if name == "build" and not version.needs_build:
            continue
        rows = reported[name]
        if rows:
            failed = failed or any(row.state == "failed" for row in rows)
            state = "failed" if any(row.state == "failed" for row in rows) else "passed"
            steps.append(ProgressStep(_title(name), state, "\n".join(row.text for row in rows if row.text)))
        else:
            waits = name == _NAMES[0] and not failed
            steps.append(
                ProgressStep(_title(name), _pending(version, failed), _queue(version) if waits else "")
            )
    steps.append(_last_step(version))
    return steps


def seconds_to_next_look(version: VersionView) -> int | None:
    """Return how long the page waits before it asks again: 1, 2, then 5 s; None once nothing changes."""
    if version.state in (VersionState.READY, VersionState.REJECTED):
        return None
    age = (timezone.now() - version.created_at).total_seconds()
    return next((seconds for until, seconds in _FIRST_POLLS if age < until), 5)


_NAMES = ("archive", "build", "handshake", "match")


def _title(name: str) -> str:
    return {
        "archive": _("Archive checked"),
        "build": _("Built from its source"),
        "handshake": _("Started and shook hands"),
        "match": _("Played full matches against a house bot"),
    }[name]


def _pending(version: VersionView, failed: bool) -> str:
    if failed or version.state == VersionState.REJECTED:
        return "skipped"
    if version.state == VersionState.READY:
        return "passed"
    return "running" if version.state == VersionState.VALIDATING else "waiting"


def _queue(version: VersionView) -> str:
    if version.queue_position is None:
        return ""
    return _("Position %(number)d in the queue.") % {"number": version.queue_position}


def _last_step(version: VersionView) -> ProgressStep:
    if version.state == VersionState.READY:
        text = _("This version plays now.") if version.is_active else _("Another version plays.")
        return ProgressStep(_("Ready"), "passed", text)
    if version.state == VersionState.REJECTED:
        if any(version.reject_reason == step.text for step in version.steps):
            return ProgressStep(_("Ready"), "skipped", "")
        return ProgressStep(_("Not accepted"), "failed", version.reject_reason)
    return ProgressStep(_("Ready"), "waiting", "")
