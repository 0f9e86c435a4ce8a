"""What the server draws of a replay itself: first picture, transcript groups, score sheet, plain text."""

import pytest

from tests.viewer import matches
from thousand.replays.captions import caption, number
from thousand.replays.frames import all_dealt, by_suit, groups, picture, sheet, shown_cards, transcript
from thousand.replays.legal_moves import legal_cards

NAMES = ("Marta v1", "Grisha v2", "Hard v3")


def test_the_first_picture_is_the_deal_with_seat_0_at_the_bottom() -> None:
    document = matches.won_match()
    shown = picture(document, 0, NAMES)
    dealt = document["deals"][0]["events"][0]
    assert [seat.place for seat in shown.seats] == ["bottom", "left", "right"]
    assert [[card.card for card in seat.hand] for seat in shown.seats] == dealt["hands"]
    assert [seat.seat for seat in shown.seats if seat.dealer] == [dealt["dealer"]]
    assert shown.last_step == len(document["deals"][0]["events"]) - 1
    assert shown.caption == f"Deal 0. Seat {dealt['dealer']} deals, seat {dealt['forehand']} is forehand."


def test_a_card_knows_its_words_its_drawing_and_whether_it_opens_a_suit() -> None:
    ten, queen, jack = shown_cards(["TS", "QS", "JH"])
    assert (ten.words, ten.rank, ten.wide, ten.court) == ("ten of spades", "10", True, False)
    assert (queen.words, queen.rank, queen.wide, queen.court) == ("queen of spades", "Q", False, True)
    assert [card.first for card in (ten, queen, jack)] == [True, False, True]


@pytest.mark.parametrize("document", [matches.short_match(), matches.faulty_match(), matches.redealt_match()])
def test_every_step_is_in_exactly_one_group_in_order(document: dict) -> None:
    for deal in document["deals"]:
        found = list(groups(deal["events"], "3"))
        assert [step for group in found for step, _line in group.lines] == list(range(len(deal["events"])))
        tricks = [group.trick for group in found if group.key == "trick"]
        assert tricks in ([], [1, 2, 3, 4, 5, 6, 7, 8])
        assert found[0].key == "auction"
        assert found[-1].key == "end"


def test_a_deal_dealt_again_shows_the_cards_that_were_played() -> None:
    document = matches.redealt_match()
    dealt = all_dealt(document, 0)
    assert len(dealt) == 2
    assert dealt[-1]["redeal"] == 1
    assert caption(dealt[-1]).startswith("Deal 0, dealt again.")


def test_a_sheet_adds_up() -> None:
    document = matches.long_match()
    compared = 0
    for deal in range(len(document["deals"])):
        found = sheet(document, deal, NAMES)
        assert found is not None
        end = next(event for event in document["deals"][deal]["events"] if event["event"] == "deal_end")
        for row in found.rows:
            amounts = [amount for _cause, amount in (*row.base, *row.fines, *row.barrel)]
            change = sum(int(amount.replace("\u2212", "-")) for amount in amounts)
            assert end["before"][row.seat] + change == end["after"][row.seat]
            assert row.after == number(end["after"][row.seat])
        if end["result"] == "conceded":
            assert found.card_points is None
        else:
            assert found.card_points == 120
        compared += len(found.rows)
    assert compared == 300


def test_a_deal_that_was_not_finished_has_no_sheet() -> None:
    document = matches.short_match()
    events = [event for event in document["deals"][0]["events"] if event["event"] != "deal_end"]
    assert sheet(document | {"deals": [{"deal": 0, "events": events}]}, 0, NAMES) is None


def test_the_transcript_holds_hands_by_suit_and_every_step() -> None:
    document = matches.short_match()
    text = transcript(document, "A match", NAMES)
    assert text.startswith("A match\n\nseat 0: Marta v1\n")
    for deal in document["deals"]:
        for hand in deal["events"][0]["hands"]:
            assert by_suit(hand) in text
        for step, event in enumerate(deal["events"]):
            assert f"{step:>3}  {caption(event, attempts_limit='3')}" in text


def test_legal_cards_hold_the_card_that_was_played() -> None:
    document = matches.won_match()
    for deal in range(3):
        legal = legal_cards(document, deal)
        plays = [event for event in document["deals"][deal]["events"] if event["event"] == "play"]
        assert len(legal) == len(plays)
        for event in plays:
            assert event["card"] in legal[event["action"]]


def test_legal_cards_of_other_rules_are_not_guessed() -> None:
    assert legal_cards(matches.won_match() | {"rules_version": "0"}, 0) == {}
