"""Many random ends of a deal in one call: what a Monte Carlo bot spends its time on."""

from engine.bits import choose, count, next_random
from engine.ints import i64
from engine.leads import ANNOUNCED
from engine.trickplay import TrickPlay


def play_out(table: TrickPlay, random: i64) -> i64:
    """Play every card that is left, each legal action being equally likely; return the generator's state."""
    while table.lead_hand or table.on_table:
        legal = table.legal()
        random = next_random(random)
        if legal >> ANNOUNCED:
            table.play(_choose_lead(legal, random))
        else:
            table.play(choose(legal, random))
    return random


def _choose_lead(legal: i64, random: i64) -> i64:
    """Choose among silent and announced leads."""
    silent, announced = legal & 0xFFFFFF, legal >> ANNOUNCED
    both = count(silent) + count(announced)
    if both * (random >> 8) >> 24 < count(silent):
        return choose(silent, next_random(random))
    return choose(announced, next_random(random)) + ANNOUNCED
