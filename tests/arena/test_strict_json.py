"""JSON of strangers: read as `json` reads it, or refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.strict_json import TwinKeyError, read_json

VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(VALUES)
def test_what_has_one_meaning_is_read_as_it_was_written(value: Any) -> None:
    assert read_json(json.dumps(value)) == value


@pytest.mark.parametrize(
    "text", ['{"a": 1, "b": 2, "a": 1}', '[{"b": {"a": 1, "a": 2}}]', '{"a": 1, "\\u0061": 2}']
)
def test_a_key_that_is_there_twice_is_named(text: str) -> None:
    with pytest.raises(TwinKeyError, match="the key 'a' is there twice") as caught:
        read_json(text)
    assert caught.value.key == "a"


@pytest.mark.parametrize(
    ("text", "why"),
    [("NaN", "NaN is no number"), ("[-Infinity]", "-Infinity is no number"), ("", "Expecting"), ("{", "Exp")],
)
def test_what_is_no_json_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_json(text)
