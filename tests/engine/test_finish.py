"""What a finished deal hands to the score: marriages that count, kept nines, fines at the cut; the bank."""

import pytest

import engine
from engine.outcome import make_outcome
from tests.engine.positions import events_of, playing, ruleset, the

LOST_AND_WON = ("QH KH 9D", "AH 9S AD", "JH JS JD")
LOST_TWICE = ("QH KH 9D", "AH TH 9S", "JH 9H JS")


@pytest.mark.parametrize(
    ("hands", "actions", "points"),
    [
        # The queen is lost, the king takes the next trick; the last one is another seat's.
        (LOST_AND_WON, "QH AH JH 9S JS KH 9D AD JD", 100),
        # Queen and king are both taken by the others.
        (LOST_TWICE, "QH AH JH TH 9H KH 9S JS 9D", 0),
    ],
)
def test_a_marriage_counts_by_who_won_its_king_or_queen_in_whichever_trick(
    hands: tuple[str, str, str], actions: str, points: int
) -> None:
    """Proves marriage_needs_won_card."""
    rules = ruleset(marriage_needs_won_card=True)
    state = playing(hands, leader=0, declarer=1, tricks=(2, 1, 2), cards=(30, 20, 18), rules=rules)
    end = the(events_of(state, *[f"play {card}" for card in actions.split()]), "deal_end")
    assert end["marriages"][0] == [["H", 100]]
    earned = [row["amount"] for row in end["ledger"] if (row["seat"], row["cause"]) == (0, "marriage")]
    assert earned == [points] * bool(points)


@pytest.mark.parametrize("holder", [0, 1, 2])
def test_who_holds_all_nines_when_play_begins_earns_the_bonus(holder: int) -> None:
    """Proves four_nines_bonus."""
    hands = ["9S 9C 9D 9H JS", "AS AC AD AH JC", "TS TC TD TH JD"]
    hands = hands[-holder:] + hands[:-holder] if holder else hands
    rules = ruleset(four_nines_bonus=120, must_trump=False)
    state = playing(hands, tricks=(1, 1, 1), cards=(20, 6, 4), rules=rules)
    while state.deal == 0:
        step = engine.step(state, state.legal[0])
        state = step.state
    rows = [row for row in the(step.events, "deal_end")["ledger"] if row["cause"] == "nines"]
    assert rows == [{"seat": holder, "cause": "nines", "amount": 120}]


def test_nines_in_two_hands_earn_nobody_a_bonus() -> None:
    hands = ("9S 9C 9D AH", "AS AC AD 9H", "TS TC TD TH")
    state = playing(hands, tricks=(2, 1, 1), cards=(20, 10, 6), rules=ruleset(four_nines_bonus=120))
    while state.deal == 0:
        step = engine.step(state, state.legal[0])
        state = step.state
    assert "nines" not in [row["cause"] for row in the(step.events, "deal_end")["ledger"]]


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_three_nines_at_the_cut_cost_the_seat_at_the_dealers_right(dealer: int) -> None:
    """Proves cut_three_nines_penalty."""
    rules = ruleset("home_rules", concession_free_count=0, cut_jack="off")
    for number in range(10_000):
        state, events = engine.start(rules, engine.seed_from_int(number))
        fined = any(event.kind == "cut" and event.data["fined"] for event in events)
        if fined and state.current.dealer == dealer:
            break
    assert fined
    while state.deal == 0:
        action = state.legal[-1] if state.legal[-1] == "concede" else state.legal[0]
        state, events = engine.step(state, action)
    rows = [row for row in the(events, "deal_end")["ledger"] if row["cause"] == "cut_fine"]
    assert rows == [{"seat": (dealer - 1) % 3, "cause": "cut_fine", "amount": -120}]


@pytest.mark.parametrize(
    ("totals", "forehand", "settlement"),
    [
        # Two first: they share the bank, and what cannot be shared goes to the nearer to forehand.
        ((900, 900, 300), 0, (51, 50, -101)),
        ((900, 900, 300), 1, (50, 51, -101)),
        ((900, 900, 300), 2, (51, 50, -101)),
        ((900, 300, 900), 0, (51, -101, 50)),
        ((900, 300, 900), 1, (50, -101, 51)),
        ((900, 300, 900), 2, (50, -101, 51)),
        # Two third: they share the payment, and the farther from forehand pays what cannot be shared.
        ((300, 300, 900), 0, (-50, -51, 101)),
        ((300, 300, 900), 1, (-51, -50, 101)),
        ((300, 300, 900), 2, (-50, -51, 101)),
        ((300, 900, 300), 2, (-51, 101, -50)),
        # All alike: nobody pays.
        ((300, 300, 300), 1, (0, 0, 0)),
    ],
)
def test_equal_places_share_the_bank_and_forehand_decides_about_the_rest(
    totals: tuple[int, int, int], forehand: int, settlement: tuple[int, int, int]
) -> None:
    """Proves settlement and bank_amount (A-85)."""
    limit = engine.Termination.DEAL_LIMIT
    assert make_outcome(limit, totals, None, 101, forehand).settlement == settlement
