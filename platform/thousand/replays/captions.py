"""Sentences of a replay: one caption a step, from a template and values; pure functions of the document.

The viewer's module gets the same templates (`viewer_texts`) and fills them in the browser; a browser test
compares the two step by step. Seats, deals and steps are the numbers of the wire and are never shifted.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Event = Mapping[str, Any]

SUIT_SIGNS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥", "A": "A"}
"""Suits as characters; A stands for the marriage of four aces."""
RANK_SIGNS = {"A": "A", "T": "10", "K": "K", "Q": "Q", "J": "J", "9": "9"}

TEXTS: dict[str, Promise] = {
    "suit-S": _("spades"),
    "suit-C": _("clubs"),
    "suit-D": _("diamonds"),
    "suit-H": _("hearts"),
    "rank-A": _("ace"),
    "rank-T": _("ten"),
    "rank-K": _("king"),
    "rank-Q": _("queen"),
    "rank-J": _("jack"),
    "rank-9": _("nine"),
    "card": _("{rank} of {suit}"),
    "hidden": _("a hidden card"),
    "hidden-cards": _("three hidden cards"),
    "hidden-two": _("two hidden cards"),
    "cut": _("Seat {seat} cuts. The bottom card is {card}."),
    "cut-fined": _("Seat {seat} cuts {card}, its third nine: fined."),
    "deal": _("Deal {deal}. Seat {dealer} deals, seat {forehand} is forehand."),
    "deal-again": _("Deal {deal}, dealt again. Seat {dealer} deals, seat {forehand} is forehand."),
    "redeal": _("Seat {seat} shows {reason}: the cards are dealt again."),
    "reason-four_nines": _("four nines"),
    "reason-three_nines": _("three nines"),
    "reason-nines": _("nines in the widow"),
    "reason-four_jacks": _("four jacks"),
    "reason-three_jacks": _("three jacks"),
    "reason-aces": _("its aces"),
    "reason-points": _("too few points"),
    "bid-forced": _("Seat {seat} opens with the forced {bid}."),
    "bid": _("Seat {seat} bids {bid}."),
    "pass": _("Seat {seat} passes."),
    "widow": _("Seat {seat} takes the widow: {cards}."),
    "widow-pile": _("Seat {seat} takes widow {pile}: {cards}."),
    "buy": _("Seat {seat} buys the widow for {bid}."),
    "draw": _("Seat {seat} draws {card}."),
    "give-away": _("Seat {seat} lays {card} and {other_card} aside."),
    "give-lay": _("Seat {seat} gives {card} to seat {to} and lays {other_card} aside."),
    "give": _("Seat {seat} gives {card} to seat {to} and {other_card} to seat {other_to}."),
    "give-one": _("Seat {seat} gives {card} to seat {to}."),
    "blind": _("Seat {seat} plays blind, without having seen its cards."),
    "look": _("Seat {seat} looks at its cards."),
    "contract": _("Contract {contract} by seat {seat}."),
    "contract-raised": _("Seat {seat} raises {bid} to a contract of {contract}."),
    "concede": _("Seat {seat} concedes {contract}."),
    "throw": _("Seat {seat} throws the cards."),
    "lead": _("Trick {trick}, seat {seat} leads {card}."),
    "announce": _(
        "Trick {trick}, seat {seat} leads {card} and announces {suit}: {points} points, {suit} are trump."
    ),
    "announce-aces": _("Trick {trick}, seat {seat} leads {card} and announces four aces: {points} points."),
    "play": _("Seat {seat} plays {card}."),
    "trick": _("Trick {trick} to seat {seat}, {points} points."),
    "fault": _("Seat {seat}: {verdict}. The arena played “{fallback}” for it."),
    "fault-start": _("Seat {seat}: {verdict}. The arena plays for it."),
    "fault-hidden": _("Seat {seat}: {verdict}. The arena played a hidden action for it."),
    "other": _("Seat {seat}: {event}."),
    "verdict-illegal_action": _("illegal action"),
    "verdict-invalid_message": _("invalid message"),
    "verdict-timeout": _("timed out"),
    "verdict-crash": _("crashed"),
    "verdict-memory_limit": _("over the memory limit"),
    "verdict-output_limit": _("over the output limit"),
    "verdict-start_failure": _("did not start"),
    "end-made": _("Deal {deal}: seat {seat} made {contract}."),
    "end-failed": _("Deal {deal}: seat {seat} failed {contract}."),
    "end-conceded": _("Deal {deal}: seat {seat} conceded {contract}."),
    "end-open": _("Deal {deal} is played."),
    "end-thrown": _("Deal {deal}: thrown in, everybody passed."),
    "totals": _("Totals: {totals}."),
    "event-bolt": _("Seat {seat} gets a bolt."),
    "event-bolt_penalty": _("Seat {seat} is fined for its bolts."),
    "event-sit": _("Seat {seat} sits on the barrel."),
    "event-fall": _("Seat {seat} falls off the barrel."),
    "event-knocked": _("Seat {seat} is knocked off the barrel."),
    "event-simultaneous": _("Seat {seat} reached the barrel together with another seat and goes back."),
    "event-third_fall": _("Seat {seat} fell for the third time: its total becomes 0."),
    "event-third_concession": _("Seat {seat} conceded for the third time: fined."),
    "event-nines": _("Seat {seat} kept four nines: a bonus."),
    "event-dump": _("Seat {seat} met the dump truck: its total becomes 0."),
    "event-win": _("Seat {seat} wins the match."),
    "stays": _("Seat {seat} stays on the barrel, attempt {attempts} of {limit}."),
    "deal-heading": _("Deal {deal}"),
    "over-target": _("End of the match: seat {seat} won."),
    "over-deal_limit": _("End of the match: the deal limit is reached."),
    "over-deal_cap": _("End of the match: the arena's cap on deals is reached."),
    "over-all_faulted": _("End of the match: every seat has faulted."),
    "places": _("Places: {places}."),
    "place": _("{place} seat {seat}"),
}
"""Templates by key. Names in braces are filled by value; everything else is for translators."""


def text(key: str, **values: object) -> str:
    """Return the template `key` in the active language with its values filled in."""
    filled = str(TEXTS[key])
    for name, value in values.items():
        filled = filled.replace("{" + name + "}", str(value))
    return filled


def card_words(card: str | None) -> str:
    """Return "queen of diamonds" for `QD`, and words for a card that may not be known."""
    if card is None:
        return text("hidden")
    return text("card", rank=text(f"rank-{card[0]}"), suit=text(f"suit-{card[1]}"))


def signed(amount: int) -> str:
    """Return a difference with its sign; the minus is the typographic one."""
    return f"+{amount}" if amount > 0 else number(amount)


def number(amount: int) -> str:
    """Return a total; the minus is the typographic one."""
    return f"\u2212{-amount}" if amount < 0 else str(amount)


def caption(event: Event, *, attempts_limit: str = "3") -> str:
    """Return the sentence (or sentences) of one step, with everything shown."""
    kind = event["event"]
    if kind in _CAPTIONS:
        return _CAPTIONS[kind](event)
    if kind == "deal_end":
        return " ".join(deal_end_lines(event, attempts_limit))
    if kind in TEXTS:
        return text(kind, **event)
    return text("other", seat=event.get("seat", ""), event=kind)


def deal_end_lines(event: Event, attempts_limit: str) -> list[str]:
    """Return the result, the totals, and what befell whom, a sentence each."""
    return [
        text(f"end-{_end_of(event)}", deal=event["deal"], seat=event["declarer"], contract=event["contract"]),
        text("totals", totals=", ".join(number(total) for total in event["after"])),
        *named_events(event, attempts_limit),
    ]


def _end_of(event: Event) -> str:
    """Return `made`, `failed`, `conceded` or `thrown`; `open` where there is no declarer."""
    result: str = event["result"]
    return "open" if event["declarer"] is None and result != "thrown" else result


def named_events(event: Event, attempts_limit: str) -> list[str]:
    """Return a sentence for each named event of a `deal_end`, then for each seat that stays on the barrel."""
    lines = []
    for named in event["events"]:
        name, seat = split_event(named)
        key = f"event-{name}"
        lines.append(text(key, seat=seat) if key in TEXTS else text("other", seat=seat, event=name))
    for seat, on_barrel in enumerate(event["barrel"]):
        if on_barrel and event["attempts"][seat]:
            lines.append(text("stays", seat=seat, attempts=event["attempts"][seat], limit=attempts_limit))
    return lines


def split_event(named: str) -> tuple[str, int]:
    """Return name and seat of an event such as `bolt_penalty1`."""
    return named[:-1], int(named[-1])


def _deal(event: Event) -> str:
    return text(
        "deal-again" if event["redeal"] else "deal",
        deal=event["deal"],
        dealer=event["dealer"],
        forehand=event["forehand"],
    )


def _redeal(event: Event) -> str:
    key = f"reason-{event['reason']}"
    return text("redeal", seat=event["seat"], reason=text(key) if key in TEXTS else event["reason"])


def _bid(event: Event) -> str:
    return text("bid-forced" if event.get("forced") else "bid", seat=event["seat"], bid=event["bid"])


def _widow(event: Event) -> str:
    cards = ", ".join(card_words(card) for card in event["cards"])
    key = "widow-pile" if "pile" in event else "widow"
    return text(key, seat=event["seat"], pile=event.get("pile", ""), cards=cards)


def _cut(event: Event) -> str:
    return text("cut-fined" if event["fined"] else "cut", seat=event["seat"], card=card_words(event["card"]))


def _draw(event: Event) -> str:
    return text("draw", seat=event["seat"], card=card_words(event["card"]))


def _concede(event: Event) -> str:
    return text("throw" if event["contract"] is None else "concede", **event)


def _give(event: Event) -> str:
    if len(event["cards"]) == 1:
        return text("give-one", seat=event["seat"], card=card_words(event["cards"][0]), to=event["to"][0])
    (to, other_to), (card, other_card) = event["to"], event["cards"]
    return text(
        "give-away" if to is None else "give-lay" if other_to is None else "give",
        seat=event["seat"],
        card=card_words(card),
        to=to,
        other_card=card_words(other_card),
        other_to=other_to,
    )


def _contract(event: Event) -> str:
    raised = event["bid"] not in (None, event["contract"])
    return text("contract-raised" if raised else "contract", **event)


def _play(event: Event) -> str:
    values: dict[str, object] = {
        "trick": event["trick"],
        "seat": event["seat"],
        "card": card_words(event["card"]),
    }
    if event["marriage"]:
        values |= {"points": event["marriage"], "suit": text(f"suit-{event['card'][1]}")}
        sentence = text("announce-aces" if event["card"][0] == "A" else "announce", **values)
    else:
        sentence = text("lead" if event["lead"] else "play", **values)
    if completed := event.get("won"):
        sentence += " " + text(
            "trick", trick=event["trick"], seat=completed["seat"], points=completed["points"]
        )
    return sentence


def _fault(event: Event) -> str:
    key = f"verdict-{event['verdict']}"
    verdict = text(key) if key in TEXTS else event["verdict"]
    if event["fallback"] is None:
        return text("fault-start", seat=event["seat"], verdict=verdict)
    return text("fault", seat=event["seat"], verdict=verdict, fallback=event["fallback"])


def _match_end(event: Event) -> str:
    places: Sequence[int] = event["places"]
    order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    key = f"over-{event['termination']}"
    return " ".join(
        (
            text(key if key in TEXTS else "over-deal_limit", seat=order[0]),
            text("places", places=", ".join(text("place", seat=s, place=places[s]) for s in order)),
            text("totals", totals=", ".join(number(total) for total in event["totals"])),
        )
    )


_CAPTIONS = {
    "cut": _cut,
    "deal": _deal,
    "redeal": _redeal,
    "bid": _bid,
    "widow": _widow,
    "give": _give,
    "contract": _contract,
    "concede": _concede,
    "draw": _draw,
    "play": _play,
    "fault": _fault,
    "match_end": _match_end,
}
