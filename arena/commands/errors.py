"""How a command tells its caller that it cannot do what it was asked."""

EXIT_OK = 0
EXIT_FAILED = 1
"""A check failed: the bot, the replay or the match is not as it should be."""
EXIT_USAGE = 2
"""The command line or a file it names is wrong."""


class CommandError(Exception):
    """Printed as one line on standard error: what is wrong, and what would be right."""

    def __init__(self, message: str, exit_code: int = EXIT_USAGE) -> None:
        super().__init__(message)
        self.exit_code = exit_code
