"""A ruleset: one frozen, validated value made of every agreement of the rule book."""

import json
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final, Self

from engine.agreements import AGREEMENTS, DEFAULTS, Value
from engine.cards import SUITS
from engine.contradictions import check_contradictions
from engine.deal_rules import DealRules
from engine.errors import RulesetError, did_you_mean, near_words, plain, shown
from engine.play_rules import PlayRules
from engine.presets import ANOTHER_GAME, PLAYABLE_PRESETS, PRESETS

RULES_VERSION: Final = "1"
"""Raised when the same record would replay to something else."""

CUSTOM: Final = "custom"
"""Preset name of a ruleset that is no named preset."""

STANDARD_MARRIAGES: Final = (40, 60, 80, 100)
CLUBS_HIGH_MARRIAGES: Final = (80, 100, 40, 60)


class Ruleset:
    """Every agreement by id, as `ruleset["opening_bid"]` or `ruleset.opening_bid`; compares by value.

    Made by `from_preset` or `from_json` only, which refuse what is unknown, contradictory or not played.
    """

    preset: str
    """Name of the preset whose values these are, or `custom`."""
    values: Mapping[str, Value]
    """Every agreement by id, in the order of the rule book."""

    def __init__(self, values: Mapping[str, Value], base: str) -> None:
        ordered = {name: values[name] for name in AGREEMENTS}
        self.__dict__.update(ordered)
        self.__dict__["values"] = MappingProxyType(ordered)
        self.__dict__["preset"] = base if ordered == _base_values(base) else CUSTOM

    @classmethod
    def from_preset(
        cls, name: str, overrides: Mapping[str, object] | None = None, *, score_only: bool = False
    ) -> Self:
        """Take a preset, change some agreements, and check the result.

        `score_only` admits combinations that the engine scores but does not play, and the other game
        Mariage as it stands, whose values can be read but neither changed, scored nor played.
        Raises RulesetError for an unknown preset or agreement, an illegal value, a contradiction, or an
        agreement that is not played.
        """
        if name == ANOTHER_GAME and (overrides or not score_only):
            playable = ", ".join(PLAYABLE_PRESETS)
            text = f"preset {name} is another game and not played by this engine; played: {playable}"
            raise RulesetError("preset", name, f"one of {playable}", text)
        values: dict[str, Any] = {**_base_values(name), **(overrides or {})}
        for agreement, value in values.items():
            _check_value(agreement, value)
        check_contradictions(values, played=not score_only)
        if not score_only:
            for agreement, value in values.items():
                _check_played(agreement, value)
        return cls(values, name)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read `{"preset": …, "agreements": {id: value}}`; agreements may be partial or missing.

        Preset `custom` starts from the engine defaults.
        """
        if not isinstance(data, Mapping):
            raise RulesetError("ruleset", data, 'an object like {"preset": "tournament_default"}')
        unknown = sorted(set(data) - {"preset", "agreements"})
        if unknown:
            hint = did_you_mean(near_words(unknown[0], ("preset", "agreements")))
            text = f"a ruleset has no key {shown(unknown[0])};{hint} expected only preset and agreements"
            raise RulesetError(unknown[0], data[unknown[0]], "only the keys preset and agreements", text)
        agreements = data.get("agreements", {})
        if not isinstance(agreements, Mapping):
            raise RulesetError("agreements", agreements, "an object of agreement ids and values")
        return cls.from_preset(data.get("preset", CUSTOM), agreements)

    def to_json(self) -> dict[str, Any]:
        """Write the ruleset with every agreement; `from_json` reads it back."""
        plain = {name: dict(v) if isinstance(v, Mapping) else v for name, v in self.values.items()}
        return {"preset": self.preset, "agreements": plain}

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the agreements as canonical JSON: sorted keys, no blanks, ASCII."""
        text = json.dumps(self.to_json()["agreements"], sort_keys=True, separators=(",", ":"))
        return sha256(text.encode("ascii")).hexdigest()

    @cached_property
    def marriage_points(self) -> tuple[int, int, int, int]:
        """Value of a marriage by suit number."""
        if self["marriage_values"] == "standard":
            return STANDARD_MARRIAGES
        if self["marriage_values"] == "clubs_high":
            return CLUBS_HIGH_MARRIAGES
        spades, clubs, diamonds, hearts = (int(self["marriage_values_map"][suit]) for suit in SUITS)
        return spades, clubs, diamonds, hearts

    @cached_property
    def play(self) -> PlayRules:
        """The agreements about playing cards, as integers."""
        return PlayRules(self)

    @cached_property
    def deal_rules(self) -> DealRules:
        """The agreements about everything before the first card, as integers."""
        return DealRules(self)

    @cached_property
    def winning_total(self) -> int:
        """The total that wins where no barrel is in the way; 1001 already is more than 1000."""
        return 1001 if self["win_more_than_target"] else int(self["target_score"])

    @cached_property
    def barrel_played(self) -> bool:
        """Whether there is a barrel; two players may have none."""
        return bool(self["barrel"] and (self["players"] != 2 or self["barrel_in_two_player"]))

    @cached_property
    def wins_only_from_barrel(self) -> bool:
        """Whether totals alone never win."""
        return bool(self["win_only_from_barrel"] and self.barrel_played)

    @cached_property
    def need_on_barrel(self) -> int:
        """What a player on the barrel needs in one own deal to win (`barrel_need`, Rules interaction 6)."""
        if self["barrel_need"] is not None:
            return int(self["barrel_need"])
        need = int(self["target_score"]) - int(self["barrel_threshold"])
        if self.winning_total > 1000 and self["target_score"] == 1000:
            need += 5
        if self["barrel_need_basis"] == "contract":
            step = int(self["bid_step"])
            need = -(-need // step) * step
        return need

    @cached_property
    def half_points(self) -> bool:
        """Whether a total may end in a half: after a concession of 105, half of it written exactly."""
        uneven = self["bid_step"] % 2 != 0 and self["two_player_mode"] != "stock_draw"
        halved = self["concession"] and self["concession_share"] == "half"
        return bool(uneven and halved and self["concession_half_rounding"] == "exact")

    def require_whole_points(self) -> None:
        """Raise RulesetError where totals may end in a half: messages, replays and standings hold none.

        The engine plays and scores such a ruleset; no match between bots is played by it.
        """
        if self.half_points:
            field, value = "concession_half_rounding", self["concession_half_rounding"]
            text = (
                f"{field}={value} with bid_step={self['bid_step']} leaves half points: a conceded contract "
                "of 105 would give 52.5, and matches between bots are counted in whole points"
            )
            others = [one for one in AGREEMENTS[field].type.listed() if one != value]
            raise RulesetError(field, value, f"one of {', '.join(map(str, others))}", text)

    def changes(self, base: str = "tournament_default") -> dict[str, Value]:
        """Agreements that differ from a preset, with this ruleset's values."""
        other = _base_values(base)
        return {name: value for name, value in self.values.items() if value != other[name]}

    def __getitem__(self, agreement: str) -> Any:
        """Value of an agreement; KeyError if there is none of that id."""
        return self.values[agreement]

    def __getattr__(self, name: str) -> Any:
        """Only reached for names that are no agreement."""
        raise AttributeError(f"there is no agreement {name!r}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ruleset is frozen; {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a ruleset is frozen; {name} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return Ruleset, (dict(self.values), self.preset)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Ruleset {self.preset} {self.digest[:12]}>"


def ruleset_schema() -> dict[str, Any]:
    """JSON Schema of what `Ruleset.from_json` reads."""
    agreements = {row.id: {**row.type.schema(), "description": row.effect} for row in AGREEMENTS.values()}
    return {
        "type": "object",
        "properties": {
            "preset": {"enum": [*PLAYABLE_PRESETS, CUSTOM]},
            "agreements": {"type": "object", "properties": agreements, "additionalProperties": False},
        },
        "additionalProperties": False,
    }


def _base_values(name: object) -> Mapping[str, Value]:
    if name == CUSTOM:
        return DEFAULTS
    if not isinstance(name, str) or name not in PRESETS:
        known = [*PLAYABLE_PRESETS, CUSTOM]
        raise RulesetError("preset", name, f"one of {', '.join(known)}", near=near_words(name, known))
    return PRESETS[name].values


def _check_value(agreement: object, value: object) -> None:
    if not isinstance(agreement, str) or agreement not in AGREEMENTS:
        near = near_words(agreement, AGREEMENTS)
        text = (
            f"there is no agreement {shown(agreement)};{did_you_mean(near)}"
            f" docs/rules.md lists all {len(AGREEMENTS)}"
        )
        raise RulesetError(str(agreement)[:80], value, "the id of an agreement of the rule book", text, near)
    row = AGREEMENTS[agreement]
    if not row.type.accepts(value):
        near = near_words(value, row.type.listed())
        raise RulesetError(agreement, value, row.type.expected(), near=near)


def _check_played(agreement: str, value: object) -> None:
    row = AGREEMENTS[agreement]
    if row.played is not None and not row.plays(value):
        supported = ", ".join(map(plain, row.played))
        text = (
            f"agreement {agreement}={plain(value)} is not played by rules version {RULES_VERSION}; "
            f"supported: {supported}"
        )
        raise RulesetError(agreement, value, supported, text)
