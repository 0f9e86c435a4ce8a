"""How the easy house bots play their cards: one trick at a time, by rules of thumb."""

from bots_sdk.cards import POINTS, STRENGTH, best_card, marriage_suits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bots_sdk.messages import View


def choose_card(view: "View", cards: "list[str]", marriage_value: "dict[str, int]", remembers: bool) -> str:
    """Return one of `cards`, the legal plays of the seat on turn."""
    if len(cards) == 1:
        return cards[0]
    if not view.trick:
        return _lead(view, cards, marriage_value, remembers)
    return _follow(view, cards, remembers)


def _lead(view: "View", cards: "list[str]", marriage_value: "dict[str, int]", remembers: bool) -> str:
    hand = view.hand or cards
    marriages = [suit for suit in marriage_suits(hand) if "Q" + suit in cards]
    if marriages and view.tricks[view.seat]:
        return "Q" + max(marriages, key=marriage_value.__getitem__)
    sure = [card for card in cards if _is_boss(card, view, remembers)]
    if view.trump is not None and view.seat == view.declarer:
        trumps = [card for card in sure if card[1] == view.trump]
        if trumps:  # draw the defenders' trumps first
            return max(trumps, key=STRENGTH.__getitem__)
    safe = [card for card in sure if _keeps_marriage(card, hand)]
    if safe:
        return max(safe, key=lambda card: (_length(hand, card[1]), POINTS[card], card))
    return _cheapest(cards, view)


def _follow(view: "View", cards: "list[str]", remembers: bool) -> str:
    holder, best = best_card(view.trick, view.trump)
    winning = [
        card for card in cards if best_card([*view.trick, (view.seat, card)], view.trump)[0] == view.seat
    ]
    is_last = len(view.trick) == len(view.counts) - 1
    if view.declarer not in (holder, view.seat) and _holds(view, best, is_last, remembers):
        return _fattest(cards, view)
    if is_last and winning:
        spare = [card for card in winning if _keeps_marriage(card, view.hand or cards)]
        return max(spare or winning, key=lambda card: (POINTS[card] if card[0] != "A" else 9, card))
    sure = [card for card in winning if _is_boss(card, view, remembers) or card[1] == view.trump]
    if sure:
        return min(sure, key=lambda card: (STRENGTH[card] if card[1] == view.trump else -POINTS[card], card))
    return _cheapest(cards, view)


def _holds(view: "View", best: str, is_last: bool, remembers: bool) -> bool:
    """Tell whether the other defender's card will surely take the trick."""
    led = view.trick[0][1]
    return is_last or (best[1] == led[1] and _is_boss(best, view, remembers))


def _is_boss(card: str, view: "View", remembers: bool) -> bool:
    """Tell whether no higher card of the suit is still out."""
    if card[0] == "A":
        return True
    if not remembers:
        return False
    gone = {played for _, played in view.played} | set(view.hand or ())
    return all(
        higher in gone for higher in STRENGTH if higher[1] == card[1] and STRENGTH[higher] > STRENGTH[card]
    )


def _fattest(cards: "list[str]", view: "View") -> str:
    """Return what feeds most points to a trick that is won already; aces win tricks of their own."""
    spare = [card for card in cards if card[0] != "A" and _keeps_marriage(card, view.hand or cards)]
    return max(spare or cards, key=lambda card: (POINTS[card], card))


def _cheapest(cards: "list[str]", view: "View") -> str:
    hand = view.hand or cards
    return min(
        cards,
        key=lambda card: (
            not _keeps_marriage(card, hand),
            card[1] == view.trump,
            POINTS[card],
            _length(hand, card[1]),
            card,
        ),
    )


def _keeps_marriage(card: str, hand: "list[str]") -> bool:
    return card[0] not in "KQ" or card[1] not in marriage_suits(hand)


def _length(hand: "list[str]", suit: str) -> int:
    return sum(card[1] == suit for card in hand)
