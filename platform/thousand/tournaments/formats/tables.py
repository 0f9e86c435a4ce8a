"""What all formats share: tables, rounds, and seats that somebody left."""

from collections.abc import Collection, Iterable, Sequence

HOUSE = -1
"""A seat that a house bot fills."""

Table = tuple[int, ...]
Rounds = tuple[tuple[Table, ...], ...]
"""Tables by round; within a round nobody sits twice."""


def check_players(players: int) -> None:
    """Raise ValueError for a number of players that the game does not have."""
    if players not in (2, 3, 4):
        raise ValueError(f"a table has 2, 3 or 4 players, not {players}")


def pack_rounds(tables: Iterable[Sequence[int]]) -> Rounds:
    """Put tables into rounds so that nobody sits twice in one: the first round with room takes each."""
    rounds: list[list[Table]] = []
    seated: list[set[int]] = []
    for table in tables:
        bots = {bot for bot in table if bot != HOUSE}
        at = next((number for number, taken in enumerate(seated) if not taken & bots), len(rounds))
        if at == len(rounds):
            rounds.append([])
            seated.append(set())
        rounds[at].append(tuple(table))
        seated[at] |= bots
    return tuple(tuple(tables) for tables in rounds)


def fill_withdrawn(rounds: Rounds, withdrawn: Collection[int]) -> Rounds:
    """Give the seats of bots that left to house bots, so that the others still play what was planned.

    A table with nobody left is dropped, and so is a round without tables.
    """
    kept = []
    for tables in rounds:
        filled = [tuple(HOUSE if bot in withdrawn else bot for bot in table) for table in tables]
        if played := tuple(table for table in filled if any(bot != HOUSE for bot in table)):
            kept.append(played)
    return tuple(kept)
