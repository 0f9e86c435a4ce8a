"""Answers `hello` with a greeting of its own."""

import sys
import time

VERDICTS = ("start_failure", "invalid_message")

sys.stdin.readline()
sys.stdout.write("Hello, arena!\n")
sys.stdout.flush()
time.sleep(3600)
