"""Reads `hello` and never answers it."""

import sys
import time

VERDICTS = ("start_failure",)

sys.stdin.readline()
time.sleep(3600)
