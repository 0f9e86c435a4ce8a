"""Exact numbers of action sequences: as written down, and as a second, plain method counts them."""

import pytest

import engine
from engine.cards import cards_of
from tests.engine.counts.renew import FILES, HERE, RULES, ending
from tests.engine.second_opinion.legal import (
    announcement,
    legal_cards,
    trick_winner,
    trump_of_the_trick,
)
from tests.engine.second_opinion.values import Values, values_of


@pytest.mark.parametrize("name", FILES)
def test_counts_are_what_they_were(name: str) -> None:
    assert [f"{line}\n" for line in FILES[name]()] == (HERE / name).read_text(encoding="utf-8").splitlines(
        True
    )


def plain_count(
    values: Values,
    hands: list[list[str]],
    leader: int,
    trick: list[str],
    trump: str | None,
    owner: int | None,
    won: list[int],
) -> int:
    """Count the ways to play hands to the end, on text, with the second opinion's rules."""
    if not any(hands) and not trick:
        return 1
    seat = (leader + len(trick)) % 3
    total = 0
    for play in legal_cards(values, hands[seat], trick, trump, owner == seat, won[seat]):
        card, loud = play[:2], play.endswith("declare") or values["marriage_announce"] == "automatic"
        trump_now, owner_now = trump, owner
        if not trick and loud:
            what, _ = announcement(values, hands[seat], card, won[seat])
            trump_now, mine = trump_of_the_trick(values, card, what, trump, owner == seat)
            owner_now = seat if mine else owner
        rest = [[other for other in hand if other != card] for hand in hands]
        played = [*trick, card]
        if len(played) < 3:
            total += plain_count(values, rest, leader, played, trump_now, owner_now, won)
            continue
        winner = (leader + trick_winner(values, played, trump_now)) % 3
        now = [count + (other == winner) for other, count in enumerate(won)]
        total += plain_count(values, rest, winner, [], trump_now, owner_now, now)
    return total


def test_a_plain_enumerator_counts_the_same_endings() -> None:
    lines = (HERE / "endings.txt").read_text(encoding="utf-8").splitlines()
    counts = [int(line.rsplit(": ", 1)[1]) for line in lines]
    plain = []
    for changes in RULES:
        for seed in (1, 2, 3):
            state = ending(changes, seed)
            hands = [[engine.card_text(card) for card in cards_of(hand)] for hand in state.current.hands]
            values = values_of("tournament_default", changes)
            plain.append(plain_count(values, hands, 0, [], "C", 1, list(state.current.tricks)))
    assert plain == counts
