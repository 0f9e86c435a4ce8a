from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.languages import LANGUAGES
from thousand.accounts.fields import LookAlikeField
from thousand.core.models import PublicModel


class BotState(models.TextChoices):
    ACTIVE = "active", _("active")
    PAUSED = "paused", _("paused")


class PauseKind(models.TextChoices):
    """Who stopped the bot decides who may start it again."""

    OWNER = "owner", _("by its owner")
    FAULTS = "faults", _("after repeated faults")
    ORGANISER = "organiser", _("for an organiser to look at")


class VersionState(models.TextChoices):
    UPLOADED = "uploaded", _("uploaded")
    VALIDATING = "validating", _("validating")
    READY = "ready", _("ready")
    REJECTED = "rejected", _("rejected")


class Bot(PublicModel):
    """A bot has one owner (none for a house bot, or once its owner's account is erased) and many versions."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="bots"
    )
    name = models.CharField(max_length=40)
    look_alike = LookAlikeField(source="name", max_length=300, unique=True)
    """No two bots have names that most people would read as the same."""
    is_house = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=BotState.choices, default=BotState.ACTIVE)
    pause_kind = models.CharField(max_length=10, choices=PauseKind.choices, blank=True)
    pause_reason = models.TextField(blank=True)
    resumed_at = models.DateTimeField(null=True, blank=True)
    """Faults before this moment no longer count towards the next pause."""
    active_version = models.ForeignKey(
        "BotVersion", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """The version that plays: the newest `ready` one; an upload that is rejected changes nothing."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class BotVersion(PublicModel):
    """An immutable upload. Source and runnable have digests of their own: builds happen at validation."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=VersionState.choices, default=VersionState.UPLOADED)
    filename = models.CharField(max_length=200)
    size = models.PositiveIntegerField()
    source_digest = models.CharField(max_length=64)
    runnable_digest = models.CharField(max_length=64)
    """What is played; equal to the source for interpreted languages."""
    language = models.CharField(max_length=20, default="python")
    entry = models.CharField(max_length=200, default="bot.py")
    protocol = models.PositiveSmallIntegerField(default=1)
    manifest = models.JSONField(default=dict)
    notes = models.TextField(blank=True)
    held = models.BooleanField(default=False)
    """Its owner wants to test it first: once it is ready, the version that plays goes on playing."""
    created_at = models.DateTimeField(auto_now_add=True)

    validation_token = models.CharField(max_length=32, blank=True)
    """Attempt token of the running validation; fences off late reports."""
    validation_attempts = models.PositiveSmallIntegerField(default=0)
    """Starts only: an order that was never picked up does not count."""
    validation_queued_at = models.DateTimeField(null=True, blank=True)
    """When its order went to the broker; null while it waits for its turn."""
    validation_started_at = models.DateTimeField(null=True, blank=True)
    validation_heartbeat_at = models.DateTimeField(null=True, blank=True)
    validated_at = models.DateTimeField(null=True, blank=True)
    validation_steps = models.JSONField(default=list)
    """List of `{"name", "state", "text"}`, as in `arena.orders.ValidationStep`."""
    reject_reason = models.TextField(blank=True)
    validation_log = models.TextField(blank=True)
    """Standard error and quoted text of the validation: for the owner and organisers only."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_unique"),
        ]
        indexes = [models.Index(fields=["state", "validation_queued_at"], name="version_state_idx")]

    def __str__(self) -> str:
        return f"{self.bot.name} v{self.number}"

    @property
    def needs_build(self) -> bool:
        """Whether the upload is sources that a worker builds; what it builds is played."""
        return LANGUAGES[self.language].needs_build(self.entry)
