"""Which queue an order lies on, so that a worker is given only what it has the tools for.

What every live worker can do lies on `matches`. What only some can lies on a queue named after the
languages it needs, as `matches.go` or `matches.java.javascript`; a worker reads those that its own tools are
enough for.
"""

from collections.abc import Collection, Iterable
from itertools import combinations

from arena.languages import ALWAYS_OFFERED, LANGUAGES

QUEUE = "matches"
"""For every worker."""

ORDERS_PER_SLOT = 2
"""One is played, the other prepared meanwhile."""

PLAYED_WITH_TOOLS = frozenset(
    language.name
    for language in LANGUAGES.values()
    if language.name not in ALWAYS_OFFERED and (not language.built or language.runnable_suffixes)
)
"""Languages whose bots need tools in every match; the others are programs by then."""


def needs_of_match(languages: Iterable[str]) -> frozenset[str]:
    """Return the languages whose tools a match needs, from those its bots are written in."""
    return PLAYED_WITH_TOOLS & frozenset(languages)


def needs_of_check(language: str) -> frozenset[str]:
    """Return the same for a validation, in which sources are built."""
    return frozenset((language,)) - ALWAYS_OFFERED


def queue_for(needs: Iterable[str]) -> str:
    """Return the queue of orders that need the tools of these languages."""
    return ".".join((QUEUE, *sorted(needs)))


def queues_of(offered: Collection[str] = frozenset(LANGUAGES)) -> tuple[str, ...]:
    """Return the queues that a worker with tools for these languages reads, by default every one there is."""
    tools = sorted(set(offered) - ALWAYS_OFFERED)
    played = [name for name in tools if name in PLAYED_WITH_TOOLS]
    several = (needs for size in range(2, len(played) + 1) for needs in combinations(played, size))
    return (QUEUE, *(queue_for([name]) for name in tools), *map(queue_for, several))
