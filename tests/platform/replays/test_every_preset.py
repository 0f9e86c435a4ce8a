"""Replays of every preset open on the server: the page, each deal without JavaScript, the transcript."""

import pytest

from engine import CAUSES, PLAYABLE_PRESETS
from tests.viewer.matches import preset_match
from tests.viewer.pages import page_answer
from thousand.replays.frames import BARREL, FINES, sheet
from thousand.web.viewer_texts import VIEWER_TEXTS


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
