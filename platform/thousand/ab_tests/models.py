from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from thousand.bots.models import BotVersion
from thousand.core.models import PublicModel
from thousand.matches.models import Block, Pool


class AbState(models.TextChoices):
    """Where a test stands; `arena.sprt.Verdict` and two ways of ending without one."""

    RUNNING = "running", _("running")
    STRONGER = "stronger", _("stronger")
    NOT_STRONGER = "not_stronger", _("not stronger")
    INCONCLUSIVE = "inconclusive", _("inconclusive")
    CANCELLED = "cancelled", _("cancelled")
    FAILED = "failed", _("nothing could be measured")


class AbTest(PublicModel):
    """Somebody's private question: is the candidate stronger than the base, played against two of it?

    Its blocks are of kind `ab`: in no pool, in no ledger, seen by its owner and organisers only.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="ab_tests"
    )
    """Null once the account is erased: organisers alone see it then."""
    candidate = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="tests_as_candidate")
    base = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="tests_as_base")
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ab_tests")
    """The ladder whose ruleset and limits it plays by, as they were when it began; it plays nowhere else."""
    ruleset = models.JSONField()
    limits = models.JSONField(default=dict)
    players = models.PositiveSmallIntegerField()
    elo0 = models.FloatField()
    elo1 = models.FloatField()
    alpha = models.FloatField()
    beta = models.FloatField()
    most_blocks = models.PositiveIntegerField()
    """Complete blocks after which it ends as inconclusive."""
    promote = models.BooleanField(default=False)
    """Whether the candidate becomes its bot's playing version by itself when it proves stronger."""
    state = models.CharField(max_length=12, choices=AbState.choices, default=AbState.RUNNING)
    cause = models.TextField(blank=True)
    """Why it was cancelled or failed."""
    settled = models.BooleanField(default=False)
    """Ended, its leftover blocks cancelled and the promotion decided: nothing is left to do."""
    promoted_at = models.DateTimeField(null=True, blank=True)
    not_promoted = models.TextField(blank=True)
    """Why the promotion that was asked for did not happen."""
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(candidate=models.F("base")), name="ab_two_versions"),
        ]
        indexes = [
            models.Index(fields=["owner", "-id"], name="ab_owner_idx"),
            models.Index(fields=["state", "settled"], name="ab_state_idx"),
        ]

    def __str__(self) -> str:
        return f"A/B test {self.public_id}"


class AbBlock(models.Model):
    """One block of a test, in the order in which they are judged, whichever ends first."""

    test = models.ForeignKey(AbTest, on_delete=models.CASCADE, related_name="blocks")
    number = models.PositiveIntegerField()
    """From 1."""
    block = models.OneToOneField(Block, on_delete=models.PROTECT, related_name="ab_block")
    half_points = models.PositiveSmallIntegerField(null=True, blank=True)
    """Of the candidate, once the block is complete."""
    seat_halves = models.JSONField(default=list)
    """The same by seat: it sits in each once."""
    candidate_faults = models.PositiveSmallIntegerField(default=0)
    """Matches that the candidate ended with a fault."""
    base_faults = models.PositiveSmallIntegerField(default=0)
    """Matches that one of the copies of the base ended with a fault."""
    llr = models.FloatField(null=True, blank=True)
    """Log-likelihood ratio after this block and all before it; null while one of them is open, and for
    blocks that are void or came after the verdict."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["test", "number"], name="ab_number_unique")]

    def __str__(self) -> str:
        return f"block {self.number} of {self.test_id}"
