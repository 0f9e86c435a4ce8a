"""Strange text on its way into a column."""

TEXT_LIMIT = 65_536
"""Characters kept of any one text that comes from a bot or a worker."""


def storable_text(text: str) -> str:
    """Return text as a column takes it: PostgreSQL knows no NUL, and nothing needs more than 64 kB."""
    return text[:TEXT_LIMIT].replace("\0", "\N{REPLACEMENT CHARACTER}")
