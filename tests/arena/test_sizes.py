"""Sizes in words."""

import pytest

from arena.sizes import KB, MIB, size_text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (42, "42 bytes"),
        (KB - 1, "1023 bytes"),
        (KB, "1 kB"),
        (48 * KB + 100, "48 kB"),
        (MIB, "1 MiB"),
        (MIB + 300 * KB, "1.3 MiB"),
        (20 * MIB, "20 MiB"),
    ],
)
def test_a_size_has_the_unit_in_which_it_is_not_nothing(size: int, text: str) -> None:
    assert size_text(size) == text
