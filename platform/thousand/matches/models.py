from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from thousand.bots.models import BotVersion
from thousand.core.models import PublicModel
from thousand.replays.models import Replay


class PoolKind(models.TextChoices):
    LADDER = "ladder", _("ladder")
    TOURNAMENT = "tournament", _("tournament")


class Pool(PublicModel):
    """One ladder or tournament with one ruleset and player count; ratings belong to (pool, version)."""

    kind = models.CharField(max_length=12, choices=PoolKind.choices)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    players = models.PositiveSmallIntegerField(default=3)
    ruleset = models.JSONField()
    """`Ruleset.to_json()`: preset name and every agreement."""
    ruleset_digest = models.CharField(max_length=64)
    rules_version = models.CharField(max_length=20)
    limits = models.JSONField(default=dict)
    """`arena.orders.Limits` fields that differ from their defaults."""
    last_rated_seq = models.PositiveIntegerField(default=0)
    """Sequence number of the newest ledger entry; advanced under this row's lock only."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class BlockKind(models.TextChoices):
    LADDER = "ladder", _("ladder")
    TOURNAMENT = "tournament", _("tournament")
    AB = "ab", _("A/B test")
    CHALLENGE = "challenge", _("challenge")


class Pairing(models.TextChoices):
    """Why these bots meet; the uniformly random blocks are the unbiased sample for statistics."""

    MATCHED = "matched", _("matched by rating and need")
    PLACEMENT = "placement", _("placement of a new bot")
    RANDOM = "random", _("drawn at random")
    FIXED = "fixed", _("fixed by a schedule or an organiser")


class BlockState(models.TextChoices):
    OPEN = "open", _("open")
    COMPLETE = "complete", _("complete")
    VOID = "void", _("void")


class Block(PublicModel):
    """The same deck sequence in every seating of its bots: the one unit scheduled, rated and revealed."""

    kind = models.CharField(max_length=12, choices=BlockKind.choices)
    pool = models.ForeignKey(Pool, null=True, blank=True, on_delete=models.PROTECT, related_name="blocks")
    players = models.PositiveSmallIntegerField()
    pairing = models.CharField(max_length=10, choices=Pairing.choices, default=Pairing.FIXED)
    state = models.CharField(max_length=10, choices=BlockState.choices, default=BlockState.OPEN)
    seed = models.BinaryField(max_length=32)
    """32 secret bytes until the block closes."""
    commitment = models.CharField(max_length=64)
    """SHA-256 (hex) of the seed, public from the start."""
    ruleset = models.JSONField()
    ruleset_digest = models.CharField(max_length=64)
    rules_version = models.CharField(max_length=20)
    limits = models.JSONField(default=dict)
    priority = models.SmallIntegerField(default=0)
    private_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """Who may see a block of a private kind (`matches.visibility`), beside organisers."""
    rated_seq = models.PositiveIntegerField(null=True, blank=True)
    """Place in the pool's ledger, given when a complete rated block closes."""
    rerun_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="rerun"
    )
    void_cause = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "rated_seq"], condition=Q(rated_seq__isnull=False), name="block_seq_unique"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "-priority", "id"], name="block_state_idx"),
            models.Index(fields=["pool", "-closed_at", "-id"], name="block_closed_idx"),
        ]

    def __str__(self) -> str:
        return f"block {self.public_id}"


class BlockEntry(models.Model):
    """A bot version of a block, in its stored slot order: ratings fold over slots, never over keys."""

    block = models.ForeignKey(Block, on_delete=models.CASCADE, related_name="entries")
    slot = models.PositiveSmallIntegerField()
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="block_entries")

    class Meta:
        ordering = ["slot"]
        constraints = [models.UniqueConstraint(fields=["block", "slot"], name="block_slot_unique")]

    def __str__(self) -> str:
        return f"slot {self.slot}"


class MatchState(models.TextChoices):
    """`matches.states` holds the table of allowed changes."""

    PLANNED = "planned", _("planned")
    SENT = "sent", _("sent")
    PLAYING = "playing", _("playing")
    FINISHED = "finished", _("finished")
    FAULTED = "faulted", _("arena fault")
    CANCELLED = "cancelled", _("cancelled")


class Match(PublicModel):
    """One race to the target score; has one replay. Attempt, token and heartbeat fence its workers."""

    block = models.ForeignKey(Block, on_delete=models.CASCADE, related_name="matches")
    seating = models.PositiveSmallIntegerField()
    """0-based number of this seating within its block, in random playing order."""
    state = models.CharField(max_length=10, choices=MatchState.choices, default=MatchState.PLANNED)
    token = models.CharField(max_length=32, blank=True)
    """Attempt token, 128 bits hex; a report with another one is late and is dropped."""
    attempts = models.PositiveSmallIntegerField(default=0)
    """Starts only: an order that was never picked up does not count."""
    worker = models.CharField(max_length=120, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    replay = models.OneToOneField(
        Replay, null=True, blank=True, on_delete=models.PROTECT, related_name="match"
    )
    termination = models.CharField(max_length=20, blank=True)
    deals = models.PositiveIntegerField(default=0)
    sandbox = models.CharField(max_length=30, blank=True)
    sandbox_reason = models.CharField(max_length=300, blank=True)
    """Why its worker had no better tier, as its proof said it; empty for the best."""
    arena_fault = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [models.UniqueConstraint(fields=["block", "seating"], name="match_seating_unique")]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="match_state_idx")]

    def __str__(self) -> str:
        return f"match {self.public_id}"


class Seat(models.Model):
    """One seat of a match: who sat there, how it ended, and what only its owner may read."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    slot = models.PositiveSmallIntegerField()
    """Slot of the block's entry that sits here."""
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="seats")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    total = models.IntegerField(null=True, blank=True)
    verdict = models.CharField(max_length=20, blank=True)
    message = models.TextField(blank=True)
    quoted = models.TextField(blank=True)
    fault_index = models.PositiveIntegerField(null=True, blank=True)
    cpu_ms = models.PositiveIntegerField(default=0)
    wall_ms = models.PositiveIntegerField(default=0)
    slowest_ms = models.PositiveIntegerField(default=0)
    decisions = models.PositiveIntegerField(default=0)
    play = models.JSONField(null=True, blank=True)
    """What it did, counted when the match ended: see `arena.seat_play`."""
    stderr_head = models.TextField(blank=True)
    stderr_tail = models.TextField(blank=True)
    stderr_truncated = models.BooleanField(default=False)

    class Meta:
        ordering = ["seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="match_seat_unique")]
        indexes = [
            models.Index(fields=["version", "-match"], name="seat_version_idx"),
            models.Index(
                fields=["version", "match"],
                condition=Q(fault_index__isnull=False),
                name="seat_fault_idx",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}"
