"""Tournament formats as pure functions: entrants in, rounds of tables out. No clock, no database.

Entrants are numbers 0 … n-1 in seeding order; a table is a tuple of them, and each table is one block.
`HOUSE` in a table is a seat for a house bot, which fills up and is not ranked. `course` says what an event
plays next, `table` how its entrants stand.
"""

from thousand.tournaments.formats.course import (
    Draw,
    DrawName,
    NextRound,
    Situation,
    Terms,
    next_round,
)
from thousand.tournaments.formats.designs import all_tables, each_pair_once, round_robin
from thousand.tournaments.formats.gauntlet import gauntlet
from thousand.tournaments.formats.groups import Stage, Verdict, draw_groups, stages, title
from thousand.tournaments.formats.kinds import Format, most_entrants, suits
from thousand.tournaments.formats.results import PlayedBlock, SlotResult
from thousand.tournaments.formats.swiss import SwissRound, rounds_needed, swiss_round
from thousand.tournaments.formats.tables import HOUSE, Rounds, Table, fill_withdrawn, pack_rounds
from thousand.tournaments.formats.tiebreaks import FIT_FIRST, TIE_BREAKS, Placing, Tally, rank

__all__ = [
    "FIT_FIRST", "HOUSE", "TIE_BREAKS",
    "Draw", "DrawName", "Format", "NextRound", "Placing", "PlayedBlock", "Rounds", "Situation", "SlotResult",
    "Stage", "SwissRound", "Table", "Tally", "Terms", "Verdict",
    "all_tables", "draw_groups", "each_pair_once", "fill_withdrawn", "gauntlet", "most_entrants",
    "next_round", "pack_rounds", "rank", "round_robin", "rounds_needed", "stages", "suits", "swiss_round",
    "title",
]  # fmt: skip
