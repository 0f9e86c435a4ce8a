from django.db import models


class Checkup(models.Model):
    """What the nightly look at everything stored has found."""

    made_at = models.DateTimeField()
    took_s = models.FloatField()
    findings = models.JSONField(default=list)
    """Sentences of `auditing`, the first hundred."""
    count = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"checkup of {self.made_at:%Y-%m-%d}: {self.count} findings"
