"""What a command does when what it prints cannot be written."""

import errno
import os
import sys

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What writing meets where the disk is full or broken."""


def drop_output() -> None:
    """Let what is still to be written go nowhere: Python writes it at its end and would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
