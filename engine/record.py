"""A match as a record: rules version, ruleset, seed and actions replay to every state, bit for bit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from engine.errors import IllegalActionError, InvalidActionError, RecordError, RulesetError, shown
from engine.match import DEAL_CAP, Step, start, step
from engine.ruleset import RULES_VERSION, Ruleset


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """Everything needed to replay a match, or the beginning of one."""

    rules_version: str
    ruleset: Ruleset
    seed: bytes
    actions: tuple[str, ...]
    """Every action in order, fallbacks included."""
    deal_cap: int = DEAL_CAP

    def to_json(self) -> dict[str, Any]:
        """Write plain JSON values; `from_json` reads them back."""
        data: dict[str, Any] = {
            "rules_version": self.rules_version,
            "ruleset": self.ruleset.to_json(),
            "seed": self.seed.hex(),
            "actions": list(self.actions),
        }
        if self.deal_cap != DEAL_CAP:
            data["deal_cap"] = self.deal_cap
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a record; RecordError names what is missing or wrong."""
        if not isinstance(data, Mapping):
            raise RecordError(f"a record is an object, not {type(data).__name__}")
        missing = [key for key in ("rules_version", "ruleset", "seed", "actions") if key not in data]
        if missing:
            raise RecordError(f"the record has no {missing[0]}")
        actions = data["actions"]
        if not isinstance(actions, list | tuple) or not all(isinstance(one, str) for one in actions):
            raise RecordError("the record's actions are not a list of strings")
        deal_cap = data.get("deal_cap", DEAL_CAP)
        if type(deal_cap) is not int or deal_cap < 1:
            raise RecordError(f"the record's deal_cap is {shown(deal_cap)}; expected a whole number from 1")
        try:
            ruleset = Ruleset.from_json(data["ruleset"])
        except RulesetError as error:
            raise RecordError(f"the record's ruleset is refused: {error}") from error
        return cls(str(data["rules_version"]), ruleset, _seed(data["seed"]), tuple(actions), deal_cap)


def replay_record(record: MatchRecord) -> Iterator[Step]:
    """Yield the start and then the step of every action; RecordError says which action does not fit."""
    if record.rules_version != RULES_VERSION:
        raise RecordError(
            f"the record follows rules version {record.rules_version!r}; this engine plays {RULES_VERSION!r}"
        )
    try:
        current = start(record.ruleset, record.seed, deal_cap=record.deal_cap)
    except ValueError as error:
        raise RecordError(f"the record cannot be started: {error}") from error
    yield current
    for index, action in enumerate(record.actions):
        try:
            current = step(current.state, action)
        except (IllegalActionError, InvalidActionError) as error:
            raise RecordError(f"action {index} of the record does not fit: {error}", index, action) from error
        yield current


def _seed(text: object) -> bytes:
    if isinstance(text, str) and len(text) == 64:
        try:
            return bytes.fromhex(text)
        except ValueError:
            pass
    raise RecordError(f"the record's seed is {text!a:.80}; expected 64 hexadecimal digits")
