#!/usr/bin/env python3
"""Django's command line. Puts `platform/` (a source root, never a package) on the path.

Every command takes `--data DIR`, like the environment variable THOUSAND_DATA, before settings are read.
"""

import os
import sys
from pathlib import Path

from arena.unwritten import NO_ROOM, drop_output


def main() -> None:
    sys.path.insert(1, str(Path(__file__).resolve().parent / "platform"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "thousand.settings.embedded")
    from thousand.settings.data_option import take_data_option

    sys.argv = take_data_option(sys.argv)
    from django.core.management import execute_from_command_line

    try:
        try:
            execute_from_command_line(sys.argv)
        finally:  # also after `--help`, which exits
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has seen enough, for example `| head`
        drop_output()
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        drop_output()
        where = error.filename or "the output"
        sys.exit(f"manage.py: {where} cannot be written: {error.strerror}")


if __name__ == "__main__":
    main()
