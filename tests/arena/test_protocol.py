"""Replies are stranger's bytes: one form is read, everything else is refused with words that help."""

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena import protocol
from arena.orders import Limits
from arena.protocol import ProtocolError, decode_ready, decode_reply, quote
from bots_sdk.messages import encode_reply


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":42,"action":"bid 105"}\n',
        b'{"id":42,"action":"bid 105"}\r\n',
        b'{"id": 42, "action": "bid 105"} \t \n',
        b'{"action":"bid 105","id":42}\n',
        b'  {"id":42,"action":"bid 105"}',
        b'{"id":42,"action":"bid\\u0020105","comment":"\xd0\xb1\xd0\xbe\xd1\x82","depth":[[[1.5e3]]]}\n',
    ],
)
def test_a_reply_is_read_with_any_line_end_blanks_key_order_and_unknown_keys(line: bytes) -> None:
    assert decode_reply(line, 42) == "bid 105"


REFUSED = [
    (b"thinking...\n", "debug text on stdout; write it to stderr"),
    (b"[info] loaded\n", "debug text on stdout; write it to stderr"),
    (b"error: no model file\n", "`error: no model file`"),
    (b"", "is empty"),
    (b" \r\n", "is empty"),
    (b"{\n", "spreads its JSON over several lines"),
    (b'{"id":42,\n"action":"pass"}\n', "several lines"),
    (b'{"id":42,"action":"pass"} {"id":43}', "exactly one object a line"),
    (b"{'id':42}", "double quotes"),
    (b'{"id":42,"action":"pass"', "not JSON"),
    (b'\xef\xbb\xbf{"id":42,"action":"pass"}', "byte-order mark"),
    ('{"id":42,"action":"pass"}'.encode("utf-16"), "UTF-16"),
    ('{"id":42,"action":"pass"}'.encode("utf-16-le"), "NUL"),
    (b"\xff\xb7\n", "not UTF-8: byte 0xff at offset 0"),
    (b'{"id":42,"action":"pass\xff"}', "not UTF-8: byte 0xff at offset 23"),
    (b'{"id":42,"action":"pass\x00"}', "NUL"),
    (b'{"id":42,"action":"pass","x":"\\u0000"}', "NUL"),
    (b'{"id":42,"action":"\\ud800"}', "surrogate"),
    (b'{"id":42,"action":"pass","\\udc00":1}', "surrogate"),
    (b'{"id":42,"id":42,"action":"pass"}', 'key "id" twice'),
    (b'{"id":42,"action":"pass","x":{"a":1,"a":2}}', 'key "a" twice'),
    (b'{"id":NaN,"action":"pass"}', "NaN"),
    (b'{"id":42,"action":"pass","x":-Infinity}', "-Infinity"),
    (b'{"id":42,"action":"pass","x":1e400}', "too large"),
    (b'{"id":42,"action":"pass","x":' + b"9" * 21 + b"}", "20 digits"),
    (b'{"id":42,"action":"pass","x":1.' + b"0" * 64 + b"}", "64 characters"),
    (b"[" * 60_000, "nested deeper than 32"),
    (b'{"x":' * 10_000, "nested deeper than 32"),
    (b"null", "null, not a JSON object"),
    (b'"pass"', 'the string "pass", not a JSON object'),
    (b'{"action":"pass"}', 'no "id"'),
    (b'{"id":42}', 'no "action"'),
    (b'{"id":true,"action":"pass"}', '"id" in your bot\'s reply is true'),
    (b'{"id":42.0,"action":"pass"}', "the number 42.0, not a whole number"),
    (b'{"id":"42","action":"pass"}', 'the string "42"'),
    (b'{"id":41,"action":"pass"}', "answered request 41, but request 42 is open"),
    (b'{"id":42,"action":null}', "null, not a string"),
    (b'{"id":42,"action":["pass"]}', "a list, not a string"),
]


@pytest.mark.parametrize(("line", "words"), REFUSED, ids=range(len(REFUSED)))
def test_every_other_line_is_refused_with_the_cause_and_the_accepted_form(line: bytes, words: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_reply(line, 42)
    assert words in caught.value.message
    assert '{"id":42,"action":"..."}' in caught.value.message
    assert len(caught.value.message) < 500
    assert caught.value.quoted == quote(line)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode(errors="replace")))
@example(b"1" * 5_000)
@example(b'{"":' * 3_000 + b"1" + b"}" * 3_000)
@example(b'"\\' * 30_000)
def test_no_bytes_raise_anything_but_a_protocol_error(line: bytes) -> None:
    for error in (refusal(lambda: decode_reply(line, 1)), refusal(lambda: decode_ready(line))):
        if error is not None:
            assert error.message.isprintable()
            assert error.quoted.isprintable()
            assert len(error.quoted) <= protocol.QUOTE_CHARS


