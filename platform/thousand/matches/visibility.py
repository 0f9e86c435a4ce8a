"""Which blocks, with their matches, seats and replays, who may see. Every read of them goes through here.

Blocks of a private kind exist for the person they are played for and for organisers. They are in nobody
else's lists and pages, their addresses answer as if they were none, and their replays are never
published.
"""

from django.db.models import Q

from thousand.accounts.models import User
from thousand.accounts.selectors import Viewer, is_organiser
from thousand.matches.models import Block, BlockKind

PUBLIC_KINDS = (BlockKind.LADDER, BlockKind.TOURNAMENT, BlockKind.CHALLENGE)
"""Named one by one: a kind that is added is private until somebody decides otherwise."""


def public(path: str = "") -> Q:
    """Return the condition for what everybody may see; `path` leads to the block, as in `match__block__`."""
    return Q(**{f"{path}kind__in": PUBLIC_KINDS})


def visible(viewer: Viewer, path: str = "") -> Q:
    """Return the condition for what this viewer may open by its address."""
    if is_organiser(viewer):
        return Q()
    if isinstance(viewer, User) and viewer.is_active:
        return public(path) | Q(**{f"{path}private_to": viewer})
    return public(path)


def is_public(block: Block) -> bool:
    """Return whether everybody may see the block, and its replays once it is closed."""
    return block.kind in PUBLIC_KINDS
