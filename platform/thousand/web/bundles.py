"""Style sheets and the viewer's module as they are sent: put together from their sources, minified.

A staticfiles finder, so that `collectstatic`, a development server and the tests all see the same files. The
sources stay small modules; what a browser waits for is one style sheet and one script.
"""

import atexit
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import rcssmin
import rjsmin
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

SOURCES = Path(__file__).parent / "static" / "web"

BUNDLES = {
    "web/site.css": ("tokens", "frame", "page", "tables", "forms", "pages"),
    "web/viewer.css": ("viewer/cards", "viewer/frame", "viewer/table", "viewer/panels", "viewer/phone"),
    "web/viewer.js": (
        "viewer/unpack", "viewer/model", "viewer/words", "viewer/cards", "viewer/navigation",
        "viewer/playback", "viewer/race", "viewer/motion", "viewer/strip", "viewer/panels",
        "viewer/ledger", "viewer/table", "viewer/viewer", "viewer/start",
    ),
}  # fmt: skip
"""Sources by what they make, in their order: a module comes after those it imports."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const|let|function|class|async)", re.MULTILINE)
_DEFINED = re.compile(r"^(?:const|let|function|class|async function) (\w+)", re.MULTILINE)


class BundleError(ValueError):
    """Modules that cannot be put together."""


def bundle(name: str) -> str:
    """Return the text of a bundle, minified."""
    files = [SOURCES / f"{source}{Path(name).suffix}" for source in BUNDLES[name]]
    if name.endswith(".css"):
        text: str = rcssmin.cssmin("\n".join(file.read_text(encoding="utf-8") for file in files))
    else:
        text = rjsmin.jsmin(joined({file.stem: file.read_text(encoding="utf-8") for file in files}))
    return text


def joined(modules: dict[str, str]) -> str:
    """Return one module made of several, by name: they share a scope, so no two may define the same name.

    Raises BundleError for a module that comes before one it imports, and for a name defined twice.
    """
    texts: dict[str, str] = {}
    defined: dict[str, str] = {}
    for name, text in modules.items():
        for imported in _IMPORT.findall(text):
            if imported not in texts:
                raise BundleError(f"{name}.js imports {imported}.js, which must come before it")
        texts[name] = _EXPORT.sub("", _IMPORT.sub("", text))
        for word in _DEFINED.findall(texts[name]):
            if word in defined:
                raise BundleError(f"{name}.js and {defined[word]}.js both define {word}")
            defined[word] = name
    return "\n".join(texts.values())


class BundleFinder(BaseFinder):
    """Finds the bundles, made when they are first asked for."""

    @cached_property
    def storage(self) -> FileSystemStorage:
        folder = tempfile.mkdtemp(prefix="thousand-static-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for name in BUNDLES:
            file = Path(folder) / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(bundle(name), encoding="utf-8")
        return FileSystemStorage(location=folder)

    def find(self, path: str, find_all: bool = False, **_old: Any) -> Any:
        """Return the file of a bundle, `[]` for anything else."""
        if path not in BUNDLES:
            return []
        found = self.storage.path(path)
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield every bundle with the storage that holds it."""
        for path in BUNDLES:
            yield path, self.storage
