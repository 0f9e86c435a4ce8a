"""One deal played by the letter of the rules, slowly: to count action sequences a second time.

Nothing here knows the engine. Cards are text, hands are lists, and what is legal to bid, contract, claim and
play comes from the second opinion; who is asked what, and when, is written from Rules §2 to §9. A sequence
ends where the deal does (played out, conceded, thrown). Nobody has points yet: it is always the first deal of
a match.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations, permutations

from tests.engine.second_opinion.bidding import (
    after_pass_redeal_reasons,
    buyover_price,
    hand_redeal_reasons,
    is_silenced,
    legal_bids,
    legal_contracts,
    may_concede,
    may_play_blind,
    widow_redeal_reasons,
)
from tests.engine.second_opinion.dealing import receivers
from tests.engine.second_opinion.legal import (
    announcement,
    legal_cards,
    trick_winner,
    trump_of_the_trick,
)
from tests.engine.second_opinion.values import (
    CARD_POINTS,
    DECK,
    FOUR_ACES,
    SUITS,
    Values,
    marriage_value,
    suit_of,
    values_of,
)


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


def limited(values: Values) -> Values:
    """Where nothing limits a number, the last one offered is what the whole pack can bring."""
    aces = values["ace_marriage_value"] if values["ace_marriage"] else 0
    marriages = sum(marriage_value(values, suit) for suit in SUITS)
    most = 120 + marriages + aces + values["last_trick_bonus"]
    return {**values, "bid_absolute_max": values["bid_absolute_max"] or most}


def legal(table: Table) -> list[str]:
    """Everything the seat on turn may do."""
    values, hand = table.values, table.hands[table.turn] if table.hands else []
    if table.phase == "cut":
        return ["keep", "redeal"] if table.pack[23][0] == "9" else ["keep"]
    if table.phase == "blind":
        return ["look", "blind"]
    if table.phase.startswith("redeal"):
        return ["keep", "redeal"] if claims(table) else ["keep"]
    if table.phase == "auction":
        if is_silenced(values, 0):
            return ["pass"]
        kind = "blind" if table.kind == "blind" else "normal"
        return ["pass", *[f"bid {number}" for number in legal_bids(limited(values), hand, table.bid, kind)]]
    if table.phase == "widow":
        return ["take 1", "take 2"] if table.piles else ["take"]
    if table.phase == "buy":
        assert table.bid is not None
        price = buyover_price(limited(values), hand, table.bid)
        return ["pass"] if price is None else ["pass", f"buy {price}"]
    if table.phase == "give":
        return gives(table) + conceding(table)
    if table.phase == "contract":
        numbers = legal_contracts(limited(values), hand, table.bid, table.kind)
        return [f"contract {number}" for number in numbers] + conceding(table)
    won, mine = table.won[table.turn], table.owner == table.turn
    return [f"play {card}" for card in legal_cards(values, hand, table.trick, table.trump, mine, won)]


def claims(table: Table) -> list[str]:
    """What entitles the seat on turn to a redeal."""
    values, hand = table.values, table.hands[table.turn]
    if table.phase == "redeal hand":
        return hand_redeal_reasons(values, hand, table.turn == table.active[0])
    if table.phase == "redeal widow":
        own = [card for card in hand if card not in table.widow]
        return widow_redeal_reasons(values, table.widow, own, table.by_opening())
    return after_pass_redeal_reasons(values, hand)


def gives(table: Table) -> list[str]:
    """Rules §8.1: one card to each other player; variants for two players."""
    values, hand = table.values, table.hands[table.turn]
    mode = values["two_player_mode"]
    if values["widow_split"] == "one_each_from_widow":
        return [f"give {first} {second}" for first, second in permutations(table.widow, 2)]
    if mode == "widows_2x2_pass":
        return [f"give {card}" for card in hand]
    if mode == "piles_2x2_discard":
        # Two cards to one pile, face down: their order says nothing; the cheaper one is named first.
        cheapest = sorted(hand, key=lambda card: (CARD_POINTS[card[0]], SUITS.index(card[1])))
        return [f"give {first} {second}" for first, second in combinations(cheapest, 2)]
    return [f"give {first} {second}" for first, second in permutations(hand, 2)]


def conceding(table: Table) -> list[str]:
    """Rules §8.4, in its window; cards may be thrown where the widow was taken unbid."""
    values = table.values
    if table.bid is None and table.contract is None:
        return ["concede"] if table.phase == "contract" else []
    early = values["contract_before_widow"] or values["concession_window"] == "before_pass"
    if table.phase != ("give" if early else "contract"):
        return []
    assert table.declarer is not None
    nobody, zeros = [False] * table.players, [0] * table.players
    return ["concede"] if may_concede(values, nobody, zeros, table.declarer, table.kind) else []


def done(table: Table, action: str) -> Table:
    """The table after an action."""
    table = copy.deepcopy(table, {id(table.values): table.values})
    word, *rest = action.split()
    match table.phase, word:
        case _, "concede":
            table.phase = "over"
        case "cut", "keep":
            deal_out(table)
        case "cut", "redeal":
            cut(table)
        case "blind", _:
            answer_blind(table, word)
        case (("redeal hand" | "redeal widow" | "redeal pass"), "redeal"):
            deal_again(table)
        case (("redeal hand" | "redeal widow" | "redeal pass"), "keep"):
            keep(table)
        case "auction", _:
            bid_or_pass(table, int(rest[0]) if rest else None)
        case "widow", _:
            take(table, int(rest[0]) if rest else None)
        case "buy", _:
            buy_or_pass(table, int(rest[0]) if rest else None)
        case "give", _:
            give(table, rest)
        case "contract", _:
            table.contract = int(rest[0])
            after_contract(table)
        case _:
            play(table, rest[0], loud=rest[1:] == ["declare"])
    return table


def answer_blind(table: Table, word: str) -> None:
    if word == "blind":
        table.kind, table.blind_seat = "blind", table.turn
        ask_about_hands(table)
    elif table.asked:
        ask(table, "blind", table.asked)
    else:
        ask_about_hands(table)


def keep(table: Table) -> None:
    if table.asked:
        ask(table, table.phase, table.asked)
    elif table.phase == "redeal hand":
        begin(table)
    elif table.phase == "redeal widow":
        offer_widow(table)
    else:
        contract_or_play(table)


def bid_or_pass(table: Table, number: int | None) -> None:
    """Rules §6, and the variants' last hand that takes the widow unbid."""
    values, seat = table.values, table.turn
    if number is None:
        table.passed.append(seat)
    else:
        broken = table.kind == "blind"
        table.bid, table.bidder = number, seat
        if broken:
            # "The first such bid cancels the blind game … the blind player stays in the auction"
            table.kind, table.blind_seat = "normal", None
        if broken and values["blind_break_takes_widow"]:
            table.declarer = seat
            to_the_widow(table)
            return
        if values["bid_after_pass"]:
            table.passed = []
    waiting = [other for other in table.others(seat) if other not in table.passed]
    rivals = [other for other in waiting if other != table.bidder]
    if table.bidder is None and len(waiting) == 1:
        table.declarer = waiting[0]
        to_the_widow(table)
    elif not rivals:
        table.declarer = table.bidder
        to_the_widow(table)
    else:
        table.turn = rivals[0]


