"""Requests that are put together as a match goes on say what encoding all of it anew would say."""

import random

import pytest

from arena.replay import fault_event
from arena.requests import Requests
from engine import Event, Ruleset, is_terminal, legal_actions, observation, seed_from_int, start, step
from engine.live import LiveMatch
from tests.arena.whole_requests import NO_VIEW, encode_act


@pytest.mark.parametrize("preset", ["tournament_default", "android_full", "club_four", "two_player_stock"])
def test_a_request_is_what_the_whole_protocol_would_write(preset: str) -> None:
    ruleset = Ruleset.from_preset(preset, {"deal_limit": 4})
    luck = random.Random(preset)
    now = start(ruleset, seed_from_int(3))
    match = LiveMatch(ruleset, seed_from_int(3))
    requests = Requests(ruleset.players)
    happened = list(now.events)
    requests.note(match.take_told())
    told = [0] * ruleset.players

    def note(event: Event) -> None:
        happened.append(event)
        requests.note([event])

    number = 0
    while not is_terminal(now.state):
        number += 1
        state, seat = now.state, now.state.turn
        assert seat is not None
        if luck.random() < 0.05:
            faulty = luck.randrange(ruleset.players)
            note(fault_event(faulty, "timeout", legal_actions(state)[0] if faulty == seat else None))
        with_view = luck.random() < 0.7
        time = {"move_ms": luck.randrange(1000), "bank_ms": luck.randrange(60_000), "last_ms": number}
        expected = encode_act(
            request_id=number,
            deal=state.deal,
            seed="ab",
            phase=state.phase,
            view=observation(state, seat) if with_view else NO_VIEW,
            events=[event.seen_by(seat) for event in happened[told[seat] :]],
            legal=legal_actions(state),
            **time,
        )
        told[seat] = len(happened)
        assert requests.act(match, seat, number, "ab", *time.values(), with_view=with_view) == expected
        action = luck.choice(legal_actions(state))
        now = step(state, action)
        match.play(action)
        happened.extend(now.events)
        requests.note(match.take_told())
    assert requests.take_events(0).startswith("[{")
    assert requests.take_events(0) == "[]"
