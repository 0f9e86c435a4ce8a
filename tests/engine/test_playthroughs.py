"""Golden playthroughs: what every seat saw in a short match; playthroughs/renew.py renews them."""

import pytest

from tests.engine.playthroughs.renew import MATCHES, path_of, playthrough


@pytest.mark.parametrize("preset", MATCHES)
def test_a_playthrough_is_what_it_was(preset: str) -> None:
    assert playthrough(preset) == path_of(preset).read_text(encoding="utf-8")


def test_the_playthrough_shows_a_redeal_two_marriages_and_a_concession() -> None:
    text = path_of("tournament_default").read_text(encoding="utf-8")
    for shown in ("redeal", "concede", "deal_end"):
        assert f'"event": "{shown}"' in text
    for shown in ('"marriage": 40', '"marriage": 100', "deal_limit: places"):
        assert shown in text
