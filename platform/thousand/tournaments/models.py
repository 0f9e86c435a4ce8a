from django.db import models
from django.utils.translation import gettext_lazy as _

from thousand.bots.models import Bot, BotVersion
from thousand.matches.models import Block, Pool


class Ladder(models.Model):
    """An always-on pool: plays rated blocks as long as it is running and enough bots take part."""

    pool = models.OneToOneField(Pool, on_delete=models.PROTECT, related_name="ladder")
    running = models.BooleanField(default=True)
    is_main = models.BooleanField(default=False)
    share = models.PositiveSmallIntegerField(default=1)
    """Weight among the ladders when they compete for workers."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.pool.name


class TournamentState(models.TextChoices):
    DRAFT = "draft", _("draft")
    OPEN = "open", _("registration open")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")


class Tournament(models.Model):
    """An event with a start, entries and rounds."""

    pool = models.OneToOneField(Pool, on_delete=models.PROTECT, related_name="tournament")
    format = models.CharField(max_length=30)
    state = models.CharField(max_length=10, choices=TournamentState.choices, default=TournamentState.DRAFT)
    starts_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.pool.name


class Entry(models.Model):
    """A bot that takes part in a pool, with the version that plays for it there."""

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="pool_entries")
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="pool_entries")
    active = models.BooleanField(default=True)
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["pool", "bot"], name="entry_bot_unique")]

    def __str__(self) -> str:
        return f"{self.version} in {self.pool}"


class RoundBlock(models.Model):
    """Which round of a tournament a block belongs to."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="round_blocks")
    round = models.PositiveSmallIntegerField()
    block = models.OneToOneField(Block, on_delete=models.CASCADE, related_name="round_block")

    class Meta:
        ordering = ["round", "id"]

    def __str__(self) -> str:
        return f"round {self.round}"
