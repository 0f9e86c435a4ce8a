"""Matches in one process, as an author plays them."""

import pytest

from bots_sdk import Act, Bot
from bots_sdk.house import RandomBot
from bots_sdk.table import play_block, play_in_process
from engine import Ruleset, is_terminal, replay_record, seed_from_int


class Cheat(Bot):
    def choose(self, request: Act) -> str:
        return "bid 999"


def test_a_played_match_replays_to_its_outcome() -> None:
    played = play_in_process([RandomBot(), RandomBot(), RandomBot()], seed=4)
    *_, last = replay_record(played.record)
    assert is_terminal(last.state)
    assert last.state.standing.total == played.outcome.totals


def test_a_number_and_its_bytes_are_the_same_seed() -> None:
    short = Ruleset.from_preset("tournament_default", {"deal_limit": 2})
    first = play_in_process([RandomBot(), RandomBot(), RandomBot()], short, seed=4)
    second = play_in_process([RandomBot(), RandomBot(), RandomBot()], short, seed=seed_from_int(4))
    assert first == second


def test_an_illegal_answer_is_told_with_the_legal_ones() -> None:
    with pytest.raises(ValueError, match=r"seat 0 answered 'bid 999'; legal were \['pass'"):
        play_in_process([Cheat(), RandomBot(), RandomBot()], seed=0)


def test_every_seat_needs_a_bot() -> None:
    with pytest.raises(ValueError, match="2 bots for 3 seats"):
        play_in_process([RandomBot(), RandomBot()])


def test_the_shares_of_a_block_sum_to_half_the_table() -> None:
    short = Ruleset.from_preset("tournament_default", {"deal_limit": 2})
    assert sum(play_block([RandomBot, RandomBot, RandomBot], short, seed=1)) == pytest.approx(1.5)
