"""What the server draws of a replay itself: the first picture, one deal as a static page, the transcript.

Everything is read from the document; nothing here knows a rule. Steps, deals and seats keep their numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from thousand.replays.captions import caption, card_words, named_events, number, signed, text

Document = Mapping[str, Any]
Event = Mapping[str, Any]

PLACES = {2: ("bottom", "top"), 3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
"""Where seats sit, clockwise from the one at the bottom, by number of players."""

FINES = ("bolt_fine", "third_concession", "concession_fine", "late_zero", "cut_fine", "bluff", "golden_reset")
"""Causes of a ledger entry that the score sheet shows as fines."""
BARREL = (
    "barrel_frozen",
    "barrel_need",
    "barrel_cap",
    "barrel_fall",
    "knock_off",
    "simultaneous",
    "three_falls",
    "dump_truck",
)
"""Causes that the score sheet shows under barrel and dump truck; every other one is part of the base."""


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A face-up card as a template draws it."""

    card: str
    rank: str
    """Name of the rank's drawing in the sprite."""
    suit: str
    words: str
    first: bool
    """Whether it is the first of its suit in its hand."""
    wide: bool
    """Whether the rank's drawing is the wide one, the ten."""
    court: bool


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat panel of the first picture."""

    seat: int
    place: str
    name: str
    total: str
    hand: tuple[ShownCard, ...]
    dealer: bool
    forehand: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """A deal as it lies on the table before anybody spoke."""

    deal: int
    last_deal: int
    last_step: int
    caption: str
    seats: tuple[ShownSeat, ...]
    widow: tuple[ShownCard, ...]


@dataclass(frozen=True, slots=True)
class TranscriptGroup:
    """A stretch of a deal (`auction`, `widow`, `trick`, `end`) and its steps, each with its caption."""

    key: str
    trick: int
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One seat's row of a score sheet, in the order scores are settled."""

    seat: int
    name: str
    declarer: bool
    sits_out: bool
    defender: bool
    contract: int | None
    result: str
    tricks: str
    cards: str
    marriages: tuple[tuple[str, int], ...]
    base: tuple[tuple[str, str], ...]
    """Ledger entries as (cause, signed amount), like all the following; together they are the change."""
    fines: tuple[tuple[str, str], ...]
    barrel: tuple[tuple[str, str], ...]
    sits: bool
    attempts: int
    """Attempts used on the barrel; 0 when not on it."""
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A deal's score sheet."""

    rows: tuple[SheetRow, ...]
    card_points: int | None
    """Sum over the seats; None where no cards were played."""
    lines: tuple[str, ...]
    """A sentence for each event that fired."""


def barrel_attempts(document: Document) -> str:
    """Return the limit of attempts on the barrel as the ruleset writes it."""
    return str(document["ruleset"]["agreements"].get("barrel_attempts", ""))


def shown_cards(cards: Sequence[str]) -> tuple[ShownCard, ...]:
    """Return cards for a template, in their order."""
    return tuple(
        ShownCard(
            card=card,
            rank="10" if card[0] == "T" else card[0],
            suit=card[1],
            words=card_words(card),
            first=index == 0 or cards[index - 1][1] != card[1],
            wide=card[0] == "T",
            court=card[0] in "KQJ",
        )
        for index, card in enumerate(cards)
    )


def picture(document: Document, deal: int, names: Sequence[str]) -> Picture:
    """Return the deal just dealt, as seen with seat 0 at the bottom and all hands shown."""
    events = document["deals"][deal]["events"]
    dealt = all_dealt(document, deal)[0]
    seats = tuple(
        ShownSeat(
            seat=seat,
            place=PLACES[document["players"]][seat],
            name=names[seat],
            total=number(dealt["totals"][seat]),
            hand=shown_cards(hand),
            dealer=seat == dealt["dealer"],
            forehand=seat == dealt["forehand"],
        )
        for seat, hand in enumerate(dealt["hands"])
    )
    return Picture(
        deal=deal,
        last_deal=len(document["deals"]) - 1,
        last_step=len(events) - 1,
        caption=caption(events[0]),
        seats=seats,
        widow=shown_cards(dealt["widow"]),
    )


def all_dealt(document: Document, deal: int) -> tuple[Event, ...]:
    """Return every `deal` event of a deal: more than one after a redeal; the last one was played.

    Where a match ended at the cut, one without cards stands for them.
    """
    events = document["deals"][deal]["events"]
    found = tuple(event for event in events if event["event"] == "deal")
    if found:
        return found
    players, dealer = document["players"], events[0]["dealer"]
    nobody = {"hands": [[]] * players, "widow": [], "totals": document["outcome"]["totals"]}
    return ({"dealer": dealer, "forehand": (dealer + 1) % players, **nobody},)


