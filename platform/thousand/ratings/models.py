from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from thousand.bots.models import BotVersion
from thousand.core.models import PublicModel
from thousand.matches.models import Block, Pool


class EntryKind(models.TextChoices):
    ENTERED = "entered", _("entered")
    BLOCK = "block", _("block")
    ANNULLED = "annulled", _("annulled")
    RESTORED = "restored", _("restored")


class AnnulmentTarget(models.TextChoices):
    BLOCK = "block", _("a block")
    VERSION = "version", _("all blocks of a version")
    OWNER = "owner", _("all blocks of an owner's bots")


class Annulment(PublicModel):
    """An organiser's decision that blocks do not count; it stands until it is lifted.

    It covers the rated blocks it names, and those of its version or owner that are rated later.
    """

    target = models.CharField(max_length=8, choices=AnnulmentTarget.choices)
    block = models.ForeignKey(
        Block, null=True, blank=True, on_delete=models.PROTECT, related_name="annulments"
    )
    version = models.ForeignKey(
        BotVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="annulments"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="annulments"
    )
    """Null again once the account is erased; what it covered stays annulled."""
    reason = models.TextField()
    """Public."""
    annulled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    annulled_at = models.DateTimeField(auto_now_add=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    lifted_at = models.DateTimeField(null=True, blank=True)
    lift_reason = models.TextField(blank=True)
    """Public."""

    def __str__(self) -> str:
        return f"annulment {self.public_id}"


class LedgerEntry(models.Model):
    """The truth of a pool's ratings: a pure fold over these rows in `seq` order gives every rating.

    `entered` carries numbers written once and never recomputed; `block` points at a complete block, and
    counts unless an annulment that stands covers it; `annulled` and `restored` tell when one was made
    and lifted.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ledger")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=EntryKind.choices)
    version = models.ForeignKey(
        BotVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="ledger_entries"
    )
    initial_rating = models.FloatField(null=True, blank=True)
    initial_count = models.PositiveIntegerField(null=True, blank=True)
    prior_mean = models.FloatField(null=True, blank=True)
    prior_sd = models.FloatField(null=True, blank=True)
    block = models.OneToOneField(
        Block, null=True, blank=True, on_delete=models.PROTECT, related_name="ledger_entry"
    )
    annulment = models.ForeignKey(
        Annulment, null=True, blank=True, on_delete=models.PROTECT, related_name="log"
    )
    """Of `annulled` and `restored` entries."""
    covered_by = models.ManyToManyField(Annulment, blank=True, related_name="entries")
    """Annulments that name this `block` entry, those that were lifted too."""
    rating_rules_version = models.CharField(max_length=20)
    annulled_at = models.DateTimeField(null=True, blank=True)
    """Since when the block does not count; follows from `covered_by`."""
    annul_reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "ledger entries"
        ordering = ["pool", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "seq"], name="ledger_seq_unique"),
            models.UniqueConstraint(
                fields=["pool", "version"], condition=Q(kind="entered"), name="ledger_entered_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="entered", version__isnull=False, block__isnull=True, annulment__isnull=True)
                | Q(kind="block", version__isnull=True, block__isnull=False, annulment__isnull=True)
                | Q(
                    kind__in=("annulled", "restored"),
                    version__isnull=True,
                    block__isnull=True,
                    annulment__isnull=False,
                ),
                name="ledger_kind_fields",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.seq}"


class Rating(models.Model):
    """Current live block-Elo of a version in a pool: a cache of the ledger's fold, checked against it."""

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ratings")
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="ratings")
    value = models.FloatField()
    count = models.PositiveIntegerField()
    """The c of K(c): rated blocks of this version before the next one, plus its initial count."""
    blocks = models.PositiveIntegerField(default=0)
    """Rated blocks of this version in this pool."""
    score_sum = models.FloatField(default=0.0)
    """Sum of block scores S, for the place score share."""
    last_seq = models.PositiveIntegerField()
    trend = models.TextField(default="[]")
    """The last blocks as the standings show them: see `ratings.recent`, also for the next two."""
    recent_faults = models.PositiveSmallIntegerField(default=0)
    last_block = models.ForeignKey(Block, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "version"], name="rating_unique")]
        indexes = [models.Index(fields=["pool", "-value", "id"], name="rating_order_idx")]

    def __str__(self) -> str:
        return f"{self.value:.0f}"


class RatingChange(models.Model):
    """What one block did to one version: a derived row for graphs and block pages."""

    entry = models.ForeignKey(LedgerEntry, on_delete=models.CASCADE, related_name="changes")
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="rating_changes")
    slot = models.PositiveSmallIntegerField()
    before = models.FloatField()
    after = models.FloatField()
    score = models.FloatField()
    """S: mean place score of the block, 0 … 1."""
    expected = models.FloatField()
    """E: expected score from the ratings before the block."""
    k = models.FloatField()
    faults = models.PositiveSmallIntegerField(default=0)
    """Matches of the block that this version ended with a fault."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "slot"], name="change_slot_unique")]
        indexes = [models.Index(fields=["version", "entry"], name="change_version_idx")]

    def __str__(self) -> str:
        return f"{self.before:.1f} → {self.after:.1f}"


class PoolFit(models.Model):
    """The newest Elo-fit of a pool: derived from the ledger, made anew when the ledger has grown."""

    pool = models.OneToOneField(Pool, on_delete=models.CASCADE, related_name="fit")
    seq = models.PositiveIntegerField()
    """The ledger's newest entry that the fit knows."""
    anchor = models.ForeignKey(
        BotVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="anchored_fits"
    )
    """The version that is 1500 by definition; errors are relative to it."""
    shift = models.FloatField(default=0.0)
    """What pages add to a live rating, so that the anchor reads 1500 there."""
    fitted_at = models.DateTimeField()
    took_s = models.FloatField()

    def __str__(self) -> str:
        return f"fit of {self.pool} at {self.seq}"


