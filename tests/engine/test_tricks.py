"""Legal cards and trick winners (Rules §9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.cards import CARD_TEXTS, cards_of, mask_of, parse_card, parse_mask
from engine.tricks import FOLLOW, STANDARD, best_of, legal_follows, winning_cards
from tests.engine.positions import after, playing, ruleset

SUITS = "SCDH"
ORDER = "9JQKTA"
BEATING = ["none", "in_suit", "in_suit_and_trump"]


def follows(hand: str, trick: str, trump: str | None = None, preset: str = "skill_games") -> set[str]:
    rules = engine.Ruleset.from_preset(preset, score_only=True)
    cards = [parse_card(text) for text in trick.split()]
    number = -1 if trump is None else SUITS.index(trump)
    legal = legal_follows(
        parse_mask(hand),
        FOLLOW[cards[0]],
        winning_cards(best_of(tuple(cards), number), number, STANDARD),
        number,
        rules.must_trump,
        BEATING.index(rules.must_beat),
    )
    return {CARD_TEXTS[card] for card in cards_of(legal)}


def leads(state: engine.MatchState) -> set[str]:
    return {action.removeprefix("play ") for action in state.legal}


def test_the_suit_led_must_be_followed() -> None:
    assert follows("9H AH 9S TC", "QH") == {"9H", "AH"}


def test_nobody_must_win_a_trick() -> None:
    assert follows("9H AH 9S", "QH") == {"9H", "AH"}


def test_a_player_void_in_the_suit_must_trump() -> None:
    assert follows("9S AS JC", "QH", trump="C") == {"JC"}


def test_a_player_void_in_suit_and_trump_plays_anything() -> None:
    assert follows("9S AS JD", "QH", trump="C") == {"9S", "AS", "JD"}


def test_without_a_trump_a_void_player_plays_anything() -> None:
    assert follows("9S AS JC", "QH") == {"9S", "AS", "JC"}


def test_a_void_player_need_not_overtrump() -> None:
    assert follows("9C AC JS", "QH JC", trump="C") == {"9C", "AC"}


def test_where_agreed_the_best_card_of_the_suit_must_be_beaten() -> None:
    assert follows("9H KH AH 9S", "QH", preset="tens") == {"KH", "AH"}
    assert follows("9H JH 9S", "QH", preset="tens") == {"9H", "JH"}
    assert follows("9H KH AH 9S", "QH 9C", trump="C", preset="tens") == {"9H", "KH", "AH"}  # trumped already


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("KH TH QH", None, "TH"),
        ("AH 9C TH", "C", "9C"),
        ("9S AH TH", None, "9S"),  # off-suit cards never win
        ("9S AH TH", "D", "9S"),
        ("QC TC KC", "C", "TC"),
        ("AH 9C JC", "C", "JC"),
        ("TS AS KS", None, "AS"),
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(
    trick: str, trump: str | None, winner: str
) -> None:
    cards = tuple(parse_card(text) for text in trick.split())
    assert CARD_TEXTS[best_of(cards, -1 if trump is None else SUITS.index(trump))] == winner


def plain_follows(
    hand: list[str], trick: list[str], trump: str | None, must_trump: bool, beat: str
) -> set[str]:
    """Rules §9.3 word for word, on text."""
    led = trick[0][1]
    trumps_played = [card for card in trick if card[1] == trump]
    best = max(trumps_played or [card for card in trick if card[1] == led], key=lambda c: ORDER.index(c[0]))
    suit = [card for card in hand if card[1] == led]
    trumps = [card for card in hand if card[1] == trump]

    def higher(cards: list[str]) -> list[str]:
        return [card for card in cards if ORDER.index(card[0]) > ORDER.index(best[0])]

    if suit:
        if beat != "none" and best[1] == led and higher(suit):
            return set(higher(suit))
        return set(suit)
    if trumps and must_trump:
        if beat == "in_suit_and_trump" and best[1] == trump and higher(trumps):
            return set(higher(trumps))
        return set(trumps)
    return set(hand)


@given(
    st.lists(st.integers(0, 23), min_size=2, max_size=10, unique=True),
    st.integers(1, 2),
    st.sampled_from([None, *SUITS]),
    st.booleans(),
    st.sampled_from(BEATING),
)
def test_the_masks_agree_with_the_rule_read_word_for_word(
    cards: list[int], on_table: int, trump: str | None, must_trump: bool, beat: str
) -> None:
    on_table = min(on_table, len(cards) - 1)
    trick, hand = tuple(cards[:on_table]), cards[on_table:]
    number = -1 if trump is None else SUITS.index(trump)
    winning = winning_cards(best_of(trick, number), number, STANDARD)
    legal = legal_follows(mask_of(hand), FOLLOW[trick[0]], winning, number, must_trump, BEATING.index(beat))
    texts = [CARD_TEXTS[card] for card in hand]
    expected = plain_follows(texts, [CARD_TEXTS[card] for card in trick], trump, must_trump, beat)
    assert {CARD_TEXTS[card] for card in cards_of(legal)} == expected


def test_any_card_may_be_led() -> None:
    state = playing(("AC 9C 9S", "TC KC QS", "AH TH KH"), trump="C", trump_owner=1, tricks=(1, 0, 0))
    assert leads(state) == {"AC", "9C", "9S"}


@pytest.mark.parametrize("rule", ["forbidden", "forbidden_unless_only_trumps"])
def test_where_agreed_a_foreign_trump_may_not_be_led_unless_only_trumps_are_left(rule: str) -> None:
    rules = ruleset(lead_foreign_trump=rule)
    foreign = playing(("AC 9C 9S", "TC KC QS", "AH TH KH"), trump="C", trump_owner=1, rules=rules)
    only_trumps = playing(("AC 9C", "TC KC", "AH TH"), trump="C", trump_owner=1, rules=rules)
    own = playing(("AC 9C 9S", "TC KC QS", "AH TH KH"), trump="C", trump_owner=0, rules=rules)
    assert leads(foreign) == {"9S"}
    assert leads(only_trumps) == {"AC", "9C"}
    assert leads(own) == {"AC", "9C", "9S"}
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(foreign, "play AC")
    assert caught.value.reason == "may_not_lead_trump"


def test_where_agreed_trumps_must_be_led_and_an_announcement_satisfies_the_duty() -> None:
    rules = ruleset(must_lead_trump=True)
    hands = ("AC KD QD 9S", "TC KC QS JS", "AH TH KH QH")
    after_a_trick = playing(hands, trump="C", trump_owner=0, tricks=(1, 0, 0), rules=rules)
    before_any = playing(hands, trump="C", trump_owner=0, rules=rules)
    assert leads(after_a_trick) == {"AC", "KD", "QD"}
    assert leads(before_any) == {"AC"}
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(after_a_trick, "play 9S")
    assert caught.value.reason == "must_lead_trump"


def test_the_prohibition_of_foreign_trumps_wins_over_the_duty_to_lead_them() -> None:
    rules = ruleset(must_lead_trump=True, lead_foreign_trump="forbidden")
    state = playing(("AC 9C 9S", "TC KC QS", "AH TH KH"), trump="C", trump_owner=1, rules=rules)
    assert leads(state) == {"9S"}


def test_the_winner_of_a_trick_leads_the_next() -> None:
    state = playing(("9S AC", "AS TC", "TS KC"))
    state = after(state, "play 9S", "play AS", "play TS")
    assert (state.turn, state.current.leader, state.current.tricks) == (1, 1, (0, 1, 0))
    assert engine.observation(state, 0).taken == [0, 21, 0]


def test_the_cheapest_legal_card_is_offered_first() -> None:
    state = playing(("AS TS KS 9H JD", "9S 9C 9D JC AC", "AH TH KH QH JH"))
    assert state.legal == ("play 9H", "play JD", "play KS", "play TS", "play AS")


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("play AS", "must_follow"),
        ("play TD", "not_held"),
        ("bid 105", "wrong_phase"),
        ("pass", "wrong_phase"),
    ],
)
def test_an_illegal_card_is_refused_with_its_reason(action: str, reason: str) -> None:
    state = after(playing(("9H 9S", "AS KH", "QS JS")), "play 9H")
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, action)
    assert (caught.value.reason, caught.value.seat, caught.value.legal) == (reason, 1, ("play KH",))


def test_a_player_who_does_not_trump_is_told_to() -> None:
    state = after(playing(("9H 9S", "AS 9C", "QS JS"), trump="C", trump_owner=0), "play 9H")
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, "play AS")
    assert caught.value.reason == "must_trump"
    assert "without hearts a trump must be played" in str(caught.value)


@pytest.mark.parametrize(
    ("rule", "hand", "trick", "refused"),
    [
        ("in_suit", "9H AH", ("play QH",), "play 9H"),
        ("in_suit_and_trump", "9C AC", ("play QH", "play JC"), "play 9C"),
    ],
)
def test_a_player_who_does_not_beat_is_told_to(
    rule: str, hand: str, trick: tuple[str, ...], refused: str
) -> None:
    hands = ["QH 9D", "JC 9S", "KS TS"]
    hands[len(trick)] = hand
    state = after(playing(hands, trump="C", trump_owner=0, rules=ruleset(must_beat=rule)), *trick)
    with pytest.raises(engine.IllegalActionError) as caught:
        engine.step(state, refused)
    assert caught.value.reason == "must_beat"
