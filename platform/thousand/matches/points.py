"""Points of a block as pages write them; what they are, `bots_sdk.points` says."""


def score_text(halves: int) -> str:
    """Return a number of halves as pages write it: 15 is "7½", 1 is "½"."""
    whole, half = divmod(halves, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"
