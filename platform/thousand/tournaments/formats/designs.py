"""Schedules in which everybody meets everybody equally often.

- All tables: every set of entrants that fits a table.
- Two players: the round robin of Berger's tables (Schurig 1886), by the circle method.
- Three players: Steiner triple systems, every pair exactly once, for n = 1 or 3 (mod 6) (Kirkman 1847):
  Bose's construction (1939) for 6t+3, Skolem's (1958) for 6t+1. Kirkman's schoolgirl systems, where everybody
  plays in every round, for 9, 15, 21 and 27.
- Four players: the projective plane of order 3 for 13 (Singer's difference set 0 1 3 9) and the affine plane
  of order 4 for 16, every pair exactly once.

Other numbers are filled up with house bots to the next that has a system.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, product

from thousand.tournaments.formats.tables import HOUSE, Rounds, Table, check_players, pack_rounds

_NINE = (
    ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    ((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    ((0, 4, 8), (1, 5, 6), (2, 3, 7)),
    ((0, 5, 7), (1, 3, 8), (2, 4, 6)),
)

MOST_FOURS = 16
"""Largest number of entrants with a four-player system here; more play Swiss."""


def all_tables(entrants: int, players: int = 3) -> Rounds:
    """Return every possible table once, in rounds. Fewer entrants than seats make no table."""
    check_players(players)
    return pack_rounds(combinations(range(entrants), players))


def round_robin(entrants: int) -> Rounds:
    """Return the rounds in which each two meet once; with an odd number one sits out in each round."""
    if entrants < 2:
        return ()
    size = entrants + entrants % 2
    circle = list(range(size - 1))
    rounds = []
    for turn in range(size - 1):
        line = [size - 1, *circle[turn:], *circle[:turn]]
        pairs = [(line[i], line[size - 1 - i]) for i in range(size // 2)]
        # The fixed bot changes sides, so that nobody always comes first.
        pairs[0] = pairs[0] if turn % 2 else (pairs[0][1], pairs[0][0])
        rounds.append(tuple(pair for pair in pairs if max(pair) < entrants))
    return tuple(rounds)


def each_pair_once(entrants: int, players: int = 3) -> Rounds:
    """Return rounds in which each two meet exactly once; house bots fill what has no system.

    No tables for fewer than two entrants. Raises ValueError where there is no system: four players and
    more than 16 entrants.
    """
    check_players(players)
    if entrants < 2:
        return ()
    if players == 2:
        return round_robin(entrants)
    rounds = _triples(entrants) if players == 3 else _fours(entrants)
    return _with_house(rounds, entrants)


def _with_house(rounds: Rounds, entrants: int) -> Rounds:
    """Replace numbers beyond the entrants by house bots; one entrant among house bots is no meeting."""
    filled = (
        tuple(
            tuple(bot if bot < entrants else HOUSE for bot in table)
            for table in tables
            if sum(bot < entrants for bot in table) >= 2
        )
        for tables in rounds
    )
    return tuple(tables for tables in filled if tables)


def _triples(entrants: int) -> Rounds:
    size = max(3, entrants)
    while size % 6 not in (1, 3):
        size += 1
    if size == 9:
        return _NINE
    if size == 15:
        return _kirkman_15()
    if size == 21:
        return _kirkman_21()
    if size == 27:
        return _affine_space_27()
    return pack_rounds(_bose(size) if size % 6 == 3 else _skolem(size))


def _bose(size: int) -> Iterable[Table]:
    """Pairs (x, level) with x modulo 2t+1, over the idempotent commutative quasigroup (x + y) / 2."""
    third = size // 3
    half = (third + 1) // 2
    for x in range(third):
        yield (x, x + third, x + 2 * third)
    for x, y in combinations(range(third), 2):
        middle = (x + y) * half % third
        for level in range(3):
            yield (x + level * third, y + level * third, middle + (level + 1) % 3 * third)


def _skolem(size: int) -> Iterable[Table]:
    """The same over a half-idempotent quasigroup of even order, with one more point."""
    third = (size - 1) // 3
    t, infinity = third // 2, size - 1
    for x in range(t):
        yield (x, x + third, x + 2 * third)
        for level in range(3):
            yield (infinity, x + t + level * third, x + (level + 1) % 3 * third)
    for x, y in combinations(range(third), 2):
        total = (x + y) % third
        middle = total // 2 if total % 2 == 0 else t + total // 2
        for level in range(3):
            yield (x + level * third, y + level * third, middle + (level + 1) % 3 * third)


def _developed(base: Sequence[Sequence[int | None]], infinity: int) -> Rounds:
    """Turn a base round modulo 7 within its sevens; None stands for the point that does not move."""
    return tuple(
        tuple(tuple(infinity if p is None else p // 7 * 7 + (p + turn) % 7 for p in table) for table in base)
        for turn in range(7)
    )


def _kirkman_15() -> Rounds:
    """Seven rounds from one, modulo 7 on two sevens and a fixed point: every difference occurs once."""
    base = ((None, 0, 7), (1, 2, 4), (3, 8, 12), (5, 11, 13), (6, 9, 10))
    return _developed(base, 14)


def _kirkman_21() -> Rounds:
    """Seven rounds from one, modulo 7 on three sevens, and three that are each turned out of one table."""
    base = ((0, 1, 3), (7, 8, 10), (14, 15, 17), (2, 11, 19), (4, 9, 20), (5, 13, 16), (6, 12, 18))
    straight = tuple(
        tuple((x, 7 + (x + a) % 7, 14 + (x + b) % 7) for x in range(7)) for a, b in ((0, 0), (3, 1), (4, 6))
    )
    return _developed(base, 0) + straight


def _affine_space_27() -> Rounds:
    """The lines of the space of three dimensions over the field of three elements, a round a direction."""
    points = list(product(range(3), repeat=3))
    number = {point: at for at, point in enumerate(points)}
    directions = [d for d in points if next((x for x in d if x), 0) == 1]
    rounds = []
    for direction in directions:
        lines = {
            tuple(
                sorted(
                    number[tuple((x + step * d) % 3 for x, d in zip(point, direction, strict=True))]
                    for step in range(3)
                )
            )
            for point in points
        }
        rounds.append(tuple(sorted(lines)))
    return tuple(rounds)


def _fours(entrants: int) -> Rounds:
    if entrants <= 4:
        return (((0, 1, 2, 3),),)
    if entrants <= 13:
        return pack_rounds(tuple((turn + step) % 13 for step in (0, 1, 3, 9)) for turn in range(13))
    if entrants <= MOST_FOURS:
        return _affine_plane_4()
    raise ValueError(f"no four-player system for {entrants} entrants here; more than {MOST_FOURS} play Swiss")


def _affine_plane_4() -> Rounds:
    """The lines y = mx + c and x = c over the field of four elements, a round for each slope."""
    times = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
    slopes = tuple(
        tuple(tuple(4 * x + (times[m][x] ^ c) for x in range(4)) for c in range(4)) for m in range(4)
    )
    upright = tuple(tuple(4 * x + y for y in range(4)) for x in range(4))
    return (*slopes, upright)
