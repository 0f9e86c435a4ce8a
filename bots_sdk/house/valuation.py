"""What a hand is worth to a declarer, and which two cards it can spare: rules of thumb in points.

The weights are least-squares fits, rounded, to 3 300 contracts that easy bots played among themselves.
"""

from bots_sdk.cards import POINTS, STRENGTH, SUITS, marriage_suits


def points_before_widow(hand: "list[str]", marriage_value: "dict[str, int]") -> float:
    """Estimate the points a declarer with this hand of seven takes once the widow is in it (off by 49)."""
    best, others, trumps = _marriages(hand, marriage_value)
    sure = _sure_tricks(hand)
    announced = 0.8 if sure else 0.45
    return 43 + 0.8 * _card_points(hand) + 2 * sure + announced * best + 0.4 * others + 3 * trumps


def points_as_declarer(hand: "list[str]", marriage_value: "dict[str, int]") -> float:
    """Estimate the points a declarer takes with the eight cards left after the pass (off by 32)."""
    best, others, trumps = _marriages(hand, marriage_value)
    sure = _sure_tricks(hand)
    announced = 0.9 if sure else 0.05  # a trick must be won before a marriage counts
    return 1.1 * _card_points(hand) + 3 * sure + announced * best + 0.5 * others + 7 * trumps - 17


def spare_cards(hand: "list[str]", marriage_value: "dict[str, int]") -> "list[str]":
    """Return the hand, the cards to give away first: low ones that break no marriage and guard no ten."""
    return sorted(hand, key=lambda card: (_keep(card, hand, marriage_value), card))


def _keep(card: str, hand: "list[str]", marriage_value: "dict[str, int]") -> float:
    rank, suit = card[0], card[1]
    keep = float(POINTS[card])
    if suit in marriage_suits(hand):
        keep += marriage_value[suit] if rank in "KQ" else 18
    if rank == "A":
        keep += 40
    elif rank == "T":
        keep += 25 if _is_guarded(card, hand) else 4
    elif rank == "K" and {"A" + suit, "T" + suit} <= set(hand):
        keep += 15
    elif "T" + suit in hand and "A" + suit not in hand and _length(hand, suit) == 2:
        keep += 6  # the ten's only guard
    return keep


def _top_tricks(hand: "list[str]", suit: str) -> int:
    """Count the cards of a suit that nobody can beat, and those that become so once the tops are played."""
    held = sorted((STRENGTH[card] for card in hand if card[1] == suit), reverse=True)
    tops = 0
    for strength, expected in zip(held, (5, 4, 3, 2, 1, 0), strict=False):
        if strength != expected:
            break
        tops += 1
    if tops >= 2 and len(held) >= 4:  # six cards a suit: after the tops the small ones are good
        return len(held)
    return tops


def _sure_tricks(hand: "list[str]") -> int:
    return sum(_top_tricks(hand, suit) for suit in SUITS)


def _marriages(hand: "list[str]", marriage_value: "dict[str, int]") -> "tuple[int, int, int]":
    """Return the value of the best marriage, of the other ones, and the length of the best one's suit."""
    suits = marriage_suits(hand)
    if not suits:
        return 0, 0, 0
    best = max(suits, key=marriage_value.__getitem__)
    others = sum(marriage_value[suit] for suit in suits if suit != best)
    return marriage_value[best], others, _length(hand, best)


def _card_points(hand: "list[str]") -> int:
    return sum(map(POINTS.__getitem__, hand))


def _is_guarded(ten: str, hand: "list[str]") -> bool:
    suit = ten[1]
    return "A" + suit in hand or _length(hand, suit) >= 3


def _length(hand: "list[str]", suit: str) -> int:
    return sum(card[1] == suit for card in hand)
