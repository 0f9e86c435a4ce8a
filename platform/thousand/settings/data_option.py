"""`--data DIR` of every management command: says where everything lives, before settings are read."""

import os
from collections.abc import Sequence


def take_data_option(argv: Sequence[str]) -> list[str]:
    """Take `--data DIR` (or `--data=DIR`) out of a command line and put it into `THOUSAND_DATA`.

    Raises SystemExit with a usage message when the folder is missing.
    """
    kept: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "--":
            kept += [word, *words]
        elif word == "--data" or word.startswith("--data="):
            folder = word.partition("=")[2] if "=" in word else next(words, "")
            if not folder:
                raise SystemExit("--data needs a folder, for example --data ./data")
            os.environ["THOUSAND_DATA"] = folder
        else:
            kept.append(word)
    return kept
