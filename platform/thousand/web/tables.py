"""Plain tables as values: a view says what is in them, `web/parts/table.html` how they look."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.safestring import SafeString

Text = str | SafeString | Promise


@dataclass(frozen=True, slots=True)
class Column:
    """A head cell and what is under it."""

    title: Text
    number: bool = False
    """Right-aligned figures."""
    hint: Text = ""
    """In words, where the title alone is too short."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One value, already formatted."""

    text: Text
    url: str = ""
    hint: Text = ""
    muted: Text = ""
    """Said after it, less loudly."""
    icon: str = ""
    """Name of a sign before it: `ok` or `fault`."""
    bot: bool = False
    """A bot's name: isolated, so that one written from right to left keeps its place."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows whose first cell is their head."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]] = field(default_factory=tuple)
    tall: bool = False
    """Scrolls in itself, its head staying."""

    @property
    def aligned(self) -> list[list[tuple[Column, Cell]]]:
        """Return each row with the columns of its cells."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]