class RatingFit(models.Model):
    """What the Elo-fit says of one rating."""

    rating = models.OneToOneField(Rating, primary_key=True, on_delete=models.CASCADE, related_name="fit")
    value = models.FloatField()
    half_width = models.FloatField(null=True, blank=True)
    """Half of the 95 % interval relative to the anchor; null below 10 blocks, 0 for the anchor itself."""
    deviation = models.FloatField(null=True, blank=True)
    """Standard error about the mean of all ratings, where the anchor has one too: what pairing asks."""
    rank_low = models.PositiveIntegerField(null=True, blank=True)
    rank_high = models.PositiveIntegerField(null=True, blank=True)
    """Ranks among the settled bots that play; null for a provisional one."""
    anchored = models.BooleanField(default=True)
    """False where no results compare it with the anchor in both directions."""

    def __str__(self) -> str:
        return f"{self.value:.0f}"


class DefenceTally(models.Model):
    """What one version gave to one declarer in one block, counted from its replays (`ratings.gifts`)."""

    block = models.ForeignKey(Block, on_delete=models.CASCADE, related_name="defence_tallies")
    defender = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="+")
    declarer = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="+")
    chances = models.PositiveSmallIntegerField()
    gifts = models.PositiveSmallIntegerField()
    hands = models.PositiveSmallIntegerField()
    shading = models.IntegerField()

    class Meta:
        verbose_name_plural = "defence tallies"
        constraints = [
            models.UniqueConstraint(fields=["block", "defender", "declarer"], name="tally_pair_unique")
        ]

    def __str__(self) -> str:
        return f"{self.gifts} of {self.chances}"


class CollusionReport(models.Model):
    """The newest nightly look at the pairs of a pool, for organisers."""

    pool = models.OneToOneField(Pool, on_delete=models.CASCADE, related_name="collusion_report")
    made_at = models.DateTimeField()
    blocks = models.PositiveIntegerField()
    tests = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"collusion report of {self.pool}"


class CollusionSuspicion(models.Model):
    """One test of a report, see `ratings.collusion`."""

    report = models.ForeignKey(CollusionReport, on_delete=models.CASCADE, related_name="suspicions")
    kind = models.CharField(max_length=10)
    bot = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="+")
    friend = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="+")
    blocks = models.PositiveIntegerField()
    effect = models.FloatField()
    t = models.FloatField()
    p = models.FloatField()
    alarm = models.BooleanField()

    class Meta:
        ordering = ["p", "id"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.bot} and {self.friend}"


class PairScore(models.Model):
    """What one bot of a rated block won from another one in it: derived from its places, never changed."""

    entry = models.ForeignKey(LedgerEntry, on_delete=models.CASCADE, related_name="pairs")
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="+")
    """The entry's, so that one index finds a pair."""
    first = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="+")
    """Keys ascend from `first` to `second`: each pair of a block is one row."""
    halves = models.PositiveSmallIntegerField()
    """Half points of `first`: two for each match it was placed before the other, one for a tie."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "first", "second"], name="pair_unique")]
        indexes = [
            models.Index(fields=["pool", "first", "second", "halves"], name="pair_first_idx"),
            models.Index(fields=["pool", "second", "first", "halves"], name="pair_second_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} against {self.second_id}: {self.halves}"


class PlayTally(models.Model):
    """What a version did in one seat in all rated blocks of a pool: sums, so that no page adds them up.

    Annulled blocks stay in it: they were played.
    """

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    blocks = models.PositiveIntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    """Matches in which it was first, alone or not."""
    faults = models.PositiveIntegerField(default=0)
    halves = models.PositiveIntegerField(default=0)
    """Half points won from the others."""
    squares = models.PositiveBigIntegerField(default=0)
    """Sum over blocks of the square of its half points there, for the interval."""
    total = models.BigIntegerField(default=0)
    """Sum of its final totals."""
    play = models.JSONField(default=dict)
    """Sums of `Seat.play`."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "version", "seat"], name="tally_unique")]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.version_id}"


class FitPoint(models.Model):
    """What the Elo-fit said of a rating after so many blocks: the band of its graph."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="fit_points")
    seq = models.PositiveIntegerField()
    """The ledger's newest entry that the fit knew."""
    blocks = models.PositiveIntegerField()
    bucket = models.PositiveIntegerField()
    """`blocks` rounded down to a step that grows with them: one point a bucket is kept."""
    at = models.DateTimeField()
    value = models.FloatField()
    half_width = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rating", "bucket"], name="fit_point_unique")]

    def __str__(self) -> str:
        return f"{self.value:.0f} after {self.blocks} blocks"
