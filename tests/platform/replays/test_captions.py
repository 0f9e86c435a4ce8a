"""One sentence a step, for people who cannot see the table and for the transcript."""

from typing import Any

import pytest

from thousand.replays.captions import caption, card_words, signed

END: dict[str, Any] = {
    "event": "deal_end",
    "deal": 3,
    "declarer": 0,
    "contract": 120,
    "result": "made",
    "after": [860, -15, 880],
    "events": [],
    "barrel": [False, False, False],
    "attempts": [0, 0, 0],
}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"event": "bid", "seat": 1, "bid": 105, "forced": False}, "Seat 1 bids 105."),
        ({"event": "bid", "seat": 1, "bid": 100, "forced": True}, "Seat 1 opens with the forced 100."),
        ({"event": "pass", "seat": 2}, "Seat 2 passes."),
        (
            {"event": "widow", "seat": 0, "cards": ["KD", "9C", "JH"]},
            "Seat 0 takes the widow: king of diamonds, nine of clubs, jack of hearts.",
        ),
        (
            {"event": "give", "seat": 0, "to": [1, 2], "cards": ["9C", None]},
            "Seat 0 gives nine of clubs to seat 1 and a hidden card to seat 2.",
        ),
        ({"event": "contract", "seat": 0, "contract": 120, "bid": 120}, "Contract 120 by seat 0."),
        (
            {"event": "contract", "seat": 0, "contract": 120, "bid": 110},
            "Seat 0 raises 110 to a contract of 120.",
        ),
        ({"event": "concede", "seat": 2, "contract": 115}, "Seat 2 concedes 115."),
        (
            {
                "event": "play",
                "seat": 0,
                "card": "QD",
                "trick": 2,
                "lead": True,
                "marriage": 80,
                "trump": "D",
            },
            "Trick 2, seat 0 leads queen of diamonds and announces diamonds: 80 points, diamonds are trump.",
        ),
        (
            {
                "event": "play",
                "seat": 2,
                "card": "TD",
                "trick": 2,
                "lead": False,
                "marriage": None,
                "trump": "D",
                "won": {"seat": 0, "points": 17},
            },
            "Seat 2 plays ten of diamonds. Trick 2 to seat 0, 17 points.",
        ),
        (
            {"event": "give", "seat": 0, "to": [1], "cards": ["9C"]},
            "Seat 0 gives nine of clubs to seat 1.",
        ),
        (
            {
                "event": "play",
                "seat": 0,
                "card": "AD",
                "trick": 2,
                "lead": True,
                "marriage": 200,
                "trump": None,
            },
            "Trick 2, seat 0 leads ace of diamonds and announces four aces: 200 points.",
        ),
        ({"event": "blind", "seat": 1}, "Seat 1 plays blind, without having seen its cards."),
        (
            END | {"result": "thrown", "declarer": None, "contract": None},
            "Deal 3: thrown in, everybody passed. Totals: 860, \u221215, 880.",
        ),
        (
            {"event": "fault", "seat": 1, "verdict": "timeout", "fallback": "pass"},
            "Seat 1: timed out. The arena played “pass” for it.",
        ),
        (
            {"event": "fault", "seat": 1, "verdict": "start_failure", "fallback": None},
            "Seat 1: did not start. The arena plays for it.",
        ),
        (
            {"event": "redeal", "seat": 2, "reason": "four_nines", "hand": []},
            "Seat 2 shows four nines: the cards are dealt again.",
        ),
        (END, "Deal 3: seat 0 made 120. Totals: 860, \u221215, 880."),
        (
            END | {"barrel": [False, False, True], "attempts": [0, 0, 3], "events": ["bolt1"]},
            "Deal 3: seat 0 made 120. Totals: 860, \u221215, 880. Seat 1 gets a bolt. "
            "Seat 2 stays on the barrel, attempt 3 of 3.",
        ),
        (
            {"event": "match_end", "termination": "target", "places": [2, 1, 3], "totals": [5, 1000, -5]},
            "End of the match: seat 1 won. Places: 1 seat 1, 2 seat 0, 3 seat 2. Totals: 5, 1000, \u22125.",
        ),
    ],
)
def test_sentences(event: dict[str, Any], sentence: str) -> None:
    assert caption(event) == sentence


def test_a_kind_that_is_not_known_yet_still_gets_a_sentence() -> None:
    assert caption({"event": "dance", "seat": 1}) == "Seat 1: dance."


def test_hidden_cards_have_words() -> None:
    assert card_words(None) == "a hidden card"


def test_differences_carry_their_sign() -> None:
    assert [signed(amount) for amount in (120, 0, -5)] == ["+120", "0", "\u22125"]
