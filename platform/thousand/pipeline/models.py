from django.db import models


class Worker(models.Model):
    """The last heartbeat of each worker: its slots, its sandbox tier and what it plays."""

    name = models.CharField(max_length=120, unique=True)
    slots = models.PositiveSmallIntegerField()
    playing = models.PositiveSmallIntegerField(default=0)
    sandbox = models.CharField(max_length=30, blank=True)
    sandbox_reason = models.CharField(max_length=300, blank=True)
    software = models.CharField(max_length=60, blank=True)
    rules_version = models.CharField(max_length=20, blank=True)
    languages = models.JSONField(default=list)
    """List of `[language, version of its tools]`, as in `arena.orders.Heartbeat`."""
    libraries = models.JSONField(default=list)
    """What Python bots may import there, as `numpy 2.4.6`."""
    libraries_digest = models.CharField(max_length=64, blank=True)
    first_seen_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class DispatchLock(models.Model):
    """One row; whoever holds its lock is the only one that hands out work."""

    virtual_time = models.FloatField(default=0.0)
    """Where the pool stood whose turn was last, see `turns`."""

    def __str__(self) -> str:
        return "dispatch lock"


class Turn(models.Model):
    """How far one pool, or one kind of block without a pool, has come in taking its turns."""

    name = models.CharField(max_length=40, unique=True)
    passed = models.FloatField()

    def __str__(self) -> str:
        return f"{self.name} at {self.passed:g}"
