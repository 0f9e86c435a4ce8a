from django.contrib.auth.models import AbstractUser
from django.db import models

from thousand.accounts.fields import FoldedNameField, LookAlikeField
from thousand.core.ids import PUBLIC_ID_LENGTH, new_public_id


class User(AbstractUser):
    """An author, an organiser (`is_staff`) or a spectator with an account."""

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, editable=False, default=new_public_id
    )
    folded_name = FoldedNameField(source="username", max_length=300, unique=True)
    look_alike = LookAlikeField(source="username", max_length=300, unique=True)


class ApiToken(models.Model):
    """A key to the API. Only its hash is stored; the token itself is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    prefix = models.CharField(max_length=12)
    """First characters of the token, so that its owner can tell tokens apart."""
    token_hash = models.CharField(max_length=64, unique=True)
    """SHA-256 of the token, hex."""
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    """At most a minute old: using a token does not write every time."""
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "API token"
        constraints = [models.UniqueConstraint(fields=["user", "prefix"], name="api_token_prefix_unique")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class OrganiserLink(models.Model):
    """A one-time address that creates the organiser's account; printed by `manage.py up`."""

    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"organiser link, expires {self.expires_at:%Y-%m-%d %H:%M} UTC"
