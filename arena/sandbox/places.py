"""Where on the host lies what a bot knows by a sandbox's paths, for tiers without a root of their own."""

import re
from collections.abc import Mapping


def on_host(text: str, places: Mapping[str, str]) -> str:
    """Replace the paths of a sandbox by those of the host, also inside a longer text: `/bot/x:/sdk`."""
    inside = "|".join(re.escape(place) for place in sorted(places, key=len, reverse=True))
    return re.sub(rf"(?<![\w/.-])({inside})(?![\w.-])", lambda found: places[found[1]], text)
