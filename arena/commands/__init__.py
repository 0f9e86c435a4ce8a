"""The subcommands of `thousand`, one module each: `add_parser` describes its options, `run` does it."""
