"""What each card is worth, by playing it in many guessed worlds: what a searching bot spends its time on.

    worlds = Worlds(view, ruleset)
    found = look_ahead(worlds, worth, actions, number=200, seed=7)

Every action is played in the same worlds, and everybody goes on by `engine.policy`
or, if asked to, by `engine.keen_policy`: the differences between actions owe nothing to luck of the guesses.
"""

from typing import NamedTuple

from engine.ints import i64
from engine.playouts import play_by_policy
from engine.policy import policy_action
from engine.trickplay import TrickPlay
from engine.worlds import Worlds
from engine.worth import Worth


class Lookahead(NamedTuple):
    """Means over all worlds, in the order of the actions."""

    worths: tuple[float, ...]
    """Mean worth of the ends."""
    points: tuple[float, ...]
    """Mean points the own place takes in the deal."""
    made: tuple[float, ...]
    """Share of contracts made, whoever declares."""


def look_ahead(
    worlds: Worlds, worth: Worth, actions: list[int], number: int, seed: int, *, keen: bool = False
) -> Lookahead:
    """Play every action in so many worlds to the end of the deal.

    Raises ValueError where no world agrees with the view.
    """
    root = TrickPlay(worlds.rules, len(worlds.seats))
    table = TrickPlay(worlds.rules, len(worlds.seats))
    declarer, own = worth.declarer, worlds.own
    random: i64 = seed & 0xFFFFFFFF
    count = len(actions)
    worths = [0.0] * count
    points = [0] * count
    made = [0] * count
    for _ in range(number):
        random = worlds.fill(root, random)
        for index in range(count):
            action: i64 = actions[index]
            table.copy_from(root)
            table.play(action)
            play_by_policy(table, declarer, keen)
            worths[index] += worth.of_table(table)
            marriages = table.final_marriages()
            total = table.points + marriages
            points[index] += int(total >> 16 * own & 0xFFFF)
            if worth.is_made(table.points, marriages):
                made[index] += 1
    return Lookahead(
        tuple([one / number for one in worths]),
        tuple([one / number for one in points]),
        tuple([one / number for one in made]),
    )


def policy_votes(worlds: Worlds, declarer: int, number: int, seed: int) -> dict[int, int]:
    """Ask the policy in so many worlds for its action here; return how often it chose each."""
    root = TrickPlay(worlds.rules, len(worlds.seats))
    random: i64 = seed & 0xFFFFFFFF
    votes: dict[int, int] = {}
    for _ in range(number):
        random = worlds.fill(root, random)
        action = int(policy_action(root, declarer))
        votes[action] = votes.get(action, 0) + 1
    return votes
