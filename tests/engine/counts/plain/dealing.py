"""One deal played by the letter of the rules, slowly: the shuffle, the cut, blind games, redeals of hands.

Nothing here knows the engine. Cards are text, hands are lists, and what is legal to bid, contract, claim and
play comes from the second opinion; who is asked what, and when, is written from Rules §2 to §9. Nobody has
points yet: it is always the first deal of a match.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from tests.engine.second_opinion.bidding import hand_redeal_reasons, may_play_blind
from tests.engine.second_opinion.dealing import receivers
from tests.engine.second_opinion.values import DECK, Values, values_of


@dataclass
class Table:
    """A deal in progress; `phase` says what `turn` is asked, `asked` who is asked the same next."""

    values: Values
    seed: bytes
    dealer: int
    redeal: int = 0
    kind: str = "normal"
    phase: str = ""
    turn: int = 0
    asked: list[int] = field(default_factory=list)
    pack: list[str] = field(default_factory=list)
    cuts: int = 0
    active: list[int] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    widow: list[str] = field(default_factory=list)
    piles: list[list[str]] = field(default_factory=list)
    stock: list[str] = field(default_factory=list)
    blind_seat: int | None = None
    bid: int | None = None
    bidder: int | None = None
    passed: list[int] = field(default_factory=list)
    declarer: int | None = None
    contract: int | None = None
    given: bool = False
    taken: bool = False
    trump: str | None = None
    owner: int | None = None
    awaits_last_ace: int | None = None
    leader: int = 0
    trick: list[str] = field(default_factory=list)
    won: list[int] = field(default_factory=list)

    @property
    def players(self) -> int:
        return int(self.values["players"])

    def left(self, seat: int) -> int:
        return self.active[(self.active.index(seat) + 1) % len(self.active)]

    def others(self, seat: int) -> list[int]:
        place = self.active.index(seat)
        return self.active[place + 1 :] + self.active[:place]

    def by_opening(self) -> bool:
        forced = self.values["forced_opening"] and self.kind == "normal"
        return bool(forced and self.bid == self.values["opening_bid"])


def words(seed: bytes, label: str, *numbers: int) -> Iterator[int]:
    """The stream of 32-bit words that all chance comes from."""
    block = 0
    while True:
        tail = b"".join(number.to_bytes(4, "big") for number in (*numbers, block))
        digest = sha256(seed + label.encode() + tail).digest()
        yield from (int.from_bytes(digest[place : place + 4], "big") for place in range(0, 32, 4))
        block += 1


def draw_below(bound: int, stream: Iterator[int]) -> int:
    for word in stream:
        if word < 2**32 - 2**32 % bound:
            return word % bound
    raise AssertionError("a stream has no end")


def first_deal(preset: str, overrides: Values, seed: int) -> Table:
    """The first deal of a match, at its first question."""
    values, key = values_of(preset, overrides), seed.to_bytes(32, "big")
    lot = values["first_dealer"] == "lot"
    table = Table(values, key, draw_below(values["players"], words(key, "dealer")) if lot else 0)
    table.kind = "golden" if values["golden"] else "normal"
    shuffle(table)
    return table


def shuffle(table: Table) -> None:
    pack, stream = list(DECK), words(table.seed, "deck", 0, table.redeal)
    for place in range(23, 0, -1):
        other = draw_below(place + 1, stream)
        pack[place], pack[other] = pack[other], pack[place]
    table.pack, table.cuts = pack, 0
    if table.values["cut_ritual"]:
        cut(table)
    else:
        deal_out(table)


def cut(table: Table) -> None:
    """Rules §2.3: the bottom card decides whether the cut stands."""
    values = table.values
    # Each cut is of the pack as it was shuffled plus all cuts before.
    table.cuts += 1
    stream = words(table.seed, "cut", 0, table.redeal)
    places = [1 + draw_below(23, stream) for _ in range(table.cuts)]
    place = places[-1]
    table.pack = table.pack[place:] + table.pack[:place]
    bottom = table.pack[23]
    if bottom[0] == "J" and values["cut_jack"] == "marry_no_recut":
        # "jack: move it to index 12, no further cut"
        table.pack = [*table.pack[:12], bottom, *table.pack[12:23]]
        deal_out(table)
    elif values["cut_nine"] == "dealer_may_recut":
        table.phase, table.turn = "cut", table.dealer
    elif bottom[0] == "9" and values["cut_nine"] == "must_recut":
        cut(table)
    else:
        deal_out(table)


def deal_out(table: Table) -> None:
    values, players = table.values, table.players
    forehand = (table.dealer + 1) % players
    # With four players "the dealer sits out".
    table.active = [(forehand + step) % players for step in range(min(players, 3))]
    letters = dict(zip("FD" if players == 2 else "FMD", table.active, strict=True))
    table.hands, table.widow, table.stock = [[] for _ in range(players)], [], []
    piles: dict[str, list[str]] = {}
    order = receivers(values)
    if values["two_player_mode"] == "table_four":
        # The variants name no order for the four cards; docs/rules.md lays them aside as it does piles.
        order = "FDS" * 4 + "FD" * 6
    for card, letter in zip(table.pack, order, strict=True):
        if letter in letters:
            table.hands[letters[letter]].append(card)
        elif letter == "W":
            table.widow.append(card)
        elif letter in "PQ":
            piles.setdefault(letter, []).append(card)
        elif letter == "S":
            table.stock.append(card)
    table.piles = [piles["P"], piles["Q"]] if piles else []
    table.won = [0] * players
    # Rules §4: "Offered only if blind and not golden … nobody has looked yet"
    if values["blind"] and table.kind == "normal":
        who = {"forehand": [forehand], "dealer": [table.dealer], "anyone_in_order": table.active}
        entitled = [
            seat
            for seat in who[values["blind_who"]]
            if seat in table.active and may_play_blind(values, {"total": [0] * players}, seat)
        ]
        if entitled:
            ask(table, "blind", entitled)
            return
    ask_about_hands(table)


def ask(table: Table, phase: str, seats: list[int]) -> None:
    table.phase, table.turn, table.asked = phase, seats[0], seats[1:]


def ask_about_hands(table: Table) -> None:
    """Rules §3; with a right, every seat that saw its cards is asked, so that no question betrays a hand."""
    values = table.values
    rows = [
        values["redeal_hand_four_nines"] == "on",
        values["redeal_hand_three_nines"] != "off",
        values["redeal_hand_four_jacks"],
        values["redeal_hand_aces"] != "off",
        values["redeal_hand_points_below"] > 0,
    ]
    seats = [seat for seat in table.active if seat != table.blind_seat]
    if not values["redeal_allowed_at_table"] or not any(rows):
        begin(table)
    elif values["redeal_style"] == "right":
        ask(table, "redeal hand", seats)
    elif any(hand_redeal_reasons(values, table.hands[seat], seat == table.active[0]) for seat in seats):
        deal_again(table)
    else:
        begin(table)


def answer_blind(table: Table, word: str) -> None:
    if word == "blind":
        table.kind, table.blind_seat = "blind", table.turn
        ask_about_hands(table)
    elif table.asked:
        ask(table, "blind", table.asked)
    else:
        ask_about_hands(table)


def deal_again(table: Table) -> None:
    """ "same dealer, redeal_no += 1"; "the golden/blind commitment carries over"."""
    if table.values["redeal_dealer"] == "next":
        table.dealer = (table.dealer + 1) % table.players
    blind = table.blind_seat
    fresh = Table(table.values, table.seed, table.dealer, table.redeal + 1, table.kind, blind_seat=blind)
    table.__dict__.update(fresh.__dict__)
    shuffle(table)


def begin(table: Table) -> None:
    """Rules §5 and §6: the auction, or what stands in its place."""
    values, forehand = table.values, table.active[0]
    if table.kind == "golden":
        table.declarer = forehand if values["golden_declarer"] == "forehand" else table.dealer
        table.bid = 120
        to_the_widow(table)
    elif table.kind == "blind":
        table.bid, table.bidder = 120, table.blind_seat
        assert table.bidder is not None
        table.phase, table.turn = "auction", table.left(table.bidder)
    elif values["all_pass_rule"] == "no_auction":
        table.phase, table.turn, table.leader = "play", forehand, forehand
    elif values["forced_opening"]:
        table.bid, table.bidder = values["opening_bid"], forehand
        table.phase, table.turn = "auction", table.left(forehand)
    else:
        table.phase, table.turn = "auction", forehand


def to_the_widow(table: Table) -> None:
    assert table.declarer is not None
    table.turn = table.declarer
    first = table.values["contract_before_widow"] or table.values["two_player_mode"] == "table_four"
    table.phase = "contract" if first else "widow"
