"""The end of a match: places, and the stakes settled by them."""

from tests.engine.second_opinion.points import Points
from tests.engine.second_opinion.values import Values


def final_places(total: list[Points], winner: int | None) -> list[int]:
    """The place of each seat: the winner is 1, then "ranking by total …, ties share the place" (A-88)."""
    places = []
    for seat, points in enumerate(total):
        if seat == winner:
            places.append(1)
            continue
        ahead = [
            other
            for other in range(len(total))
            if other == winner or (other != seat and total[other] > points)
        ]
        places.append(1 + len(ahead))
    return places


def settlement(values: Values, places: list[int], forehand: int) -> list[int] | None:
    """What each seat gets from the bank; null without a bank, or at another table than S5's of three."""
    # "bank: the winner takes the declared bank, the runner-up gets and loses nothing, the third player pays
    # the bank."
    if values["settlement"] == "none" or len(places) != 3:
        return None
    bank = int(values["bank_amount"])
    by_place = {1: bank, 2: 0, 3: -bank}
    result = []
    for seat, place in enumerate(places):
        sharing = [other for other, its_place in enumerate(places) if its_place == place]
        # "equal totals share the loss (integer division, remainder to the seat farther from forehand)"
        # a shared win, which no source knows, is shared in the same way.
        amount = sum(by_place[place + rank] for rank in range(len(sharing)))
        share = abs(amount) // len(sharing)
        farthest = max(sharing, key=lambda other: (other - forehand) % 3)
        nearest = min(sharing, key=lambda other: (other - forehand) % 3)
        if seat == (farthest if amount < 0 else nearest):
            share += abs(amount) % len(sharing)
        result.append(-share if amount < 0 else share)
    return result
