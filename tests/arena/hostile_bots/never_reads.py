"""Says `ready` unasked and never reads a request."""

import sys
import time

VERDICTS = ("timeout", "start_failure", "invalid_message")

sys.stdout.write('{"type":"ready"}\n')
sys.stdout.flush()
time.sleep(3600)
