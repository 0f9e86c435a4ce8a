"""What seats hold about a person's bots, removed when the account is erased: texts, never results."""

from thousand.accounts.models import User
from thousand.matches.models import Seat


def erase_texts(user: User) -> None:
    """Empty messages, quoted bytes and logs of the seats of the person's bots."""
    Seat.objects.filter(version__bot__owner=user).update(
        message="", quoted="", stderr_head="", stderr_tail="", stderr_truncated=False
    )
