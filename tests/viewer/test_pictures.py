"""What every step shows: the events, and in a seat's view exactly what that seat knew."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

import engine
from tests.viewer import matches
from tests.viewer.conftest import PRESETS, ReadAll
from thousand.replays.captions import caption, card_words, number

pytestmark = pytest.mark.browser

ALL_CARDS = engine.CARD_TEXTS
BY_WORDS = {card_words(card): card for card in ALL_CARDS}
WORDS = re.compile("|".join(BY_WORDS))


def states_after_steps(document: Mapping[str, Any]) -> Iterator[tuple[int, int, engine.MatchState]]:
    """Yield (deal, step, state) for each step that is an action and nothing more."""
    places = {
        event["action"]: (number, step)
        for number, deal in enumerate(document["deals"])
        for step, event in enumerate(deal["events"])
        if "action" in event
    }
    record = engine.MatchRecord.from_json(
        {key: document[key] for key in ("rules_version", "ruleset", "seed", "actions")}
    )
    steps = engine.replay_record(record)
    next(steps)
    for action, step in enumerate(steps):
        if action in places and len([event for event in step.events if event.kind != "trick"]) == 1:
            yield *places[action], step.state


def known_cards(events: Sequence[Mapping[str, Any]], seat: int) -> set[str]:
    """The cards a seat knew the whereabouts of, told from the events alone; seat -1 is a spectator.

    A spectator knows what every seat knows: at a table of two also what one passes to the other.
    """
    seats = max((len(event["hands"]) for event in events if event["event"] == "deal"), default=4)

    def sees(mask: int | None) -> bool:
        return mask is None or (bool(mask >> seat & 1) if seat >= 0 else mask == (1 << seats) - 1)

    known: set[str] = set()
    for event in events:
        see = event.get("see", {})
        match event["event"]:
            case "deal":
                known = set(event["hands"][seat]) if seat >= 0 and sees(see["hands"][seat]) else set()
                known |= set(event["widow"]) if sees(see.get("widow")) else set()
            case "look":
                known |= set(event["cards"]) if sees(see["cards"]) else set()
            case "draw" | "cut":
                known |= {event["card"]} if sees(see.get("card")) else set()
            case "redeal":
                known |= set(event["hand"])
            case "widow" | "give":
                masks = see.get("cards")
                masks = [masks] * len(event["cards"]) if isinstance(masks, int | None) else masks
                known |= {c for c, mask in zip(event["cards"], masks, strict=True) if sees(mask)}
            case "play":
                known.add(event["card"])
            case "deal_end":
                known = set(ALL_CARDS)
    return known


def shown_cards(picture: Mapping[str, Any]) -> set[str]:
    """Every card that the table names: by a code in an attribute, in words, or in a title."""
    return set(picture["codes"]) | {
        BY_WORDS[found] for found in WORDS.findall(picture["words"] + picture["told"])
    }


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seats_view_is_what_the_engine_let_that_seat_observe(read_all: ReadAll, seat: int) -> None:
    document = matches.short_match()
    shown = read_all("short", view="seat", seat=seat)
    compared = 0
    for deal, step, state in states_after_steps(document):
        view, picture = engine.observation(state, seat), shown[deal][step]
        assert picture["hands"][seat] == view.hand
        for other in {0, 1, 2} - {seat}:
            assert picture["hands"][other] == [None] * view.counts[other]
        assert picture["totals"] == [number(total) for total in view.total]
        if view.trick:
            assert picture["trick"] == [card for _seat, card in view.trick]
        if view.widow is not None:
            assert picture["widow"] == [card_words(card) for card in view.widow]
        else:
            assert picture["widow"] == ["hidden card"] * 3
        if view.given is not None and any(view.given):
            assert set(picture["passed"]) - {"hidden card"} == {card_words(c) for c in view.given if c}
        compared += 1
    assert compared > 80


@pytest.mark.parametrize(("view", "seat"), [("seat", 0), ("seat", 1), ("seat", 2), ("public", 0)])
@pytest.mark.parametrize("replay", ["short", "faulty", "redealt"])
def test_no_hidden_card_is_anywhere_in_the_table(
    read_all: ReadAll, replay: str, view: str, seat: int
) -> None:
    document = getattr(matches, f"{replay}_match")()
    shown = read_all(replay, view=view, seat=seat)
    for number_, deal in enumerate(document["deals"]):
        for step in range(len(deal["events"])):
            known = known_cards(deal["events"][: step + 1], seat if view == "seat" else -1)
            assert shown_cards(shown[number_][step]) <= known, (number_, step)


def test_the_view_of_all_shows_every_card_still_held(read_all: ReadAll) -> None:
    shown = read_all("short", view="all")
    for deal, step, state in states_after_steps(matches.short_match()):
        hands = [engine.observation(state, seat).hand for seat in range(3)]
        assert shown[deal][step]["hands"] == hands


@pytest.mark.parametrize("replay", ["short", "faulty", "redealt"])
def test_captions_of_browser_and_server_are_the_same(read_all: ReadAll, replay: str) -> None:
    document = getattr(matches, f"{replay}_match")()
    shown = read_all(replay, view="all")
    for deal, pictures in zip(document["deals"], shown, strict=True):
        expected = [caption(event, attempts_limit="3") for event in deal["events"]]
        assert [picture["caption"] for picture in pictures] == expected


def test_the_games_looked_at_have_every_kind_of_event() -> None:
    documents = [matches.preset_match(preset) for preset in PRESETS.values()]
    kinds = {
        event["event"] for document in documents for deal in document["deals"] for event in deal["events"]
    }
    assert kinds >= {"cut", "redeal", "blind", "look", "buy", "draw", "give", "widow", "contract", "concede"}


@pytest.mark.parametrize("replay", PRESETS)
def test_other_games_are_told_alike_by_browser_and_server(read_all: ReadAll, replay: str) -> None:
    document = matches.preset_match(PRESETS[replay])
    attempts = str(document["ruleset"]["agreements"]["barrel_attempts"])
    shown = read_all(replay, view="all")
    for deal, pictures in zip(document["deals"], shown, strict=True):
        expected = [caption(event, attempts_limit=attempts) for event in deal["events"]]
        assert [picture["caption"] for picture in pictures] == expected
        assert not [words for words in expected if "{" in words or "None" in words]


@pytest.mark.parametrize("replay", ["widows", "blind", "four"])
def test_every_step_of_two_three_and_four_seats_shows_the_hands_of_the_engine(
    read_all: ReadAll, replay: str
) -> None:
    document = matches.preset_match(PRESETS[replay])
    shown = read_all(replay, view="all")
    for deal, step, state in states_after_steps(document):
        hands = [engine.card_texts(hand) for hand in state.current.hands]
        assert shown[deal][step]["hands"] == hands, (deal, step)


@pytest.mark.parametrize(("view", "seat"), [("seat", 0), ("seat", 1), ("public", 0)])
@pytest.mark.parametrize("replay", ["widows", "dummy", "stock", "blind", "buying", "four"])
def test_no_view_of_another_game_shows_a_card_its_seat_does_not_know(
    read_all: ReadAll, replay: str, view: str, seat: int
) -> None:
    shown = read_all(replay, view=view, seat=seat)
    for number_, deal in enumerate(matches.preset_match(PRESETS[replay])["deals"]):
        for step in range(len(deal["events"])):
            known = known_cards(deal["events"][: step + 1], seat if view == "seat" else -1)
            assert shown_cards(shown[number_][step]) <= known, (number_, step)


def test_a_fault_hides_its_fallback_from_the_others(read_all: ReadAll) -> None:
    document = matches.faulty_match()
    shown = read_all("faulty", view="seat", seat=0)
    faults = [
        (number_, step, event)
        for number_, deal in enumerate(document["deals"])
        for step, event in enumerate(deal["events"])
        if event["event"] == "fault"
    ]
    assert [event["verdict"] for _n, _s, event in faults] == ["timeout", "illegal_action"]
    for number_, step, event in faults:
        picture = shown[number_][step]
        assert event["fallback"] not in picture["caption"]
        assert "hidden action" in picture["caption"]


def test_trump_changes_show_the_old_and_the_new_suit(read_all: ReadAll) -> None:
    document = matches.won_match()
    shown = read_all("won")
    announced = trumps = 0
    for deal, pictures in zip(document["deals"], shown, strict=True):
        trump = None
        for event, picture in zip(deal["events"], pictures, strict=True):
            if event["event"] != "play":
                continue
            before, trump = trump, event["trump"]
            if event["marriage"]:
                announced += 1
                assert str(event["marriage"]) in picture["trump"]
            if event["marriage"] and before:
                trumps += 1
                assert picture["oldTrump"]
            if trump is None:
                assert picture["trump"] == "no trump"
    assert announced >= 5
    assert trumps >= 1


def test_totals_at_the_end_are_the_outcome(read_all: ReadAll) -> None:
    for replay in ("won", "short", "faulty"):
        document = getattr(matches, f"{replay}_match")()
        last = read_all(replay)[-1][-1]
        assert last["totals"] == [number(total) for total in document["outcome"]["totals"]]
        for seat, place in enumerate(document["outcome"]["places"]):
            assert f"place {place}" in last["roles"][seat]
