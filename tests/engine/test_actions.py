"""Actions are read strictly; what cannot be read is told apart from what is not legal."""

import pytest

import engine
from engine.actions import Action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", Action("pass")),
        ("take", Action("take")),
        ("concede", Action("concede")),
        ("bid 105", Action("bid", 105)),
        ("contract 120", Action("contract", 120)),
        ("buy 240", Action("buy", 240)),
        ("give KH 9S", Action("give", cards=(engine.parse_card("KH"), engine.parse_card("9S")))),
        ("play QS", Action("play", cards=(engine.parse_card("QS"),))),
        ("play QS declare", Action("play", cards=(engine.parse_card("QS"),), declare=True)),
    ],
)
def test_actions_of_the_notation_are_read(text: str, action: Action) -> None:
    assert engine.parse_action(text) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Pass",
        "pass ",
        " pass",
        "pass 1",
        "bid",
        "bid -5",
        "bid 0105",
        "bid 105.0",
        "bid  105",
        "bid ١٠٥",
        "bid 99999",
        "play",
        "play 10S",
        "play QS Declare",
        "play QS declare declare",
        "give",
        "give KH 9S QS",
        "take\n",
        "raise 105",
    ],
)
def test_what_cannot_be_read_is_refused_with_the_accepted_forms(text: str) -> None:
    with pytest.raises(engine.InvalidActionError) as caught:
        engine.parse_action(text)
    assert caught.value.action == text
    assert "bid N" in caught.value.expected
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("value", [None, 7, b"pass", ["pass"]])
def test_an_action_is_text(value: object) -> None:
    with pytest.raises(engine.InvalidActionError):
        engine.parse_action(value)  # type: ignore[arg-type]


def test_a_very_long_action_is_quoted_shortly() -> None:
    with pytest.raises(engine.InvalidActionError) as caught:
        engine.parse_action("x" * 10_000)
    assert len(str(caught.value)) < 500
