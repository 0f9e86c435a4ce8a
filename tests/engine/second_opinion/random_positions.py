"""Random positions to play, bid and contract in, met in deals played out by chance."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tests.engine.second_opinion.legal import (
    legal_follow,
    legal_leads,
    trick_winner,
    trump_of_the_trick,
)
from tests.engine.second_opinion.random_rulesets import LEGAL_CHOICES, random_ruleset
from tests.engine.second_opinion.values import (
    DECK,
    FOUR_ACES,
    GAMES_OF_THOUSAND,
    SUITS,
    Values,
    marriages_in,
    suit_of,
)

# Cards in a hand at the auction, in play, and for how many seats.
HANDS = {
    "none": (7, 8, 3),
    "piles_2x2_discard": (10, 10, 2),
    "dummy_hand": (7, 8, 2),
    "stock_draw": (6, 6, 2),
    "widows_2x3": (9, 10, 2),
    "widows_2x2_pass": (10, 11, 2),
    "table_four": (10, 10, 2),
}


def random_positions(
    rng: Random, presets: Sequence[str] = GAMES_OF_THOUSAND, *, overrides: bool = True
) -> Iterator[dict[str, Any]]:
    """A few positions of an auction, one of a contract, two leads, and all of the play of one deal."""
    preset, changed, values = random_ruleset(rng, LEGAL_CHOICES, presets, changes=5 if overrides else 0)
    start = {"preset": preset, "overrides": changed}
    if values["all_pass_rule"] != "no_auction":
        for position in [*auction_positions(rng, values), contract_position(rng, values)]:
            yield {**start, **position}
    for position in [lead_position(rng, values), lead_position(rng, values)]:
        yield {**start, **position}
    for position in play_positions(rng, values):
        yield {**start, **position}


def random_hand(rng: Random, size: int) -> list[str]:
    """Any cards; every third time many kings, queens and aces, so that marriages are not rare."""
    favourites = [card for card in DECK if card[0] in "KQA"] if rng.random() < 1 / 3 else []
    hand = rng.sample(favourites, min(len(favourites), size - 1))
    while len(hand) < size:
        card = rng.choice(DECK)
        if card not in hand:
            hand.append(card)
    return hand


def auction_positions(rng: Random, values: Values) -> Iterator[dict[str, Any]]:
    size, _, _ = HANDS[values["two_player_mode"]]
    step = values["bid_step"]
    for _ in range(3):
        bid: int | None = values["opening_bid"] + step * rng.randint(0, 200 // step)
        if not values["forced_opening"] and rng.random() < 0.3:
            bid = None
        position = {"phase": "auction", "hand": random_hand(rng, size), "bid": bid}
        if values["blind"] and rng.random() < 0.4:
            position.update(kind="blind", bid=120)
        yield position


def contract_position(rng: Random, values: Values) -> dict[str, Any]:
    dealt, played, _ = HANDS[values["two_player_mode"]]
    size = played
    if values["contract_before_widow"]:
        size = dealt
    elif values["raise_timing"] == "before_pass" and values["two_player_mode"] == "none":
        size = dealt + 3
    step = values["bid_step"]
    bid: int | None = values["opening_bid"] + step * rng.randint(0, 150 // step)
    kind = rng.choice(["normal", *(name for name in ("golden", "blind") if values[name])])
    if kind != "normal":
        bid = 120
    elif not values["forced_opening"] and rng.random() < 0.3:
        bid = None
    position = {"phase": "contract", "hand": random_hand(rng, size), "bid": bid}
    return position if kind == "normal" else {**position, "kind": kind}


def lead_position(rng: Random, values: Values) -> dict[str, Any]:
    """A lead under a trump: chance play rarely meets one together with a marriage or four aces."""
    hand = random_hand(rng, rng.randint(2, 7))
    if values["ace_marriage"] and rng.random() < 0.5:
        hand = FOUR_ACES + [card for card in hand if card not in FOUR_ACES][:3]
    # A suit became trump by its king or queen, which is no longer in a hand.
    trump = rng.choice([None, *[suit for suit in SUITS if suit not in marriages_in(hand)]])
    return {
        "phase": "play",
        "hand": hand,
        "trick": [],
        "trump": trump,
        "own_trump": trump is not None and rng.random() < 0.5,
        "won": rng.randint(1, 3),
    }


class PlayedDeal:
    """Hands being played out, and who owns the trump."""

    def __init__(self, rng: Random, values: Values) -> None:
        _, size, self.seats = HANDS[values["two_player_mode"]]
        pack = rng.sample(DECK, len(DECK))
        if rng.random() < 0.15:
            # Aces dealt together, for the ace marriage.
            pack = FOUR_ACES + [card for card in pack if card not in FOUR_ACES]
        self.values = values
        self.hands = [pack[seat * size : (seat + 1) * size] for seat in range(self.seats)]
        self.rest = pack[self.seats * size :]
        self.won = [0] * self.seats
        self.trump: str | None = None
        self.owner: int | None = None
        self.awaits_last_ace: int | None = None

    def position(self, seat: int, trick: list[str]) -> dict[str, Any]:
        return {
            "phase": "play",
            "hand": list(self.hands[seat]),
            "trick": list(trick),
            "trump": self.trump,
            "own_trump": self.owner == seat,
            "won": self.won[seat],
        }

    def announce(self, seat: int, card: str, announced: str) -> None:
        before = self.trump
        self.trump, mine = trump_of_the_trick(self.values, card, announced, self.trump, self.owner == seat)
        if mine:
            self.owner = seat
        elif self.trump != before:
            self.owner = None
        last_ace = announced == "aces" and self.values["ace_marriage_trump"] == "last_ace"
        # "a K/Q marriage announced in between overrides it"
        self.awaits_last_ace = seat if last_ace else None

    def plays_the_last_ace(self, seat: int, card: str) -> bool:
        aces_left = [ace for ace in FOUR_ACES if ace in self.hands[seat]]
        return self.awaits_last_ace == seat and aces_left == [card]

    def set_last_ace(self, seat: int, card: str) -> None:
        self.trump, self.owner, self.awaits_last_ace = suit_of(card), seat, None


def play_positions(rng: Random, values: Values) -> Iterator[dict[str, Any]]:
    table = PlayedDeal(rng, values)
    leader = rng.randrange(table.seats)
    while table.hands[leader]:
        trick: list[str] = []
        followed_ace: tuple[int, str] | None = None
        for turn in range(table.seats):
            seat = (leader + turn) % table.seats
            position = table.position(seat, trick)
            yield position
            card, announced = random_choice(rng, values, position)
            # "When the same player plays the last of his four aces its suit becomes trump from that trick
            # on (if he leads it; if he follows with it, from the next trick)"
            last_ace = table.plays_the_last_ace(seat, card)
            if announced is not None:
                table.announce(seat, card, announced)
            elif last_ace and not trick:
                table.set_last_ace(seat, card)
            elif last_ace:
                followed_ace = (seat, card)
            table.hands[seat].remove(card)
            trick.append(card)
        leader = (leader + trick_winner(values, trick, table.trump)) % table.seats
        table.won[leader] += 1
        if followed_ace is not None:
            table.set_last_ace(*followed_ace)
        draw(table, leader)


def random_choice(rng: Random, values: Values, position: dict[str, Any]) -> tuple[str, str | None]:
    """A legal card and what it announces; on lead an announcement more often than chance would have it."""
    hand, trick, won = position["hand"], position["trick"], position["won"]
    trump, own_trump = position["trump"], position["own_trump"]
    if trick:
        return rng.choice(legal_follow(values, hand, trick, trump)), None
    leads = legal_leads(values, hand, trump, own_trump, won)
    announcing = [lead for lead in leads if lead[1] is not None]
    return rng.choice(announcing if announcing and rng.random() < 0.6 else leads)


def draw(table: PlayedDeal, winner: int) -> None:
    """Take cards from the stock (after each trick) or from the table (after the first)."""
    mode = table.values["two_player_mode"]
    rounds = {"stock_draw": 1, "table_four": 2 if sum(table.won) == 1 else 0}.get(mode, 0)
    for _ in range(rounds):
        for seat in (winner, 1 - winner):
            if table.rest:
                table.hands[seat].append(table.rest.pop(0))
