"""Announcing marriages and aces, and what they do to the trump (Rules §9.6, §9.7)."""

import pytest

import engine
from tests.engine.positions import after, events_of, playing, ruleset, the

HANDS = ("KD QD AS 9C", "AD TS TC KC", "TD JS 9S 9H")


def announced(state: engine.MatchState, action: str) -> tuple[int | None, str | None]:
    """Points and trump after a lead."""
    play = engine.step(state, action).events[0].data
    return play["marriage"], play["trump"]


def test_a_marriage_is_announced_only_after_a_trick_was_won() -> None:
    assert announced(playing(HANDS), "play KD") == (None, None)
    assert announced(playing(HANDS, tricks=(1, 0, 0)), "play KD") == (80, "D")
    assert announced(playing(HANDS, tricks=(0, 1, 0)), "play KD") == (None, None)  # somebody else's trick


def test_where_agreed_a_marriage_is_announced_with_the_first_lead() -> None:
    assert announced(playing(HANDS, rules=ruleset(marriage_first_lead=True)), "play QD") == (80, "D")


@pytest.mark.parametrize(("suit", "points"), [("S", 40), ("C", 60), ("D", 80), ("H", 100)])
def test_marriages_are_worth_40_60_80_and_100(suit: str, points: int) -> None:
    other = "D" if suit != "D" else "H"
    hands = (f"K{suit} Q{suit}", f"9{suit} J{suit}", f"9{other} J{other}")
    assert announced(playing(hands, tricks=(1, 0, 0)), f"play Q{suit}") == (points, suit)


def test_king_and_queen_both_announce_and_other_cards_do_not() -> None:
    state = playing(HANDS, tricks=(1, 0, 0))
    assert announced(state, "play QD") == (80, "D")
    assert announced(state, "play AS") == (None, None)


def test_leading_half_a_marriage_in_the_first_trick_breaks_it() -> None:
    hands = ("KD QD 9H", "JD 9C JC", "9D 9S JS")
    state = after(playing(hands), "play KD", "play JD", "play 9D")
    assert state.turn == 0
    assert announced(state, "play QD") == (None, None)
    assert engine.observation(state, 0).marriages == [[], [], []]


def test_half_a_marriage_following_suit_breaks_it() -> None:
    hands = ("9D AS 9S", "QD KD AD", "JD TS JS")
    state = after(playing(hands, tricks=(1, 1, 0)), "play 9D", "play QD", "play JD")
    assert announced(state, "play KD") == (None, None)


def test_a_drowned_marriage_counts_nothing() -> None:
    """The queen was lost in the first trick; the king led later announces nothing."""
    hands = ("9S QH KS", "AS 9C KH", "QS AH TH")
    state = after(playing(hands, leader=1, tricks=(0, 1, 0)), "play AS", "play QS", "play 9S")
    assert state.turn == 1
    assert announced(state, "play KH") == (None, None)


def test_a_new_trump_counts_from_this_very_trick() -> None:
    """Clubs are trump; seat 0 announces hearts; seat 1, void in hearts, must no longer trump with clubs."""
    hands = ("KH QH", "9C AS", "9H JH")
    state = playing(hands, trump="C", trump_owner=1, tricks=(1, 0, 0))
    state, events = engine.step(state, "play KH")
    assert (events[0].data["marriage"], events[0].data["trump"]) == (100, "H")
    assert set(state.legal) == {"play 9C", "play AS"}
    trick = the(events_of(state, "play 9C", "play JH"), "trick")
    assert (trick["seat"], trick["points"], trick["taken"]) == (0, 4 + 0 + 2, [106, 0, 0])


def test_every_new_marriage_replaces_the_trump() -> None:
    hands = ("KH QH KS QS", "9H JH 9S JS", "9C 9D JC JD")
    state = after(playing(hands, tricks=(1, 0, 0)), "play KH", "play 9H", "play 9C")
    state = after(state, "play KS", "play 9S", "play 9D")
    view = engine.observation(state, 2)
    assert (view.trump, view.trump_owner) == ("S", 0)
    assert view.marriages == [[["H", 100], ["S", 40]], [], []]
    assert view.taken == [148, 0, 0]


def test_a_defender_may_announce_with_the_last_cards() -> None:
    hands = ("9S JS", "KH QH", "9D JD")
    state = playing(hands, leader=1, declarer=0, tricks=(3, 1, 2), cards=(50, 20, 43))
    happened = events_of(state, *["play KH", "play JD", "play JS", "play QH", "play 9D", "play 9S"])
    end = the(happened, "deal_end")
    assert end["marriages"] == [[], [["H", 100]], []]
    assert {"seat": 1, "cause": "marriage", "amount": 100} in end["ledger"]


