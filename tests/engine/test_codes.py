"""Every action as a number and back."""

import pytest

import engine
from engine.cards import cheapest_first
from engine.codes import Gives, code_of, gives_of_pairs, plays, text_of
from engine.deal import AUCTION, BLIND_OR_LOOK, BUY_OR_PASS, CUT, GIVING, NAMING, OVER, PHASES, PLAYING, WIDOW
from engine.deal import REDEAL_OR_KEEP as REDEAL

WORDS = ["pass", "take", "take 1", "take 2", "concede", "redeal", "keep", "blind", "look"]


def test_every_action_is_a_number_and_back() -> None:
    texts = [
        *WORDS,
        *(f"{word} {number}" for word in ("bid", "contract", "buy") for number in (40, 105, 240, 1000)),
        *(f"play {card}{declare}" for card in engine.CARD_TEXTS for declare in ("", " declare")),
        *(f"give {card}" for card in engine.CARD_TEXTS),
        *(f"give {one} {other}" for one in engine.CARD_TEXTS for other in engine.CARD_TEXTS),
    ]
    codes = [code_of(engine.parse_action(text)) for text in texts]
    assert [text_of(code) for code in codes] == texts
    assert len(set(codes)) == len(codes)


def test_phases_have_their_places() -> None:
    places = (CUT, BLIND_OR_LOOK, REDEAL, AUCTION, WIDOW, BUY_OR_PASS, GIVING, NAMING, PLAYING, OVER)
    assert [PHASES[place].value for place in places] == [
        *("cut", "blind", "redeal", "auction", "widow", "buy", "give", "contract", "play", "over")
    ]


def test_plays_are_listed_ascending_announced_ones_last() -> None:
    for mask in (0, 1, 1 << 23, 0b1011 << 10, 0b101 << 24 | 0b101, 1 << 47 | 1 << 2):
        assert list(plays(mask)) == [action for action in range(48) if mask >> action & 1]


def test_gives_are_all_pairs_cheapest_first() -> None:
    cards = engine.mask_of(engine.parse_card(text) for text in ["AH", "9S", "KD", "JC"])
    order = cheapest_first(cards)
    pairs = [(one, other) for one in order for other in order if one != other]
    texts = [f"give {engine.CARD_TEXTS[one]} {engine.CARD_TEXTS[other]}" for one, other in pairs]
    assert [text_of(code) for code in Gives(cards, False)] == texts
    conceding = Gives(cards, True)
    assert [text_of(conceding[index]) for index in range(len(conceding))] == [*texts, "concede"]
    assert list(conceding) == [conceding[index - len(conceding)] for index in range(len(conceding))]
    with pytest.raises(IndexError, match="there are 13 ways"):
        conceding[13]
    assert len(gives_of_pairs(cards)) == 6
