"""The house bots play every preset that the engine plays, whatever its number of seats."""

from itertools import combinations_with_replacement, permutations

import pytest

from bots_sdk import Act, Bot, Hello
from bots_sdk.house import HOUSE_BOTS, EasyBot, RandomBot, house_bot
from bots_sdk.seatings import seatings
from bots_sdk.table import play_block, play_in_process
from engine import PLAYABLE_PRESETS, Ruleset
from tests.bots_sdk.samples import act, hello

SHORT = {"deal_limit": 12}


def tables(players: int) -> list[tuple[str, ...]]:
    """Random and easy bots in every seat, alone and mixed."""
    mixed = [order for order in set(permutations(["random", "easy"] * 2, players)) if len(set(order)) == 2]
    return [("random",) * players, ("easy",) * players, *sorted(mixed)]


@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_house_bots_play_every_preset_without_an_illegal_action(preset: str) -> None:
    ruleset = Ruleset.from_preset(preset, SHORT)
    for seed, names in enumerate(tables(ruleset.players)):
        played = play_in_process([house_bot(name) for name in names], ruleset, seed)
        assert len(played.outcome.places) == ruleset.players
        assert played.record.actions


@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_searching_bots_play_every_preset_without_an_illegal_action(preset: str) -> None:
    ruleset = Ruleset.from_preset(preset, {"deal_limit": 2})
    names = ("medium", "hard", "insane", "medium")[: ruleset.players]
    played = play_in_process([house_bot(name) for name in names], ruleset, seed=4)
    assert len(played.outcome.places) == ruleset.players


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_all_house_bots_play_whole_matches_of_every_preset(preset: str) -> None:
    ruleset = Ruleset.from_preset(preset, {"deal_limit": 20})
    every = list(combinations_with_replacement(HOUSE_BOTS, ruleset.players))
    for seed, names in enumerate(every):
        play_in_process([house_bot(name) for name in names], ruleset, 1000 + seed)


@pytest.mark.parametrize("preset", ["two_player_widows_2x3", "club_four", "hilyada_bg"])
def test_equal_bots_share_a_block_of_any_size_evenly(preset: str) -> None:
    players = Ruleset.from_preset(preset).players
    shares = play_block([EasyBot] * players, Ruleset.from_preset(preset, SHORT), seed=5)
    assert shares == pytest.approx([0.5] * players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_bot_sits_in_every_seat_equally_often(players: int) -> None:
    orders = seatings(players)
    for seat in range(players):
        assert sorted(order[seat] for order in orders) == sorted(
            list(range(players)) * (len(orders) // players)
        )
    neighbours = {(order[seat], order[(seat + 1) % players]) for order in orders for seat in range(players)}
    assert len(neighbours) == players * (players - 1), "everybody leads into everybody"


def test_easy_is_far_better_than_random_at_two_and_four_seats() -> None:
    for preset in ("two_player_piles", "club_four"):
        ruleset = Ruleset.from_preset(preset, SHORT)
        others = [RandomBot] * (ruleset.players - 1)
        assert play_block([EasyBot, *others], ruleset, seed=2)[0] == 1


def easy(request: Act) -> str:
    bot: Bot = EasyBot(noise=0, carelessness=0)
    bot.start(Hello.from_json(hello()))
    return bot.choose(request)


def asked(phase: str, legal: list[str], **view: object) -> Act:
    return Act.from_json({**act(phase=phase, **view).to_json(), "legal": legal})


def test_easy_buys_a_widow_that_makes_its_hand_and_no_other() -> None:
    legal = ["pass", "buy 130", "buy 135"]
    rich = {"hand": ["AS", "TS", "KS", "QS", "AH", "TH", "KH"], "widow": ["QH", "AD", "9C"]}
    poor = {"hand": ["9S", "JS", "9C", "JC", "9D", "JD", "9H"], "widow": ["QH", "AD", "KC"]}
    assert easy(asked("buy", legal, **rich)) == "buy 130"
    assert easy(asked("buy", legal, **poor)) == "pass"
    assert easy(asked("buy", ["pass"], **rich)) == "pass"


def test_easy_claims_a_redeal_and_looks_before_it_bids() -> None:
    assert easy(asked("redeal", ["keep", "redeal"])) == "redeal"
    assert easy(asked("redeal", ["keep"])) == "keep"
    assert easy(asked("blind", ["look", "blind"], hand=None)) == "look"
    assert easy(asked("auction", ["pass", "bid 125"], hand=None)) == "pass"


def test_easy_does_not_count_the_cards_it_must_still_pass() -> None:
    legal = [f"contract {number}" for number in range(100, 400, 5)]
    ten = ["AS", "TS", "KS", "QS", "AH", "TH", "AC", "TC", "AD", "TD"]
    before = easy(asked("contract", legal, hand=ten, given=None))
    after = easy(asked("contract", legal, hand=ten, given=[None, "9S", "9H"]))
    assert int(before.split()[1]) < int(after.split()[1])
