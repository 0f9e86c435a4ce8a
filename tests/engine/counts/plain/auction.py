"""The plain table from the first bid to the first lead: auction, widow, pass, contract (Rules §6 to §8)."""

from itertools import combinations, permutations

from tests.engine.counts.plain.dealing import Table, ask, begin, deal_again, to_the_widow
from tests.engine.second_opinion.bidding import (
    after_pass_redeal_reasons,
    hand_redeal_reasons,
    may_concede,
    widow_redeal_reasons,
)
from tests.engine.second_opinion.values import CARD_POINTS, SUITS, Values, marriage_value


def limited(values: Values) -> Values:
    """Where nothing limits a number, the last one offered is what the whole pack can bring."""
    aces = values["ace_marriage_value"] if values["ace_marriage"] else 0
    marriages = sum(marriage_value(values, suit) for suit in SUITS)
    most = 120 + marriages + aces + values["last_trick_bonus"]
    return {**values, "bid_absolute_max": values["bid_absolute_max"] or most}


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
    if values["two_player_mode"] == "table_four":
        # Nobody passes a card: the contract is the one moment.
        early = False
    if table.phase != ("give" if early else "contract"):
        return []
    assert table.declarer is not None
    nobody, zeros = [False] * table.players, [0] * table.players
    return ["concede"] if may_concede(values, nobody, zeros, table.declarer, table.kind) else []


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
