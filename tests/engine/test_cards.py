"""Cards as integers and hands as masks."""

import pytest

import engine
from engine.cards import CARD_TEXTS, FULL_DECK, card_texts, cards_of, cheapest_first, mask_of, parse_mask


def test_the_pack_has_twenty_four_cards_and_120_points() -> None:
    assert len(set(CARD_TEXTS)) == 24
    assert engine.points_of(FULL_DECK) == sum(engine.CARD_POINTS) == 120


def test_points_are_the_rule_books() -> None:
    points = {text[0]: engine.CARD_POINTS[card] for card, text in enumerate(CARD_TEXTS)}
    assert points == {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}


def test_every_card_reads_back() -> None:
    assert [engine.parse_card(engine.card_text(card)) for card in range(24)] == list(range(24))


@pytest.mark.parametrize("text", ["", "10S", "SQ", "qs", "Q♠", "QSS", None, 3])
def test_what_is_no_card_is_refused_with_the_accepted_form(text: object) -> None:
    with pytest.raises(ValueError, match="rank of 9JQKTA and a suit of SCDH, like QS"):
        engine.parse_card(text)  # type: ignore[arg-type]


def test_a_hand_is_written_by_suit_and_from_the_ace_down() -> None:
    assert card_texts(parse_mask("9S AH TS QC KC JD AS")) == ["AS", "TS", "9S", "KC", "QC", "JD", "AH"]


def test_the_cheapest_card_comes_first() -> None:
    cards = cheapest_first(parse_mask("AS 9H TD 9S QC"))
    assert [engine.card_text(card) for card in cards] == ["9S", "9H", "QC", "TD", "AS"]


def test_masks_and_cards_convert_both_ways() -> None:
    assert mask_of(cards_of(0b1011)) == 0b1011
    assert engine.points_of(parse_mask("AS TC KD QH JS 9C")) == 11 + 10 + 4 + 3 + 2
