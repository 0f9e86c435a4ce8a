"""The wire protocol, version 1: one class a message, as a bot sees it.

UTF-8 JSON, one object a line: the arena writes `Hello`, then an `Act` for every decision, then `End`;
the bot answers `Ready` once and one `Reply` to each `Act`. docs/protocol.md tells the whole story.

Messages are immutable records made with keywords. They are no `dataclasses`: importing that module costs
every start of a bot 7 ms, three times a match. Keys that this version does not know are kept as attributes
and otherwise ignored: within version 1 fields are added, never removed or re-typed.
"""

from bots_sdk.wire import encode_string, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random
    from typing import Any, ClassVar, Literal, Self, dataclass_transform

    from bots_sdk.bot import Bot
    from bots_sdk.events import Event, Kind, Marriage, Phase, SeatedCard
else:

    def dataclass_transform(**_):
        """Leave the class alone: the decorator speaks to type checkers only."""
        return lambda cls: cls


PROTOCOL_VERSION = 1
"""What this SDK speaks; the arena's `hello` names it."""

# Where the parts of a request begin, as the arena writes it.
_ACT = b'{"type":"act","id":'
_VIEW = ',"view":{'
_EVENTS = ',"events":['
_LEGAL = b'],"legal":["'
_TIME = b'"],"time":{'
_LATER = ("type", "deal", "seed", "phase", "view", "events", "time")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Message:
    """An immutable record whose fields are its annotations."""

    optional: "ClassVar[tuple[str, ...]]" = ()
    """Fields that may be absent."""

    def __init__(self, **fields: "Any") -> None:
        self.__dict__.update(fields)

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Self":
        """Return the message a decoded JSON object stands for."""
        message = object.__new__(cls)
        message.__dict__.update(data)  # as __init__ does, without copying the fields twice
        return message

    def to_json(self) -> "dict[str, Any]":
        """Return the JSON object that `from_json` reads."""
        return {name: _plain(value) for name, value in self.__dict__.items() if not name.startswith("_")}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set: messages are immutable")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.to_json() == self.to_json()

    def __hash__(self) -> int:
        return hash(repr(sorted(self.to_json().items())))

    def __repr__(self) -> str:
        fields = ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items() if not k.startswith("_"))
        return f"{type(self).__name__}({fields})"


class Limits(Message):
    """What a bot may use in one match. A move is charged its CPU time, whatever else the machine does."""

    start_ms: int
    """Wall time from start to `ready`."""
    move_ms: int
    """CPU time of a single move."""
    bank_ms: int
    """CPU time of all moves of the match together."""
    deadline_ms: int
    """Wall time of a single move."""
    memory_mb: int
    """Memory of the bot in MiB."""


class Rules(Message):
    """The agreements of the match, all of them."""

    preset: str
    """Name of the preset; `custom` when agreements differ from every preset."""
    agreements: "dict[str, Any]"
    """Value of every agreement by its id, for example `opening_bid`: 100."""


class Hello(Message):
    """Opens a match. The bot answers `Ready` within `limits.start_ms` of wall time."""

    type: "Literal['hello']"
    protocol: int
    """Version of the wire protocol."""
    seat: int
    """The bot's seat, 0-based clockwise."""
    players: int
    seed: str
    """Random hex text for this seat and match; the same in every seating of a block."""
    rules: Rules
    limits: Limits

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Self":
        """Return the message; raise ValueError when the arena speaks another protocol."""
        if data["protocol"] != PROTOCOL_VERSION:
            raise ValueError(f"this SDK speaks protocol {PROTOCOL_VERSION}, the arena {data['protocol']!r}")
        rules, limits = Rules.from_json(data["rules"]), Limits.from_json(data["limits"])
        return super().from_json({**data, "rules": rules, "limits": limits})

    @property
    def rng(self) -> "Random":
        """A generator seeded with `seed`: randomness for the whole match."""
        return _random(self.seed)


class Ready(Message):
    """The bot's answer to `Hello`."""

    optional = ("view",)

    type: "Literal['ready']"
    view: bool
    """Whether requests shall hold `view`, which is two thirds of them; without this key they do."""


class TimeLeft(Message):
    """The bot's clock, in CPU milliseconds."""

    move_ms: int
    """What this move may use."""
    bank_ms: int
    """What is left for the match, this move included."""
    last_ms: int
    """What the bot's last move used; 0 before the first."""