def refusal(decode: Callable[[], object]) -> ProtocolError | None:
    try:
        decode()
    except ProtocolError as error:
        return error
    return None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["id", "action", "x"]), json_values), st.booleans())
def test_json_of_any_shape_is_read_or_refused(reply: dict[str, object], ascii_only: bool) -> None:
    line = json.dumps(reply, ensure_ascii=ascii_only).encode(errors="surrogatepass")
    try:
        action = decode_reply(line, 7)
    except ProtocolError:
        return
    assert reply["id"] == 7
    assert action == reply["action"]


@given(st.text(alphabet=st.characters(max_codepoint=0x17F), max_size=20), st.integers(0, 10**18 - 1))
def test_the_short_way_reads_what_the_long_way_reads(action: str, request_id: int) -> None:
    canonical = encode_reply(request_id, action).encode()
    reordered = json.dumps({"action": action, "id": request_id}).encode()
    outcomes = []
    for line in (canonical, reordered):
        try:
            outcomes.append(decode_reply(line, request_id))
        except ProtocolError:
            outcomes.append("refused")
    assert outcomes[0] == outcomes[1]
    assert outcomes[0] in (action, "refused")


@pytest.mark.parametrize(("said", "view"), [("", True), (',"view":true', True), (',"view":false', False)])
def test_a_bot_may_want_no_view(said: str, view: bool) -> None:
    assert decode_ready(f'{{"type":"ready"{said}}}\n'.encode()).view is view


@pytest.mark.parametrize("said", ["null", "0", '"no"', "[]", "{}", "0.5"])
def test_whether_a_bot_wants_a_view_is_true_or_false(said: str) -> None:
    with pytest.raises(ProtocolError, match=r'The "view" .* not true or false.*"view":false'):
        decode_ready(f'{{"type":"ready","view":{said}}}\n'.encode())
    with pytest.raises(ProtocolError, match="twice"):
        decode_ready(b'{"type":"ready","view":false,"view":true}\n')


def test_ready_is_read_and_an_early_reply_is_refused() -> None:
    assert decode_ready(b'{"type":"ready","name":"anything"}\r\n').view
    with pytest.raises(ProtocolError, match=r'no "type".*expected one line \{"type":"ready"\}'):
        decode_ready(b'{"id":1,"action":"pass"}\n')
    with pytest.raises(ProtocolError, match='the string "hello"'):
        decode_ready(b'{"type":"hello"}\n')


def test_quotes_are_harmless_text_of_bounded_length() -> None:
    assert quote(b"\x1b[31mred\r\n\t\x00") == r"\x1b[31mred\r\n\t\x00"
    assert quote("бот, ход №7\u202e\u0301\u200b\u00a0".encode()) == r"бот, ход №7\u202e\u0301\u200b\xa0"
    assert quote("ход".encode()[:-1]) == r"хо\xd0"
    assert quote("я".encode() * 500) == "я" * 384 + "... (1000 bytes)"
    assert quote(b"\xff{}") == r"\xff{}"
    long = quote(b"a" * 70_000)
    assert len(long) == 400
    assert long.endswith("... (70000 bytes)")


def test_an_illegal_action_is_told_beside_the_legal_ones() -> None:
    text = protocol.illegal_action_text("play KH", ["play 9S", "play AS"])
    assert text == "Your bot answered `play KH`; legal were `play 9S`, `play AS`."
    assert protocol.illegal_action_text("\ud800", ["pass"]).isprintable()


def test_output_nobody_asked_for_is_told_apart_from_a_bad_reply() -> None:
    error = protocol.stray_output(b"done\n", 3)
    assert "`done`" in error.message
    assert "write debug text to standard error" in error.message
    assert "without a line end" in protocol.line_too_long(b"x" * 100, 65_536, 3).message
    assert protocol.is_blank(b" \r\n\t\n")
    assert not protocol.is_blank(b"\x0b")


def test_the_first_and_the_last_message_are_single_lines_of_utf8_json() -> None:
    hello = protocol.encode_hello(seat=1, players=3, seed="ab", rules={"preset": "x"}, limits=Limits())
    assert hello.endswith(b"}\n")
    assert json.loads(hello)["limits"] == {
        "start_ms": 5_000, "move_ms": 1_000, "bank_ms": 60_000, "deadline_ms": 5_000, "memory_mb": 256,
    }  # fmt: skip
    end = protocol.encode_end(
        events=[], termination="target", places=(1, 2, 3), totals=(1, 2, 3), winner=None
    )
    assert json.loads(end)["result"]["places"] == [1, 2, 3]