def test_where_announcing_is_optional_a_silent_lead_breaks_the_pair() -> None:
    rules = ruleset(marriage_announce="optional")
    hands = ("KD QD 9H", "JD 9C JC", "9D 9S JS")
    state = playing(hands, tricks=(1, 0, 0), rules=rules)
    assert state.legal == ("play 9H", "play QD", "play KD", "play QD declare", "play KD declare")
    assert announced(state, "play KD declare") == (80, "D")
    assert announced(state, "play KD") == (None, None)
    state = after(state, "play KD", "play JD", "play 9D")
    assert state.legal == ("play 9H", "play QD")
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, "play QD declare")
    assert caught.value.reason == "no_marriage"


def test_with_automatic_announcing_the_flag_is_not_accepted() -> None:
    with pytest.raises(engine.IllegalActionError):
        engine.step(playing(HANDS, tricks=(1, 0, 0)), "play KD declare")


ACES = ("AS AC AD AH TS", "TC TD TH KS KC", "9S 9C 9D 9H JS")


def test_four_aces_are_announced_by_leading_one() -> None:
    rules = ruleset(ace_marriage=True)
    assert announced(playing(ACES, rules=rules), "play AS") == (None, None)
    assert announced(playing(ACES, tricks=(1, 0, 0), rules=rules), "play AS") == (200, None)
    assert announced(playing(ACES, tricks=(1, 0, 0)), "play AS") == (None, None)


def test_with_one_ace_gone_there_is_no_ace_marriage() -> None:
    hands = ("AC AD AH TS", "TD TH KS KC", "9C 9D 9H JS")
    state = playing(hands, tricks=(1, 0, 0), rules=ruleset(ace_marriage=True))
    assert announced(state, "play AC") == (None, None)


def test_an_ace_marriage_is_written_with_the_letter_a() -> None:
    state = playing(ACES, tricks=(1, 0, 0), rules=ruleset(ace_marriage=True))
    assert engine.observation(after(state, "play AS"), 1).marriages == [[["A", 200]], [], []]


@pytest.mark.parametrize(
    ("effect", "trump"), [("unchanged", "D"), ("cancel", None), ("first_ace", "S"), ("last_ace", None)]
)
def test_what_the_ace_marriage_does_to_the_trump(effect: str, trump: str | None) -> None:
    rules = ruleset(ace_marriage=True, ace_marriage_trump=effect)
    state = playing(ACES, trump="D", trump_owner=1, tricks=(1, 0, 0), rules=rules)
    assert announced(state, "play AS") == (200, trump)


def test_the_last_of_the_four_aces_makes_trump_when_it_is_led() -> None:
    rules = ruleset(ace_marriage=True, ace_marriage_trump="last_ace")
    hands = ("AS AC AD AH", "TS TC 9D KC", "9S JC JD 9H")
    state = playing(hands, tricks=(1, 0, 0), rules=rules)
    state = after(state, "play AS", "play TS", "play 9S", "play AC", "play TC", "play JC")
    state = after(state, "play AD", "play 9D", "play JD")
    assert engine.observation(state, 0).trump is None
    assert announced(state, "play AH") == (None, "H")


def test_the_last_ace_followed_with_makes_trump_from_the_next_trick() -> None:
    rules = ruleset(ace_marriage=True, ace_marriage_trump="last_ace")
    hands = ("AS AC AD JS AH 9H", "TS TC TD QS KH JH", "9S 9C 9D KS TH QH")
    state = playing(hands, tricks=(1, 0, 0), rules=rules)
    for suit in "SCD":
        state = after(state, f"play A{suit}", f"play T{suit}", f"play 9{suit}")
    state = after(state, "play JS", "play QS", "play KS")
    assert state.turn == 2
    state, events = engine.step(after(state, "play TH"), "play AH")
    assert events[0].data["trump"] is None
    state = after(state, "play JH")
    view = engine.observation(state, 0)
    assert (view.trump, view.trump_owner, view.leader) == ("H", 0, 0)


def test_a_marriage_may_need_a_won_card_to_count_but_keeps_its_trump() -> None:
    """Seat 0 announces hearts, loses the king to the ace and the queen to the ten: 100 are not counted."""
    hands = ("KH QH", "AH TH", "9H JH")
    plays = ("play KH", "play AH", "play 9H", "play TH", "play JH", "play QH")
    for needed, counted in ((True, 0), (False, 100)):
        rules = ruleset(marriage_needs_won_card=needed)
        state = playing(hands, declarer=2, contract=100, tricks=(3, 2, 1), cards=(40, 30, 20), rules=rules)
        end = the(events_of(state, *plays), "deal_end")
        assert end["marriages"][0] == [["H", 100]]
        assert [row["amount"] for row in end["ledger"] if row["cause"] == "marriage"] == [counted][
            : counted > 0
        ]


def test_a_won_queen_is_enough_for_the_marriage_to_count() -> None:
    hands = ("KH QH", "9H JH", "AH 9S")
    state = playing(
        hands, declarer=2, tricks=(3, 2, 1), cards=(40, 30, 20), rules=ruleset(marriage_needs_won_card=True)
    )
    plays = ("play KH", "play 9H", "play AH", "play 9S", "play QH", "play JH")
    end = the(events_of(state, *plays), "deal_end")
    assert {"seat": 0, "cause": "marriage", "amount": 100} in end["ledger"]
