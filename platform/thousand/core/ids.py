"""Public identifiers: opaque, 12 characters, safe in a URL and to read aloud. Integer keys never leave."""

import secrets

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32 without i, l, o, u: nothing that reads as something else."""

PUBLIC_ID_LENGTH = 12


def new_public_id() -> str:
    """Return a random public id; 60 bits, so collisions are left to the unique constraint."""
    return "".join(secrets.choice(ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


def is_public_id(text: str) -> bool:
    """Return whether a text from outside can be a public id at all."""
    return len(text) == PUBLIC_ID_LENGTH and all(character in ALPHABET for character in text)
