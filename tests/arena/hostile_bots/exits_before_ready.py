"""Ends with exit code 3 before it has said `ready`."""

import sys

VERDICTS = ("start_failure",)

sys.stderr.write("model file missing\n")
sys.exit(3)
