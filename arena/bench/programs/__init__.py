"""Programs that measure: each runs in its own process, some in an environment of a peer's."""
