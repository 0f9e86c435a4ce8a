"""What the engine refuses, each refusal with its data and the form that would have been right.

Three kinds are kept apart: an action that cannot be *read*, one that is not *legal now*, and a ruleset
or record that makes no sense. No text names a card that the acting seat could not see.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class EngineError(Exception):
    """Base of everything the engine refuses."""


class InvalidActionError(EngineError):
    """An action that cannot be read: not one of the forms of `engine.actions`."""

    def __init__(self, action: object, expected: str) -> None:
        self.action = action
        """The offending value as given."""
        self.expected = expected
        """The accepted form in words."""
        super().__init__(f"cannot read the action {shown(action)}; expected {expected}")


class IllegalActionError(EngineError):
    """A readable action that is not legal now."""

    def __init__(
        self, action: str, seat: int | None, phase: str, legal: tuple[str, ...], reason: str, text: str
    ) -> None:
        self.action = action
        """The offending action."""
        self.seat = seat
        """The seat on turn; None when the match is over."""
        self.phase = phase
        """`MatchState.phase` when it was refused."""
        self.legal = legal
        """Everything that was legal, mildest first."""
        self.reason = reason
        """Stable code, see `engine.refusals`."""
        self.text = text
        """The reason in words."""
        who = "nobody is on turn" if seat is None else f"seat {seat} may not do this in phase {phase}"
        super().__init__(f"illegal action {shown(action)}: {who}: {text}{_choices(legal)}")


class RulesetError(EngineError):
    """A preset, agreement or value that is unknown, contradictory or not played."""

    def __init__(
        self, field: str, value: object, expected: str, text: str | None = None, near: Iterable[str] = ()
    ) -> None:
        self.field = field
        """Agreement id, or `preset`."""
        self.value = value
        """The offending value."""
        self.expected = expected
        """The values (or ids) that are accepted here, in words; why this one is not says the text."""
        self.near = tuple(near)
        """Accepted words that look like the offending one, the nearest first."""
        hint = did_you_mean(self.near)
        super().__init__(text or f"{field}={shown(value)} is not possible;{hint} expected {expected}")


class CaseError(EngineError):
    """A case or position of `engine.cases` that cannot be read, or that no table can meet."""

    def __init__(self, field: str, value: object, expected: str, text: str | None = None) -> None:
        self.field = field
        """Path of the field, like `deal.cards`."""
        self.value = value
        """The offending value."""
        self.expected = expected
        """What would be right, in words."""
        super().__init__(text or f"{field} is {shown(value)}; expected {expected}")


class RecordError(EngineError):
    """A record that cannot be replayed."""

    def __init__(self, text: str, index: int | None = None, action: str | None = None) -> None:
        self.index = index
        """Index of the offending action in `MatchRecord.actions`; None when the record itself is bad."""
        self.action = action
        """The offending action."""
        super().__init__(text)


def near_words(word: object, known: Iterable[object]) -> tuple[str, ...]:
    """Return at most three of the known words that a mistyped one may stand for, the nearest first.

    What is no word is near to nothing.
    """
    if not isinstance(word, str) or len(word) > _LONGEST_WORD:
        return ()
    by_small = {one.casefold(): one for one in known if isinstance(one, str)}
    typed = word.casefold().replace("-", "_")
    if typed in by_small:
        return (by_small[typed],)
    near = get_close_matches(typed, by_small, n=3, cutoff=0.7)
    if not near and len(typed) >= 3:
        # A beginning: `dump` for `dump_truck_plus`.
        near = [one for one in by_small if one.startswith(typed)][:3]
    return tuple(by_small[one] for one in near)


def did_you_mean(near: tuple[str, ...]) -> str:
    """Ask for the near words, or say nothing if there are none."""
    return f" did you mean {' or '.join(near)}?" if near else ""


_LONGEST_WORD = 80
"""No name of ours is longer; comparing is quadratic."""


def shown(value: object) -> str:
    """Show any value, at most 80 characters of it; true, false and null as JSON writes them.

    Only what cannot be seen (control characters, directions, halves of pairs) is written as an escape.
    """
    text = repr(value)
    text = _JSON_WORDS.get(text, text)
    return text if len(text) <= 80 else f"{text[:77]}…"


def plain(value: object) -> str:
    """Show the value of an agreement: words without quotes."""
    return value if isinstance(value, str) and len(value) <= 80 else shown(value)


_JSON_WORDS = {"True": "true", "False": "false", "None": "null"}


def _choices(legal: tuple[str, ...]) -> str:
    if not legal:
        return ""
    more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
    return f"; legal: {', '.join(legal[:8])}{more}"
