"""A person's tests end when the account is erased; organisers alone can see them from then on."""

from django.utils import timezone
from django.utils.translation import gettext as _

from thousand.ab_tests.models import AbState, AbTest
from thousand.accounts.models import User


def end_tests(user: User) -> None:
    """Cancel the person's running tests; the next tick cancels what they have planned."""
    AbTest.objects.filter(owner=user, state=AbState.RUNNING).update(
        state=AbState.CANCELLED, cause=_("Its owner's account was erased."), ended_at=timezone.now()
    )
