"""Wire messages as a bot sees them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bots_sdk import Act, Bot, End, Hello, TimeLeft, View
from bots_sdk.messages import PROTOCOL_VERSION, decode_line, encode_reply
from bots_sdk.table import play_in_process
from bots_sdk.wire import loads
from engine import Observation
from tests.bots_sdk.samples import act, hello

ROOT = Path(__file__).resolve().parents[2]


def test_messages_survive_the_way_to_json_and_back() -> None:
    for message in (Hello.from_json(hello()), act()):
        assert type(message).from_json(json.loads(json.dumps(message.to_json()))) == message


def test_unknown_keys_are_kept_out_of_the_way() -> None:
    message = Hello.from_json(hello(weather="rain"))
    assert message.seat == 1
    assert message.limits.move_ms == 2
    assert message.rules.agreements["opening_bid"] == 100


def test_messages_cannot_be_changed() -> None:
    left = TimeLeft(move_ms=1, bank_ms=2, last_ms=3)
    with pytest.raises(AttributeError, match=r"TimeLeft\.move_ms cannot be set"):
        left.move_ms = 9  # type: ignore[misc]
    assert left == TimeLeft(move_ms=1, bank_ms=2, last_ms=3)
    assert left != TimeLeft(move_ms=1, bank_ms=2, last_ms=4)
    assert hash(left) == hash(TimeLeft(move_ms=1, bank_ms=2, last_ms=3))
    assert repr(left) == "TimeLeft(move_ms=1, bank_ms=2, last_ms=3)"


def test_another_protocol_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="speaks protocol 1, the arena 2"):
        Hello.from_json(hello(protocol=2))
    with pytest.raises(ValueError, match="unknown message type 'chat'"):
        decode_line('{"type":"chat"}')


def test_the_view_has_exactly_the_fields_of_the_engines_observation() -> None:
    assert list(View.__annotations__) == list(Observation.__dataclass_fields__)
    assert PROTOCOL_VERSION == 1


def test_randomness_depends_on_the_moment_and_not_on_the_request_number() -> None:
    assert act(request_id=7).rng.random() == act(request_id=900).rng.random()
    assert act().rng.random() != act(seed="cd").rng.random()
    assert act(bid=105).rng.random() != act(bid=110).rng.random()
    assert act(bid=105).deal_rng.random() == act(bid=110).deal_rng.random()
    request = act()
    assert request.rng.random() != request.rng.random(), "one request has one stream"


def test_a_line_read_by_and_by_is_the_message_read_at_once() -> None:
    data = act(hand=["AS"]).to_json()
    end = {"event": "deal_end", "ledger": [{"seat": 1}], "events": [], "legal": ["x"], "view": {"turn": 1}}
    data = {**data, "events": [end, {"event": "pass", "seat": 2}], "legal": ["pass", "bid 105"]}
    spellings = (
        data,
        dict(reversed(data.items())),
        {**data, "new": 1},
        {**data, "time": {**data["time"], "n": []}},
    )
    for spelled in spellings:
        line = json.dumps(spelled, separators=(",", ":"))
        whole = Act.from_json(json.loads(line))
        for name in ("view", "events", "legal", "time", "phase", "id"):
            read = decode_line(line)
            assert isinstance(read, Act)
            assert getattr(read, name) == getattr(whole, name)
            assert (read, hash(read), read.to_json()) == (whole, hash(whole), whole.to_json())
            assert "View(" in repr(decode_line(line))
    assert decode_line(line) == whole
    with pytest.raises(AttributeError, match="Act has no 'weather'"):
        whole.weather  # noqa: B018


def test_a_request_without_a_view_is_read_and_has_randomness_of_its_own() -> None:
    data = act(hand=["AS"]).to_json()
    del data["view"]
    data["legal"] = ["pass", "bid 105"]
    end = {"event": "deal_end", "events": [], "legal": ["x"], "view": {"turn": 1}}
    line = json.dumps({**data, "events": [end]}, separators=(",", ":"))
    for read in (decode_line(line), Act.from_json(json.loads(line))):
        assert isinstance(read, Act)
        assert (read.phase, read.deal, read.seed, read.id) == ("auction", 0, "ab", 7)
        assert read.events == [end]
        assert read.time == TimeLeft(move_ms=1, bank_ms=2, last_ms=0)
        with pytest.raises(AttributeError, match="this bot told the arena that it wants none"):
            read.view  # noqa: B018
        assert read.to_json() == json.loads(line)
    first, again = decode_line(line), decode_line(line)
    other = decode_line(line.replace("bid 105", "bid 110"))
    assert isinstance(first, Act)
    assert isinstance(again, Act)
    assert isinstance(other, Act)
    assert first.rng.random() == again.rng.random() != other.rng.random()


@pytest.mark.parametrize("action", ["pass", "give KH 9S", 'say "hi"\n', "bid é\u2028", "\ud800"])
def test_replies_are_one_line_of_ascii_json(action: str) -> None:
    line = encode_reply(42, action)
    assert json.loads(line) == {"id": 42, "action": action}
    assert line.isascii()
    assert line.count("\n") == 1


@pytest.mark.parametrize("text", ["", "{", "nonsense", '{"a":1} {"b":2}', '{"a":01}'])
def test_broken_lines_are_value_errors(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words are those of the JSON reader
        loads(text)


def test_the_sdk_starts_without_heavy_imports() -> None:
    code = "import sys; old = set(sys.modules); import bots_sdk.house; print(set(sys.modules) - old)"
    found = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for heavy in ("'json'", "'re'", "'enum'", "'typing'", "'dataclasses'", "'random'", "'engine'"):
        assert heavy not in found


def test_what_an_author_sees_in_process_is_what_the_wire_says() -> None:
    class Watcher(Bot):
        def __init__(self) -> None:
            self.kinds: list[str] = []
            self.ended: End | None = None

        def choose(self, request: Act) -> str:
            self.kinds += [event["event"] for event in request.events]
            return request.legal[0]

        def end(self, end: End) -> None:
            self.ended = end

    watchers = [Watcher(), Watcher(), Watcher()]
    played = play_in_process(watchers, seed=7)
    assert watchers[0].kinds[:2] == ["deal", "bid"]
    assert "deal_end" in watchers[1].kinds
    assert watchers[2].ended is not None
    assert watchers[2].ended.result.totals == list(played.outcome.totals)