def take(table: Table, pile: int | None) -> None:
    if pile is not None:
        table.widow, table.piles = table.piles[pile - 1], []
    table.hands[table.turn] += table.widow
    table.taken = True
    values = table.values
    rows = [
        values["redeal_widow_points_below"] > 0,
        values["redeal_widow_nines"] != "off",
        values["redeal_widow_three_jacks"],
        values["redeal_four_nines_with_widow"],
    ]
    asks = values["redeal_allowed_at_table"] and any(rows)
    if values["redeal_widow_only_on_opening"] and not table.by_opening():
        asks = False
    if not asks:
        offer_widow(table)
    elif values["redeal_style"] == "right":
        ask(table, "redeal widow", [table.turn])
    else:
        table.phase = "redeal widow"
        if claims(table):
            deal_again(table)
        else:
            offer_widow(table)


def offer_widow(table: Table) -> None:
    """Rules §7.3: "Not offered when the widow was hidden or in golden/blind deals." """
    values = table.values
    hidden = values["widow_reveal"] == "never" or values["two_player_mode"] == "piles_2x2_discard"
    if values["widow_reveal"] == "hidden_on_opening" and table.by_opening():
        hidden = True
    assert table.declarer is not None
    if values["widow_buyover"] == "on" and not hidden and table.kind == "normal":
        ask(table, "buy", table.others(table.declarer))
    else:
        exchange(table)