class View(Message):
    """What the seat may know at this moment. Lists have one entry a seat; hidden things are null.

    A card is two characters, rank `9JQKTA` then suit `SCDH`, for example `"TH"`, the ten of hearts.
    """

    deal: int
    """Number of the deal, 0-based."""
    phase: "Phase"
    """What is asked for."""
    seat: int
    """The bot's own seat."""
    dealer: int
    """Seat that deals."""
    forehand: int
    """Left of the dealer: opens the auction."""
    turn: "int | None"
    """Seat to act: the bot's own."""
    kind: "Kind"
    """Kind of the deal."""
    hand: "list[str] | None"
    """Own cards, suits S C D H, each A T K Q J 9; null before and while a deal is played blind."""
    counts: list[int]
    """Number of cards in each hand; 0 for a dealer who sits out (four players)."""
    total: list[int]
    """Match totals before this deal."""
    barrel: list[bool]
    """Which seats sit on the barrel."""
    attempts: list[int]
    """Deals used up on the barrel."""
    falls: list[int]
    """Falls from the barrel so far."""
    bolts: list[int]
    """Deals without a point as a defender (or what the agreements count as a bolt)."""
    run: list[int]
    """Such deals in a row."""
    conc: list[int]
    """Concessions made so far."""
    bid: "int | None"
    """Highest bid so far, the forced opening included; null while nobody has bid."""
    bidder: "int | None"
    """Seat that made it."""
    passed: list[bool]
    """Which seats have passed in this auction."""
    cap: "int | None"
    """The highest bid or contract the own cards allow; null once cards are played."""
    declarer: "int | None"
    """Null until the auction is over."""
    contract: "int | None"
    """Null until it is named."""
    widow: "list[str] | None"
    """The widow's cards once this seat has seen them."""
    given: "list[str | None] | None"
    """The card passed to each seat as far as known; null before the pass."""
    laid: "list[str] | None"
    """Cards this seat laid away face down (some games of two players), else null."""
    stock: int
    """Cards still to be drawn or dealt (some games of two players)."""
    trump: "str | None"
    """`S`, `C`, `D`, `H`, or null while there is none."""
    trump_owner: "int | None"
    """Seat that announced the trump."""
    leader: "int | None"
    """Seat that led, or leads, the current trick."""
    trick: "list[SeatedCard]"
    """`[seat, card]` on the table, in order."""
    tricks: list[int]
    """Tricks won in this deal."""
    taken: list[int]
    """Points taken in this deal, cards and marriages."""
    marriages: "list[list[Marriage]]"
    """Announced marriages of each seat as `[suit, value]`; the four aces have the letter `A`."""
    played: "list[SeatedCard]"
    """`[seat, card]` of the whole deal, in order."""


