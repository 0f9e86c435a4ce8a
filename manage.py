#!/usr/bin/env python3
"""Django's command line. Puts `platform/` (a source root, never a package) on the path.

Every command takes `--data DIR`, like the environment variable THOUSAND_DATA, before settings are read.
"""

import os
import sys
from pathlib import Path


def main() -> None:
    sys.path.insert(1, str(Path(__file__).resolve().parent / "platform"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "thousand.settings.embedded")
    from thousand.settings.data_option import take_data_option

    sys.argv = take_data_option(sys.argv)
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has seen enough, for example `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
