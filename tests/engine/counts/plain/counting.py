"""Count action sequences a second time, by the plain table; they end where the deal does."""

import copy

from tests.engine.counts.plain.auction import (
    after_contract,
    bid_or_pass,
    buy_or_pass,
    claims,
    conceding,
    give,
    gives,
    keep,
    limited,
    take,
)
from tests.engine.counts.plain.dealing import Table, answer_blind, cut, deal_again, deal_out
from tests.engine.counts.plain.play import play
from tests.engine.second_opinion.bidding import buyover_price, is_silenced, legal_bids, legal_contracts
from tests.engine.second_opinion.legal import legal_cards


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
