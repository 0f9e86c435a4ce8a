"""Replays of every preset open on the server: the page, each deal without JavaScript, the transcript."""

from pathlib import Path

import pytest

from bots_sdk.cards import STRENGTH
from engine import CAUSES, PLAYABLE_PRESETS, SUITS, card_text
from tests.viewer.matches import preset_match
from tests.viewer.pages import page_answer
from thousand.replays.frames import BARREL, FINES, sheet, shown_cards
from thousand.web.viewer_texts import VIEWER_TEXTS

STATIC = Path(__file__).resolve().parents[3] / "platform" / "thousand" / "web" / "static" / "web"


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_of_a_ledger_entry_has_words_on_the_score_sheet(cause: str) -> None:
    assert f"cause-{cause}" in VIEWER_TEXTS
    assert {*FINES, *BARREL} <= set(CAUSES)


@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_a_replay_of_every_preset_opens(preset: str) -> None:
    document = preset_match(preset)
    page = page_answer(document, "/replays/abcabcabcabc").content.decode()
    assert page.count('class="seat seat-') == document["players"]
    for deal in document["deals"]:
        static = page_answer(document, f"/replays/abcabcabcabc?deal={deal['deal']}").content.decode()
        assert f"deal {deal['deal']} of {len(document['deals']) - 1}" in static
        assert "None" not in static
    names = [f"bot {seat}" for seat in range(document["players"])]
    for number, deal in enumerate(document["deals"]):
        end = next((event for event in deal["events"] if event["event"] == "deal_end"), None)
        found = sheet(document, number, names)
        assert (found is None) == (end is None)
        for row in found.rows if found and end else ():
            entries = [*row.base, *row.fines, *row.barrel]
            assert len(entries) == len([entry for entry in end["ledger"] if entry["seat"] == row.seat])
            change = sum(int(amount.replace("\u2212", "-")) for _cause, amount in entries)
            assert end["before"][row.seat] + change == end["after"][row.seat]
    transcript = page_answer(document, "/replays/abcabcabcabc?transcript").content.decode()
    assert "None" not in transcript
    assert "{" not in transcript


def test_cards_are_in_one_order_in_every_layer() -> None:
    """9 < J < Q < K < 10 < A in engine, SDK, pages, viewer and its drawings."""
    ranks = "9JQKTA"
    assert [card_text(card) for card in range(24)] == [rank + suit for suit in SUITS for rank in ranks]
    assert [STRENGTH[rank + "S"] for rank in ranks] == sorted(STRENGTH[rank + "S"] for rank in ranks)
    viewer = (STATIC / "viewer" / "model.js").read_text(encoding="utf-8")
    assert f'const RANKS = "{ranks[::-1]}"' in viewer
    assert f'const SUITS = "{"".join(SUITS)}"' in viewer
    hands = preset_match("tournament_default")["deals"][0]["events"][0]["hands"]
    for hand in hands:
        assert hand == sorted(hand, key=lambda card: (SUITS.index(card[1]), -ranks.index(card[0])))
        shown = shown_cards(hand)
        assert [card.card for card in shown] == hand
        drawn = (STATIC / "cards.svg").read_text(encoding="utf-8")
        assert all(f'id="r-{card.rank}"' in drawn and f'id="s-{card.suit}"' in drawn for card in shown)
