"""Which form of the engine runs: the modules that mypyc compiled, or the same modules interpreted.

Imported before any other module of the engine. `THOUSAND_COMPILE=0` in the environment passes compiled
modules by. A source that was changed since it was compiled is an error: nobody shall read one thing and run
another.
"""

import os
import sys
from hashlib import sha256
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from typing import Final

_FOLDER = os.path.dirname(__file__)


def _sources_only() -> None:
    """Make the import system look for sources alone in the engine's folder."""
    sys.path_importer_cache[_FOLDER] = FileFinder(_FOLDER, (SourceFileLoader, SOURCE_SUFFIXES))


def _is_compiled() -> bool:
    """Say whether compiled modules are there; ImportError if one is not what its source says."""
    if os.environ.get("THOUSAND_COMPILE") == "0":
        _sources_only()
        return False
    try:
        sources: dict[str, str] = import_module("engine.native_sources").SOURCES
    except ModuleNotFoundError:
        return False
    for name, digest in sources.items():
        path = os.path.join(_FOLDER, f"{name}.py")
        with open(path, "rb") as source:
            found = sha256(source.read()).hexdigest()
        if found != digest:
            raise ImportError(
                f"{path} was changed after it was compiled. Compile it again with `make compile`, "
                "or set THOUSAND_COMPILE=0 to run the sources as they are",
                name=f"engine.{name}",
                path=path,
            )
    return True


COMPILED: Final = _is_compiled()
"""Whether the hot modules run as machine code. What the engine plays does not depend on it."""
