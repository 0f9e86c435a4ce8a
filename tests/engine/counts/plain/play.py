"""The plain table in play: a card, the trick, and what is drawn after it (Rules §9)."""

from tests.engine.counts.plain.dealing import Table
from tests.engine.second_opinion.legal import announcement, trick_winner, trump_of_the_trick
from tests.engine.second_opinion.values import FOUR_ACES, suit_of


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
