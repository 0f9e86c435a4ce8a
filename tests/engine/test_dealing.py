"""Everything random follows from the seed, in the way docs/rules.md tells."""

from hashlib import sha256

import pytest

import engine
from engine.cards import FULL_DECK, card_texts
from engine.dealing import FOREHAND, LAST, ORDERS, first_dealer, places_of, received, shuffled_deck
from tests.engine.positions import ruleset

SEED = engine.seed_from_int(7)


def plain_words(seed: bytes, prefix: bytes) -> list[int]:
    """The stream of docs/rules.md, written down a second time."""
    blocks = [sha256(seed + prefix + counter.to_bytes(4, "big")).digest() for counter in range(8)]
    stream = b"".join(blocks)
    return [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]


def plain_deck(seed: bytes, deal: int, redeal: int) -> list[int]:
    words = iter(plain_words(seed, b"deck" + deal.to_bytes(4, "big") + redeal.to_bytes(4, "big")))
    deck = list(range(24))
    for place in range(23, 0, -1):
        size = place + 1
        word = next(w for w in words if w < 2**32 // size * size)
        other = word % size
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def test_the_deck_is_the_documented_shuffle() -> None:
    for deal, redeal in [(0, 0), (0, 1), (1, 0), (99, 3)]:
        assert shuffled_deck(SEED, deal, redeal) == plain_deck(SEED, deal, redeal)


def test_a_known_deal_never_changes() -> None:
    assert ruleset(deck="24")["deck"] == "24"
    deck = [engine.card_text(card) for card in shuffled_deck(SEED, 0, 0)]
    assert " ".join(deck) == KNOWN_DECK


def test_the_first_dealer_is_the_documented_draw() -> None:
    for number in range(40):
        seed = engine.seed_from_int(number)
        word = next(w for w in plain_words(seed, b"dealer") if w < 2**32 // 3 * 3)
        assert first_dealer(seed, 3) == word % 3


def test_every_seat_deals_first_about_equally_often() -> None:
    dealers = [first_dealer(engine.seed_from_int(number), 3) for number in range(600)]
    assert all(150 < dealers.count(seat) < 250 for seat in range(3))


def test_the_widow_gets_places_3_7_and_11_and_each_hand_seven_cards() -> None:
    order = ORDERS["three"]
    assert [place for place, who in enumerate(order) if who == "W"] == [3, 7, 11]
    assert [order.count(who) for who in "FMD"] == [7, 7, 7]


def test_the_last_card_goes_to_the_dealer() -> None:
    deck = shuffled_deck(SEED, 0, 0)
    hands = [received(deck, places) for places in places_of(ORDERS["three"])]
    assert hands[LAST] >> deck[23] & 1
    assert hands[FOREHAND] >> deck[0] & 1
    assert sum(hands) == FULL_DECK


def test_a_dealt_match_follows_the_deck() -> None:
    state = engine.initial_state(ruleset(first_dealer="fixed_seat0"), SEED)
    deck = shuffled_deck(SEED, 0, 0)
    assert card_texts(state.current.widow) == card_texts(sum(1 << deck[place] for place in (3, 7, 11)))
    assert (state.current.dealer, state.current.forehand, state.turn) == (0, 1, 2)


def test_bots_get_the_same_seed_in_every_seating_and_another_one_each_deal() -> None:
    assert (
        engine.bot_seed(SEED, 3, 1)
        == sha256(SEED + b"bot" + (3).to_bytes(4, "big") + (1).to_bytes(4, "big") + bytes(4)).hexdigest()[:32]
    )
    seeds = {engine.bot_seed(SEED, deal, seat) for deal in (None, 0, 1) for seat in range(3)}
    assert len(seeds) == 9


def test_a_seed_is_a_number_or_64_hexadecimal_digits() -> None:
    assert engine.parse_seed("7") == SEED == bytes(31) + b"\x07"
    assert engine.parse_seed("00" * 31 + "07") == SEED
    assert engine.seed_commitment(SEED) == sha256(SEED).hexdigest()


@pytest.mark.parametrize("text", ["", "-1", "7.0", "seven", "0x07", "zz" * 32, "٧", str(2**256)])
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="seed"):
        engine.parse_seed(text)


def test_a_match_starts_only_from_32_bytes() -> None:
    with pytest.raises(ValueError, match="a seed is 32 bytes"):
        engine.start(ruleset(), b"short")


KNOWN_DECK = "KC AH QD KH JS AC 9C TD JC TH AS 9S TS TC QS JD JH QH KS QC 9D 9H KD AD"