def buy_or_pass(table: Table, price: int | None) -> None:
    if price is not None:
        assert table.declarer is not None
        owner = table.hands[table.declarer]
        table.hands[table.declarer] = [card for card in owner if card not in table.widow]
        table.hands[table.turn] += table.widow
        table.declarer, table.bid = table.turn, price
        # "the right passes on around the table until everybody passes"
        ask(table, "buy", table.others(table.turn))
    elif table.asked:
        ask(table, "buy", table.asked)
    else:
        exchange(table)


def exchange(table: Table) -> None:
    assert table.declarer is not None
    table.turn = table.declarer
    first = table.values["raise_timing"] == "before_pass" and table.contract is None
    table.phase = "contract" if first else "give"


def give(table: Table, cards: list[str]) -> None:
    seat, mode = table.turn, table.values["two_player_mode"]
    others = table.others(seat)
    for place, card in enumerate(cards):
        table.hands[seat].remove(card)
        # What does not go to a player lies dead: the discards, or the dummy's card.
        if mode != "piles_2x2_discard" and place < len(others):
            table.hands[others[place]].append(card)
    table.given = True
    values = table.values
    rows = [values["redeal_four_nines_after_pass"], values["redeal_points_below_after_pass"] > 0]
    seats = [seat, *others]
    if not values["redeal_allowed_at_table"] or not any(rows):
        contract_or_play(table)
    elif values["redeal_style"] == "right":
        ask(table, "redeal pass", seats)
    elif any(after_pass_redeal_reasons(values, table.hands[other]) for other in seats):
        deal_again(table)
    else:
        contract_or_play(table)


def contract_or_play(table: Table) -> None:
    assert table.declarer is not None
    table.turn = table.leader = table.declarer
    table.phase = "contract" if table.contract is None else "play"


def after_contract(table: Table) -> None:
    table.leader = table.turn
    if table.given or table.values["two_player_mode"] == "table_four":
        table.phase = "play"
    else:
        table.phase = "give" if table.taken else "widow"


def play(table: Table, card: str, *, loud: bool) -> None:
    """Rules §9."""
    values, seat, hand = table.values, table.turn, table.hands[table.turn]
    # "When the same player plays the last of his four aces its suit becomes trump from that trick on (if he
    # leads it; if he follows with it, from the next trick)"
    last_ace = table.awaits_last_ace == seat and [ace for ace in FOUR_ACES if ace in hand] == [card]
    if not table.trick and (loud or values["marriage_announce"] == "automatic"):
        what, _ = announcement(values, hand, card, table.won[seat])
        if what is not None:
            before = table.trump
            table.trump, mine = trump_of_the_trick(values, card, what, table.trump, table.owner == seat)
            table.owner = seat if mine else table.owner if table.trump == before else None
            waits = what == "aces" and values["ace_marriage_trump"] == "last_ace"
            table.awaits_last_ace = seat if waits else None
    if last_ace and not table.trick:
        table.trump, table.owner, table.awaits_last_ace = suit_of(card), seat, None
    hand.remove(card)
    table.trick.append(card)
    if len(table.trick) < len(table.active):
        table.turn = table.left(seat)
        return
    order = [table.leader, *table.others(table.leader)]
    winner = order[trick_winner(values, table.trick, table.trump)]
    waiting = table.awaits_last_ace
    if waiting is not None:
        own = table.trick[order.index(waiting)]
        if own in FOUR_ACES and not [ace for ace in FOUR_ACES if ace in table.hands[waiting]]:
            table.trump, table.owner, table.awaits_last_ace = suit_of(own), waiting, None
    table.won[winner] += 1
    table.trick, table.leader, table.turn = [], winner, winner
    # "After each trick the winner draws the top stock card, then the loser"; at the table of four cards both
    # draw twice after the first trick.
    for _ in range({"stock_draw": 1, "table_four": 2}.get(values["two_player_mode"], 0)):
        for other in [winner, *table.others(winner)]:
            if table.stock:
                table.hands[other].append(table.stock.pop(0))
    if not any(table.hands):
        table.phase = "over"


def count(table: Table, depth: int) -> list[int]:
    """How many sequences of 1, 2, … `depth` actions there are; shorter ones only where the deal ends."""
    if depth == 0:
        return []
    if table.phase == "over":
        return [1] * depth
    actions = legal(table)
    totals = [len(actions)] + [0] * (depth - 1)
    if depth > 1:
        for action in actions:
            for place, number in enumerate(count(done(table, action), depth - 1), 1):
                totals[place] += number
    return totals
