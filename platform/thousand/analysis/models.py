from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from thousand.core.models import PublicModel
from thousand.replays.models import Replay


class AnalysisState(models.TextChoices):
    """How far an analysis is."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("being made")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


class Analysis(PublicModel):
    """The analysis of one replay by one version of the method: asked for, made by a worker, stored once."""

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="analyses")
    version = models.PositiveSmallIntegerField()
    """`arena.analysis.ANALYSIS_VERSION` that was asked for."""
    state = models.CharField(max_length=10, choices=AnalysisState.choices, default=AnalysisState.WAITING)
    requested_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    """How often it was begun since it was asked for."""
    token = models.CharField(max_length=32, blank=True)
    """Of the running attempt: what a former one brings comes too late."""
    lease_until = models.DateTimeField(null=True, blank=True)
    """Until when the running attempt is believed to live without a further word."""
    cause = models.CharField(max_length=300, blank=True)
    """Why it failed, in words."""
    digest = models.CharField(max_length=64, blank=True)
    """SHA-256 (hex) of the canonical JSON before compression."""
    body = models.BinaryField(null=True, blank=True)
    """The canonical JSON, gzip without time stamp or name."""
    size = models.PositiveIntegerField(default=0)
    """Bytes of the JSON before compression."""

    class Meta:
        verbose_name_plural = "analyses"
        constraints = [
            models.UniqueConstraint(fields=["replay", "version"], name="one_analysis_a_version"),
            models.CheckConstraint(
                condition=~Q(state="done") | (Q(body__isnull=False) & ~Q(digest="")), name="done_has_a_body"
            ),
        ]
        indexes = [
            models.Index(
                fields=["requested_at", "id"],
                condition=Q(state__in=["waiting", "running"]),
                name="analysis_open_idx",
            ),
            models.Index(fields=["digest"], condition=Q(state="done"), name="analysis_digest_idx"),
        ]

    def __str__(self) -> str:
        return f"analysis {self.public_id}, version {self.version}: {self.state}"
