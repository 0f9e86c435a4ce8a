"""Reads of analyses. Who may see a replay may see what was made of it, and nobody else."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.analysis import ANALYSIS_VERSION
from thousand.accounts.selectors import Viewer
from thousand.analysis.models import Analysis, AnalysisState
from thousand.core.errors import NotFoundError
from thousand.matches.selectors import readable_replay
from thousand.replays.models import Replay

OPEN = (AnalysisState.WAITING, AnalysisState.RUNNING)
NONE = "none"
STATES = [(NONE, gettext_lazy("not asked for")), *AnalysisState.choices]
"""Every state of a replay's analysis."""


@dataclass(frozen=True, slots=True)
class AnalysisStatus:
    """How far the analysis of a replay is, by the method that this site uses now."""

    state: str
    """One of `STATES`."""
    version: int
    place: int | None = None
    """Its place in line, the next one has 1; only while it waits."""
    cause: str = ""
    digest: str = ""
    """Of the document, once it is done."""
    size: int = 0
    requested_at: datetime | None = None
    finished_at: datetime | None = None


def status_of(replay: Replay) -> AnalysisStatus:
    """Return how far the analysis of a replay is."""
    found = Analysis.objects.filter(replay=replay, version=ANALYSIS_VERSION).defer("body").first()
    if found is None:
        return AnalysisStatus(NONE, ANALYSIS_VERSION)
    return AnalysisStatus(
        state=found.state,
        version=found.version,
        place=place_of(found) if found.state == AnalysisState.WAITING else None,
        cause=found.cause,
        digest=found.digest,
        size=found.size,
        requested_at=found.requested_at,
        finished_at=found.finished_at,
    )


def place_of(analysis: Analysis) -> int:
    """Return an analysis's place in line; the next one to be begun has place 1."""
    before = Q(requested_at__lt=analysis.requested_at) | Q(
        requested_at=analysis.requested_at, id__lt=analysis.pk
    )
    return Analysis.objects.filter(before, state=AnalysisState.WAITING).count() + 1


def published_analysis(digest: str) -> Analysis:
    """Return the analysis with this digest if everybody may see it. Raises NotFoundError."""
    analyses = Analysis.objects.filter(digest=digest, state=AnalysisState.DONE)
    found = analyses.filter(replay__published_at__isnull=False).only("digest", "body").first()
    if found is None:
        raise _unknown(digest)
    return found


def readable_analysis(digest: str, viewer: Viewer) -> Analysis:
    """Return the analysis with this digest if this viewer may see its replay. Raises NotFoundError."""
    analyses = Analysis.objects.filter(digest=digest, state=AnalysisState.DONE)
    found = analyses.select_related("replay").defer("replay__body").first()
    if found is None:
        raise _unknown(digest)
    readable_replay(found.replay.public_id, viewer)
    return found


def _unknown(digest: str) -> NotFoundError:
    return NotFoundError(_("There is no public analysis with the digest {digest}.").format(digest=digest))


@dataclass(frozen=True, slots=True)
class AnalysisQueue:
    """What the analysis workers have before them."""

    waiting: int
    running: int
    oldest_at: datetime | None
    """When the one that waits longest was asked for."""


def analysis_queue() -> AnalysisQueue:
    """Return how long the line is."""
    states = list(
        Analysis.objects.filter(state__in=OPEN).order_by("requested_at").values_list("state", "requested_at")
    )
    waiting = [at for state, at in states if state == AnalysisState.WAITING]
    return AnalysisQueue(len(waiting), len(states) - len(waiting), waiting[0] if waiting else None)
