"""A person's bots leave every ladder and tournament when the account is erased; what they played stays."""

from django.utils.translation import gettext as _

from thousand.accounts.models import User
from thousand.tournaments.models import Departure, Entry
from thousand.tournaments.registration import leave
from thousand.tournaments.states import BEFORE_START, IN_PLAY


def withdraw_bots(user: User) -> None:
    """End the entries of the person's bots. In a tournament that is over they keep their places."""
    entries = Entry.objects.filter(bot__owner=user, active=True)
    entries.filter(pool__ladder__isnull=False).update(active=False)
    not_over = entries.filter(pool__tournament__state__in=(*BEFORE_START, *IN_PLAY))
    for entry in not_over.select_related("pool__tournament"):
        leave(entry.pool.tournament, entry, Departure.WITHDRAWN, _("Its owner's account was erased."))