class Act(Message):
    """One decision. Everything needed is here; a bot need not remember anything between requests."""

    optional = ("view",)

    type: "Literal['act']"
    id: int
    """Number to repeat in the reply."""
    deal: int
    """Number of the deal, 0-based."""
    seed: str
    """Random hex text for this deal and seat; the same in every seating of a block."""
    phase: "Phase"
    view: View
    """What the seat may know; absent where the bot said in its `ready` that it wants none."""
    events: "list[Event]"
    """What happened since the seat's last request; hidden values are null. See `bots_sdk.events`."""
    legal: list[str]
    """Every legal action; the first is the mildest, and is what the arena plays after a fault."""
    time: TimeLeft

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Self":
        """Return the message a decoded JSON object stands for."""
        message = super().from_json(data)
        if "view" in data:
            message.__dict__["view"] = View.from_json(data["view"])
        message.__dict__["time"] = TimeLeft.from_json(data["time"])
        return message

    @classmethod
    def from_line(cls, line: bytes) -> "Self":
        """Return the message in a line without its end, of which only `id` and `legal` are read at once.

        The others are read when they are asked for: that is nearly all of it, and few bots look at
        everything. A line whose keys stand in another order than the arena writes them is read as a whole.
        """
        legal_at = line.rfind(_LEGAL)
        time_at = line.find(_TIME, legal_at)
        legal = line[legal_at + len(_LEGAL) : time_at]
        written_so = line.startswith(_ACT) and legal_at > 0 and time_at > 0 and b"\\" not in legal
        if not written_so or line.find(b"}", time_at) != len(line) - 2:
            return cls.from_json(loads(line.decode()))
        message = object.__new__(cls)
        fields = message.__dict__
        fields["id"] = int(line[len(_ACT) : line.find(b",", len(_ACT))])
        fields["legal"] = legal.decode().split('","')
        fields["_line"] = line
        return message

    def __getattr__(self, name: str) -> "Any":
        # Only for what is not there yet.
        if name in _LATER and "_line" in self.__dict__:
            self._read(name)
            if name in self.__dict__:
                return self.__dict__[name]
        why = ": this bot told the arena that it wants none" if name == "view" else ""
        raise AttributeError(f"{type(self).__name__} has no {name!r}{why}")

    def _read(self, name: str) -> None:
        """Read a part of the line that was left for later."""
        line = self.__dict__["_line"].decode()
        events_at = line.find(_EVENTS)  # no view has such a key, so this is the request's own
        view_at = line.find(_VIEW, 0, events_at)
        head = line[: events_at if view_at < 0 else view_at]
        try:
            if name == "events":
                found = {name: loads(line[events_at + len(_EVENTS) - 1 : line.rfind(_LEGAL.decode()) + 1])}
            elif name == "time":
                found = {name: TimeLeft.from_json(loads(line[line.rfind("{") : -1]))}
            elif name != "view":
                found = loads(f"{head}}}")
            elif view_at > 0:
                found = {name: View.from_json(loads(line[view_at + len(_VIEW) - 1 : events_at]))}
            else:
                found = {}
        except ValueError:  # cut in the wrong place
            found = type(self).from_json(loads(line)).__dict__
        self._add(found)

    def _add(self, found: "dict[str, Any]") -> None:
        fields = self.__dict__
        fields.update([(key, value) for key, value in found.items() if key not in fields])

    def to_json(self) -> "dict[str, Any]":
        """Return the JSON object that `from_json` reads."""
        self._read_all()
        return super().to_json()

    def __repr__(self) -> str:
        self._read_all()
        return super().__repr__()

    def _has_view(self) -> bool:
        line = self.__dict__.get("_line")
        if line is None:
            return "view" in self.__dict__
        return bool(line.find(_VIEW.encode(), 0, line.find(_EVENTS.encode())) > 0)

    def _read_all(self) -> None:
        line = self.__dict__.pop("_line", None)
        if line is not None:
            self._add(type(self).from_json(loads(line.decode())).__dict__)

    @property
    def rng(self) -> "Random":
        """A generator for this decision: the same request gives the same random numbers.

        It is seeded with `seed` and the moment of the deal, never with the request's number. Bots that draw
        all their randomness from it make equal decisions in the equal moments of a block's six seatings,
        which is what makes duplicate matches tell players apart so much sooner.
        """
        generator = self.__dict__.get("_rng")
        if generator is None:
            moment = f"{self.seed}:{self.phase}:"
            if self._has_view():
                moment += f"{self.view.bid}:{len(self.view.played)}"
            else:
                moment += ":".join(self.legal)
            generator = self.__dict__["_rng"] = _random(moment)
        return generator

    @property
    def deal_rng(self) -> "Random":
        """A generator that starts alike in every request of one deal: for moods that last a deal."""
        return _random(self.seed)


class Reply(Message):
    """The bot's answer to one `Act`."""

    id: int
    """The request's `id`."""
    action: str
    """One of the request's `legal` strings."""


class Result(Message):
    """How the match ended."""

    termination: str
    """`target`, `deal_limit`, `deal_cap` or `all_faulted`."""
    places: list[int]
    """Place of each seat, 1 is best; equal numbers tie. A seat with a fault is last."""
    totals: list[int]
    winner: "int | None"
    """Seat alone in first place; null when that is shared."""


class End(Message):
    """The match is over: nothing is to be answered, standard input closes, the bot exits."""

    type: "Literal['end']"
    events: "list[Event]"
    """What happened since the seat's last request."""
    result: Result

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Self":
        """Return the message a decoded JSON object stands for."""
        return super().from_json({**data, "result": Result.from_json(data["result"])})


def decode_line(line: "str | bytes") -> "Hello | Act | End":
    """Return the message in one line from the arena; raise ValueError for anything unknown."""
    line = (line.encode() if isinstance(line, str) else line).strip()
    if line.startswith(_ACT):
        return Act.from_line(line)
    data = loads(line.decode())
    kind = data["type"]
    if kind == "act":
        return Act.from_json(data)
    if kind == "hello":
        return Hello.from_json(data)
    if kind == "end":
        return End.from_json(data)
    raise ValueError(f"unknown message type {kind!r}")


def encode_reply(request_id: int, action: str) -> str:
    """Return the line that answers request `request_id`, line end included."""
    return f'{{"id":{request_id},"action":{encode_string(action)}}}\n'


READY_LINE = '{"type":"ready"}\n'
"""The line that answers `hello`."""
READY_WITHOUT_VIEW_LINE = '{"type":"ready","view":false}\n'
"""The same of a bot that wants no view in its requests."""


def ready_line(bot: "Bot") -> str:
    """Return the line by which a bot answers `hello`."""
    return READY_LINE if bot.wants_view else READY_WITHOUT_VIEW_LINE


def _plain(value: object) -> "Any":
    return value.to_json() if isinstance(value, Message) else value


def _random(seed: str) -> "Random":
    from random import Random  # costs 2 ms, and many bots need none

    return Random(seed)  # noqa: S311 - plays cards, guards nothing
