"""Replays of every preset open on the server: the page, each deal without JavaScript, the transcript."""

import pytest

from engine import PLAYABLE_PRESETS
from tests.viewer.matches import preset_match
from tests.viewer.pages import page_answer


@pytest.mark.parametrize("preset", PLAYABLE_PRESETS)
def test_a_replay_of_every_preset_opens(preset: str) -> None:
    document = preset_match(preset)
    page = page_answer(document, "/replays/abcabcabcabc").content.decode()
    assert page.count('class="seat seat-') == document["players"]
    for deal in document["deals"]:
        static = page_answer(document, f"/replays/abcabcabcabc?deal={deal['deal']}").content.decode()
        assert f"deal {deal['deal']} of {len(document['deals']) - 1}" in static
        assert "None" not in static
    transcript = page_answer(document, "/replays/abcabcabcabc?transcript").content.decode()
    assert "None" not in transcript
    assert "{" not in transcript
