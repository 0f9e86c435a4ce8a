from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from thousand.bots.models import Bot, BotVersion
from thousand.matches.models import Block, Pool
from thousand.tournaments.formats import Format


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
    """`tournaments.states` holds the table of allowed changes."""

    DRAFT = "draft", _("draft")
    OPEN = "open", _("registration open")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")
    ARCHIVED = "archived", _("archived")


class TournamentFormat(models.TextChoices):
    ALL_TABLES = Format.ALL_TABLES.value, _("all tables")
    ONCE_EACH = Format.ONCE_EACH.value, _("everybody meets once")
    SWISS = Format.SWISS.value, _("Swiss system")
    GROUPS = Format.GROUPS.value, _("groups and a final")
    GAUNTLET = Format.GAUNTLET.value, _("gauntlet")
    KNOCKOUT = Format.KNOCKOUT.value, _("knock-out")


class Tournament(models.Model):
    """An event with a start, entries and rounds. Whoever changes it holds its pool's lock."""

    pool = models.OneToOneField(Pool, on_delete=models.PROTECT, related_name="tournament")
    format = models.CharField(max_length=30, choices=TournamentFormat.choices)
    state = models.CharField(max_length=10, choices=TournamentState.choices, default=TournamentState.DRAFT)
    text = models.TextField(blank=True)
    """The organiser's own words, plain text."""
    starts_at = models.DateTimeField(null=True, blank=True)
    """When it starts by itself; null for a start by hand."""
    places = models.PositiveSmallIntegerField()
    """Most entrants."""
    blocks_a_table = models.PositiveSmallIntegerField(default=1)
    swiss_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    """Null for as many as sort the field."""
    candidate = models.ForeignKey(
        Bot, null=True, blank=True, on_delete=models.PROTECT, related_name="gauntlets"
    )
    """Of a gauntlet: the bot that is measured."""
    share = models.PositiveSmallIntegerField(default=1)
    """Weight among ladders and tournaments when they compete for workers."""
    rounds = models.PositiveSmallIntegerField(default=0)
    """Rounds planned so far; the last one is the current one."""
    draws = models.JSONField(default=list)
    """`formats.Draw`s as they were made: who plays with whom from a round on. Only ever added to."""
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["state", "starts_at"], name="tournament_state_idx")]

    def __str__(self) -> str:
        return self.pool.name


class Departure(models.TextChoices):
    """Why an entrant plays no more."""

    WITHDRAWN = "withdrawn", _("withdrawn")
    DISQUALIFIED = "disqualified", _("disqualified")


class Entry(models.Model):
    """A bot that takes part in a pool, with the version that plays for it there.

    In a tournament the version is the active one until the start, and frozen from then on.
    """

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="pool_entries")
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="pool_entries")
    active = models.BooleanField(default=True)
    entered_at = models.DateTimeField(auto_now_add=True)
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    """In a tournament: its number in the seeding, 0-based, given at the start."""
    departure = models.CharField(max_length=12, choices=Departure.choices, blank=True)
    """In a tournament: why it is not active."""
    departure_reason = models.TextField(blank=True)
    """Public."""
    departed_in_round = models.PositiveSmallIntegerField(null=True, blank=True)
    """The round that was current when it left; null before the start."""

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["pool", "bot"], name="entry_bot_unique"),
            models.UniqueConstraint(
                fields=["pool", "number"], condition=Q(number__isnull=False), name="entry_number_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.pool}"


class RoundBlock(models.Model):
    """A block of a tournament's round: at which table of which group it is played, and what came of it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="round_blocks")
    round = models.PositiveSmallIntegerField()
    """1-based."""
    number = models.PositiveSmallIntegerField()
    """0-based within the round."""
    draw = models.PositiveSmallIntegerField()
    """Index in the tournament's `draws`."""
    group = models.PositiveSmallIntegerField()
    block = models.OneToOneField(Block, on_delete=models.CASCADE, related_name="round_block")
    """The first try; a void one may have a `rerun`."""
    table = models.JSONField()
    """Numbers of the entrants by slot, `formats.HOUSE` for a house bot that fills up."""
    counted = models.OneToOneField(
        Block, null=True, blank=True, on_delete=models.PROTECT, related_name="counted_round_block"
    )
    """The block that was played to its end: the first try or its rerun. Null while neither was."""
    results = models.JSONField(null=True, blank=True)
    """`formats.SlotResult` by slot, once there is a `counted` block."""

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "number"], name="round_block_unique")
        ]

    def __str__(self) -> str:
        return f"round {self.round}, block {self.number}"


class TournamentTable(models.Model):
    """The newest table of a tournament: derived from its blocks, made anew when the ledger has grown."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="table")
    key = models.CharField(max_length=80)
    """What it was made from; see `tournaments.standings`."""
    document = models.JSONField()

    def __str__(self) -> str:
        return f"table of {self.tournament}"


class ActKind(models.TextChoices):
    CREATED = "created", _("created")
    EDITED = "edited", _("edited")
    OPENED = "opened", _("registration opened")
    STARTED = "started", _("started")
    PAUSED = "paused", _("paused")
    RESUMED = "resumed", _("resumed")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")
    ARCHIVED = "archived", _("archived")
    ENTERED = "entered", _("entered a bot")
    WITHDREW = "withdrew", _("withdrew a bot")
    DISQUALIFIED = "disqualified", _("disqualified a bot")
    DREW = "drew", _("drew a stage")


class TournamentAct(models.Model):
    """Who did what to a tournament, when and why. Nothing here is ever changed."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="acts")
    kind = models.CharField(max_length=12, choices=ActKind.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """Null for the arena itself, and once the account is erased."""
    by_arena = models.BooleanField(default=False)
    at = models.DateTimeField()
    bot = models.ForeignKey(Bot, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    """Which bot was entered, withdrawn or disqualified."""
    reason = models.TextField(blank=True)
    """Public."""

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M}"
