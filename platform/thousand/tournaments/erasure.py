"""A person's bots leave every ladder and tournament when the account is erased."""

from thousand.accounts.models import User
from thousand.tournaments.models import Entry


def withdraw_bots(user: User) -> None:
    """End the entries of the person's bots; what they played stays."""
    Entry.objects.filter(bot__owner=user).update(active=False)
