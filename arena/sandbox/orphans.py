"""A process that takes in the orphans of its descendants, so that nothing of a sandbox is left a zombie."""

import ctypes

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent dies (opening a sandbox does it).

    Without it they go to process 1, which in many containers reaps nobody.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot become the parent of orphans")
