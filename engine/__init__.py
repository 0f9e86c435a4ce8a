"""The rules of Thousand: deterministic, immutable at its face, standard library only."""