def groups(events: Sequence[Event], attempts: str) -> Iterator[TranscriptGroup]:
    """Yield a deal's steps in stretches, in order."""
    keyed = [(_stretch(events, step), step) for step in range(len(events))]
    for (key, trick), steps in groupby(keyed, key=lambda pair: pair[0]):
        lines = tuple((step, caption(events[step], attempts_limit=attempts)) for _key, step in steps)
        yield TranscriptGroup(key, trick, lines)


def _stretch(events: Sequence[Event], step: int) -> tuple[str, int]:
    """Return the stretch a step belongs to; a fault belongs to the action it led to."""
    event = next((each for each in events[step:] if each["event"] != "fault"), events[0])
    match event["event"]:
        case "play":
            return "trick", event["trick"]
        case "draw":
            return "trick", max(each.get("trick", 0) for each in events[:step] if each["event"] == "play")
        case "pass" if any(each["event"] == "widow" for each in events[:step]):
            return "widow", 0
        case "widow" | "give" | "contract" | "concede" | "buy":
            return "widow", 0
        case "deal_end" | "match_end":
            return "end", 0
        case _:
            return "auction", 0


def sheet(document: Document, deal: int, names: Sequence[str]) -> Sheet | None:
    """Return a deal's score sheet; None where the deal was not finished."""
    events = document["deals"][deal]["events"]
    end = next((event for event in reversed(events) if event["event"] == "deal_end"), None)
    if end is None:
        return None
    played = end["result"] in ("made", "failed")
    return Sheet(
        rows=tuple(_row(end, seat, name, played) for seat, name in enumerate(names)),
        card_points=sum(end["cards"]) if played else None,
        lines=tuple(named_events(end, barrel_attempts(document))),
    )


def _row(end: Event, seat: int, name: str, played: bool) -> SheetRow:
    entries = [entry for entry in end["ledger"] if entry["seat"] == seat]
    declarer = end["declarer"] == seat
    raw, rounded = end["cards"][seat], end["rounded"][seat]
    points = str(raw) if raw == rounded else f"{raw} → {rounded}"
    return SheetRow(
        seat=seat,
        name=name,
        declarer=declarer,
        sits_out=not end["hands"][seat],
        defender=end["declarer"] not in (seat, None) and bool(end["hands"][seat]),
        contract=end["contract"] if declarer else None,
        result=end["result"] if declarer else "",
        tricks=str(end["tricks"][seat]) if played else "–",
        cards=points if played else "–",
        marriages=tuple((suit, value) for suit, value in end["marriages"][seat]),
        base=_entries(entry for entry in entries if entry["cause"] not in (*FINES, *BARREL)),
        fines=_entries(entry for entry in entries if entry["cause"] in FINES),
        barrel=_entries(entry for entry in entries if entry["cause"] in BARREL),
        sits=f"sit{seat}" in end["events"],
        attempts=end["attempts"][seat] if end["barrel"][seat] else 0,
        before=number(end["before"][seat]),
        after=number(end["after"][seat]),
    )


def _entries(ledger: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    return tuple((entry["cause"], signed(entry["amount"])) for entry in ledger)


def transcript(document: Document, title: str, names: Sequence[str]) -> str:
    """Return the whole match as plain text: hands grouped by suit, cards in wire codes, a step a line."""
    attempts = barrel_attempts(document)
    lines = [title, ""]
    lines += [f"seat {seat}: {name}" for seat, name in enumerate(names)]
    for number_, deal in enumerate(document["deals"]):
        lines += ["", text("deal-heading", deal=number_)]
        for step, event in enumerate(deal["events"]):
            lines.append(f"{step:>3}  {caption(event, attempts_limit=attempts)}")
            lines += _codes(event)
    return "\n".join(lines) + "\n"


def _codes(event: Event) -> list[str]:
    """Return the wire codes behind a sentence, on lines of their own."""
    if event["event"] == "deal":
        hands = [f"     seat {seat}: {by_suit(hand)}" for seat, hand in enumerate(event["hands"])]
        heaps = [("widow", event["widow"]), *_piles(event)]
        heaps += [(name, event.get(name, ())) for name in ("dead", "stock")]
        return [*hands, *(f"     {name}:  {' '.join(cards)}" for name, cards in heaps if cards)]
    if event["event"] in ("widow", "give"):
        return [f"     {' '.join(event['cards'])}"]
    if event["event"] in ("play", "draw", "cut"):
        return [f"     {event['card']}"]
    return []


def _piles(event: Event) -> list[tuple[str, Sequence[str]]]:
    """Return the two widows of a `deal` with their names; nothing where there is one."""
    return [(f"widow {number}", cards) for number, cards in enumerate(event.get("piles", ()), 1)]


def by_suit(hand: Sequence[str]) -> str:
    """Return a hand in wire codes, suits set apart."""
    return " | ".join(" ".join(cards) for _suit, cards in groupby(hand, key=lambda card: card[1]))
