"""Which cards may be played, what may be announced with them, and who wins the trick: Rules §9.

`answer(position)` speaks the vocabulary of a position: `preset`, `overrides`, `hand`, `trick` (cards in
order), `trump` (a suit or null), `own_trump` (the trump is this seat's), `won` (tricks this seat has won),
`phase` (`auction`, `contract` or `play`), `bid`, and where not the usual `kind` (`golden`, `blind`).
It answers `legal` and `cap`: in play `legal` is the cards, and with `marriage_announce=optional` a card that
may be announced stands there twice, as `KD` and as `KD declare`; in the other phases it is the numbers that
may be named.
"""

from collections.abc import Mapping
from typing import Any

from tests.engine.second_opinion.bidding import bid_cap, legal_bids, legal_contracts
from tests.engine.second_opinion.values import (
    Values,
    has_four_aces,
    marriage_value,
    rank_of,
    suit_of,
    values_of,
)


def strength(values: Values, card: str) -> int:
    """The place of a card within its suit, the lowest 0 (`rank_order`)."""
    # "standard A>10>K>Q>J>9. ten_high: 10>A>K>Q>J>9"
    order = (
        ["9", "J", "Q", "K", "A", "T"]
        if values["rank_order"] == "ten_high"
        else ["9", "J", "Q", "K", "T", "A"]
    )
    return order.index(rank_of(card))


def trick_winner(values: Values, trick: list[str], trump: str | None) -> int:
    """The index in `trick` of the card that is winning it."""
    # "Winner: highest trump if any trump was played, otherwise highest card of L; off-suit non-trumps never
    # win."
    led = suit_of(trick[0])
    trumps = [index for index, card in enumerate(trick) if suit_of(card) == trump]
    followers = [index for index, card in enumerate(trick) if suit_of(card) == led]
    return max(trumps or followers, key=lambda index: strength(values, trick[index]))


def legal_follow(values: Values, hand: list[str], trick: list[str], trump: str | None) -> list[str]:
    """The cards a follower may play."""
    led = suit_of(trick[0])
    best = trick[trick_winner(values, trick, trump)]
    of_led = [card for card in hand if suit_of(card) == led]
    trumps = [card for card in hand if suit_of(card) == trump]
    if of_led:
        # "has L -> must play L. must_beat=in_suit/in_suit_and_trump: if B is of suit L (the trick is not
        # trumped, or L = T) and he holds a higher L, he must play a higher L."
        higher = [card for card in of_led if strength(values, card) > strength(values, best)]
        if values["must_beat"] != "none" and suit_of(best) == led and higher:
            return higher
        return of_led
    if trumps and values["must_trump"]:
        # "no L, has T, must_trump -> must play T (any T; with in_suit_and_trump a higher T than the best
        # trump if he can)."
        higher = [card for card in trumps if strength(values, card) > strength(values, best)]
        if values["must_beat"] == "in_suit_and_trump" and suit_of(best) == trump and higher:
            return higher
        return trumps
    # "otherwise any card. … nobody is obliged to win the trick."
    return list(hand)


def announcement(values: Values, hand: list[str], card: str, won: int) -> tuple[str | None, int]:
    """What leading this card announces: ("marriage" or "aces" or None, points)."""
    # "and he has won at least one earlier trick (or marriage_first_lead)"
    if won == 0 and not values["marriage_first_lead"]:
        return None, 0
    # "the leader of a trick leads K or Q while the other card of that pair is in his hand"
    if rank_of(card) in ("K", "Q"):
        partner = ("Q" if rank_of(card) == "K" else "K") + suit_of(card)
        if partner in hand:
            return "marriage", marriage_value(values, suit_of(card))
    # "Ace marriage (ace_marriage): the leader leads an ace while all four aces are in his hand, under the
    # same … condition"
    if values["ace_marriage"] and rank_of(card) == "A" and has_four_aces(hand):
        return "aces", int(values["ace_marriage_value"])
    return None, 0


def trump_of_the_trick(
    values: Values, card: str, announced: str | None, trump: str | None, own_trump: bool
) -> tuple[str | None, bool]:
    """The trump once this card is led, and whether it is the leader's."""
    # "trump = suit, trump_owner = leader, effective from this very trick"
    if announced == "marriage":
        return suit_of(card), True
    if announced == "aces":
        # "unchanged: trump stays as it was. cancel: there is no trump until the next marriage. first_ace:
        # suit of the ace led becomes trump. last_ace: no trump until the last of the four aces is played"
        if values["ace_marriage_trump"] == "first_ace":
            return suit_of(card), True
        if values["ace_marriage_trump"] in ("cancel", "last_ace"):
            return None, False
    return trump, own_trump


def legal_leads(
    values: Values, hand: list[str], trump: str | None, own_trump: bool, won: int
) -> list[tuple[str, str | None]]:
    """The cards the leader of a trick may lead, each with what is announced by it."""
    choices: list[tuple[str, str | None]] = []
    for card in hand:
        announced, _ = announcement(values, hand, card, won)
        choices.append((card, announced))
        # "automatic: no choice. optional: flag declare"
        if announced is not None and values["marriage_announce"] == "optional":
            choices.append((card, None))

    def leads_a_foreign_trump(choice: tuple[str, str | None]) -> bool:
        card, announced = choice
        trump_now, own_now = trump_of_the_trick(values, card, announced, trump, own_trump)
        return suit_of(card) == trump_now and not own_now

    def leads_a_trump(choice: tuple[str, str | None]) -> bool:
        card, announced = choice
        trump_now, _ = trump_of_the_trick(values, card, announced, trump, own_trump)
        return suit_of(card) in (trump, trump_now)

    # "lead_foreign_trump≠allowed: a seat other than trump_owner may not lead a trump while it holds a
    # non-trump. Leading K/Q with an announcement in another suit is not a trump lead."
    holds_a_non_trump = any(suit_of(card) != trump for card in hand)
    if values["lead_foreign_trump"] != "allowed" and holds_a_non_trump:
        choices = [choice for choice in choices if not leads_a_foreign_trump(choice)]
    # "must_lead_trump: a seat holding a trump it may lead must lead one; an announcing K/Q also satisfies
    # the duty, since its suit is trump from that trick."
    if values["must_lead_trump"] and any(suit_of(card) == trump for card, _ in choices):
        choices = [choice for choice in choices if leads_a_trump(choice)]
    return choices


def legal_cards(
    values: Values, hand: list[str], trick: list[str], trump: str | None, own_trump: bool, won: int
) -> list[str]:
    """The plays of a position; `KD declare` where announcing is a choice."""
    if trick:
        return legal_follow(values, hand, trick, trump)
    plays = []
    for card, announced in legal_leads(values, hand, trump, own_trump, won):
        said = announced is not None and values["marriage_announce"] == "optional"
        plays.append(card + " declare" if said else card)
    return plays


def answer(position: Mapping[str, Any]) -> dict[str, Any]:
    """`legal` and `cap` of a position."""
    values = values_of(position["preset"], position.get("overrides"))
    hand = list(position["hand"])
    cap = bid_cap(values, hand)
    kind = position.get("kind", "normal")
    legal: list[Any]
    if position["phase"] == "auction":
        legal = list(legal_bids(values, hand, position.get("bid"), kind=kind))
    elif position["phase"] == "contract":
        legal = list(legal_contracts(values, hand, position.get("bid"), kind=kind))
    else:
        legal = list(
            legal_cards(
                values,
                hand,
                list(position.get("trick") or []),
                position.get("trump"),
                bool(position.get("own_trump", False)),
                int(position.get("won", 0)),
            )
        )
    return {"legal": legal, "cap": cap}
