"""Who receives which card of the shuffled pack: Rules §2.4 and the two-player modes of the variants §1."""

from tests.engine.second_opinion.values import Values


def receivers(values: Values) -> str:
    """A letter for each of the 24 cards.

    F is forehand, M the next seat and D the last (with two players the dealer, with four the third active
    seat); W is the widow; P and Q are two widows or piles, X the dead hand, S the stock, T the table.
    """
    mode = values["two_player_mode"]
    if mode in ("piles_2x2_discard", "widows_2x2_pass"):
        # "F D P F D Q F D P F D Q then F D ×6"
        return "FDPFDQ" * 2 + "FD" * 6
    if mode == "dummy_hand":
        # "Order F D X W … with X in third place, so the last card goes to X"
        return "FDXW" * 3 + "FDX" * 4
    if mode == "stock_draw":
        # "6 cards each (reading …), 12 in the face-down stock"
        return "FD" * 6 + "S" * 12
    if mode == "widows_2x3":
        # "F D P F D Q ×3 then F D ×3"
        return "FDPFDQ" * 3 + "FD" * 3
    if mode == "table_four":
        # "10 each, 4 face down on the table"; in which order they are dealt is not said
        return "FD" * 10 + "T" * 4
    if values["players"] == 4 and values["four_player_last_card"] == "to_widow":
        # "A B C W A B C W A B C A B C A B C A B C A B C W (21 hand cards, widow deck[3], deck[7], deck[23])"
        return "FMDW" * 2 + "FMD" * 5 + "W"
    # "F M D W F M D W F M D W F M D F M D F M D F M D. So the widow is deck[3], deck[7], deck[11]"
    return "FMDW" * 3 + "FMD" * 4


def positions_of(values: Values, receiver: str) -> list[int]:
    """The places in the pack whose cards go to this receiver."""
    return [index for index, letter in enumerate(receivers(values)) if letter == receiver]
