"""Many ends of a deal in one call: what a Monte Carlo bot spends its time on.

playouts(position, 1000, seed=7).points        # mean points by seat if everybody plays at random
playouts(position, 100, seed=7, policy="sensible", score=True).gains
"""

from typing import Final, NamedTuple

from engine.bits import choose, choose_following, count, lowest, next_random
from engine.ints import i64
from engine.keen_policy import knows, play_keenly
from engine.leads import ANNOUNCED
from engine.policy import policy_action
from engine.position import Position
from engine.scoring import round_points
from engine.trickplay import TrickPlay
from engine.tricks import SHIFT_OF, legal_follows, winning_cards

POLICIES: Final = ("random", "sensible")


class Playouts(NamedTuple):
    """Means over many playouts; tuples are by seat."""

    number: int
    points: tuple[float, ...]
    """Points at the end of the deal: cards, and marriages as far as they count."""
    made: float
    """Share of playouts in which the declarer makes the contract; 0 where there is none."""
    checksum: int
    """Depends on every result in order: equal for equal seeds, compiled or not."""
    gains: tuple[float, ...] | None
    """Mean change of the totals by the score sheet, where it was asked for."""


def playouts(
    position: Position, number: int, seed: int, policy: str = "random", *, score: bool = False
) -> Playouts:
    """Play a deal to its end so many times; the position stays as it is.

    `random`: every legal action is equally likely. `sensible`: `engine.policy`, but one action in eight at
    random, so that playouts differ. `score` also writes the score sheet, once for every different result.
    Raises ValueError for another policy or a number below 1.
    """
    if policy not in POLICIES:
        raise ValueError(f"no policy {policy!r}; known are {', '.join(POLICIES)}")
    if number < 1:
        raise ValueError(f"{number} playouts cannot be made; expected 1 or more")
    end = position.end()
    table, root = end.table, position.table
    sensible = policy == "sensible"
    declarer = position.declarer
    contract: i64 = position.deal.contract
    rounds = bool(position.ruleset.declarer_rounding)
    first: i64 = 0
    second: i64 = 0
    third: i64 = 0
    made: i64 = 0
    checksum: i64 = 0
    random: i64 = seed & 0xFFFFFFFF
    gains: dict[tuple[int, int, int, int], tuple[int, ...]] = {}
    sums = [0] * len(position.standing.total)
    for _ in range(number):
        table.copy_from(root)
        random = play_sensibly(table, random, declarer) if sensible else play_out(table, random)
        marriages = table.final_marriages()
        total = table.points + marriages
        first += total & 0xFFFF
        second += total >> 16 & 0xFFFF
        third += total >> 32 & 0xFFFF
        checksum = (checksum ^ total) * 1025 + (checksum >> 20) & 0xFFFFFFFFFF
        if declarer >= 0:
            points = total >> 16 * declarer & 0xFFFF
            if rounds:
                cards = table.points >> 16 * declarer & 0xFFFF
                points += round_points(cards, "nearest_5") - cards
            if points >= contract:
                made += 1
        if score:
            key = (int(table.points), int(marriages), int(table.tricks), int(table.drawn))
            if key not in gains:
                gains[key] = end.gains()
            for seat, gain in enumerate(gains[key]):
                sums[seat] += gain
    points_by_seat = [0.0] * len(sums)
    for sum_, seat in zip((int(first), int(second), int(third)), position.seats, strict=False):
        points_by_seat[seat] = sum_ / number
    mean_gains = tuple([one / number for one in sums]) if score else None
    return Playouts(number, tuple(points_by_seat), int(made) / number, int(checksum), mean_gains)


def playout(position: Position, seed: i64) -> tuple[int, ...]:
    """Play a deal to its end once, every legal action being equally likely; the position stays as it is.

    Returns the points at the end by seat: cards, and marriages as far as they count.
    """
    end = position.end()
    table = end.table
    table.copy_from(position.table)
    play_out(table, seed & 0xFFFFFFFF)
    return end.by_seat(table.points + table.final_marriages(), 16)


def play_out(table: TrickPlay, random: i64) -> i64:
    """Play every card that is left, each legal action being equally likely; return the generator's state."""
    while table.lead_hand or table.on_table:
        if table.size == 3 and table.on_table == 0:
            random = _play_trick(table, random)
            continue
        legal = table.legal()
        random = next_random(random)
        if legal >> ANNOUNCED:
            table.play(_choose_lead(legal, random))
        else:
            table.play(choose(legal, random))
    return random


def _play_trick(table: TrickPlay, random: i64) -> i64:
    """Play a whole trick of three cards; of the last ones nobody has a choice, and none is drawn."""
    first, second, third = table.lead_hand, table.second_hand, table.third_hand
    if not first & first - 1:
        table.play(lowest(first))
        table.play(lowest(second))
        table.play(lowest(third))
        return random
    random = next_random(random)
    if table.free_leads:
        table.lead(choose(first, random))
    else:
        leads = table.legal()
        table.lead(_choose_lead(leads, random) if leads >> ANNOUNCED else choose(leads, random))
    suit, winning, trump = table.suit, table.winning, table.trump
    must_trump, must_beat = table.must_trump, table.must_beat
    shift: i64 = SHIFT_OF[table.led]
    holder: i64 = 0
    random = next_random(random)
    legal = legal_follows(second, suit, winning, trump, must_trump, must_beat)
    card = choose_following(legal, suit, shift, random)
    if winning >> card & 1:
        winning = winning_cards(card, trump, table.order)
        holder = 1
    random = next_random(random)
    legal = legal_follows(third, suit, winning, trump, must_trump, must_beat)
    last = choose_following(legal, suit, shift, random)
    if winning >> last & 1:
        holder = 2
    table.finish_trick(card, last, holder)
    return random


def play_sensibly(table: TrickPlay, random: i64, declarer: i64) -> i64:
    """Play every card that is left by the policy, one in eight at random; return the generator's state."""
    while table.lead_hand or table.on_table:
        random = next_random(random)
        if random >> 29:
            table.play(policy_action(table, declarer))
            continue
        random = next_random(random)
        legal = table.legal()
        table.play(_choose_lead(legal, random) if legal >> ANNOUNCED else choose(legal, random))
    return random


def play_by_policy(table: TrickPlay, declarer: i64, keen: bool = False) -> None:
    """Play every card that is left by the policy, or by the keen one."""
    if keen and knows(table, declarer):
        play_keenly(table, declarer)
        return
    while table.lead_hand or table.on_table:
        table.play(policy_action(table, declarer))


def _choose_lead(legal: i64, random: i64) -> i64:
    """Choose among silent and announced leads."""
    silent, announced = legal & 0xFFFFFF, legal >> ANNOUNCED
    both = count(silent) + count(announced)
    if both * (random >> 8) >> 24 < count(silent):
        return choose(silent, next_random(random))
    return choose(announced, next_random(random)) + ANNOUNCED
