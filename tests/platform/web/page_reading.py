"""A strict reader of HTML pages: what is nested, linked, loaded and said in them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LOADING = {"href", "src", "action", "formaction", "poster", "data", "hx-get", "hx-post", "srcset"}


@dataclass
class Page:
    """What a reader of the page's source would complain about, and what it holds."""

    problems: list[str] = field(default_factory=list)
    """Nesting mistakes, double ids, inline styles and scripts, addresses of other hosts."""
    texts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    """Ids that `for`, `aria-labelledby` and `aria-describedby` point at."""
    headings: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    """Tables' scroll regions without a name or without focus."""

    @property
    def text(self) -> str:
        """All text of the page, blanks folded."""
        return " ".join(" ".join(self.texts).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if len(values) != len(attrs):
            self.page.problems.append(f"<{tag}> names an attribute twice: {self.getpos()}")
        self._look_at(tag, values)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or not self.open or self.open[-1] != tag:
            self.page.problems.append(f"</{tag}> closes nothing, open are {self.open[-3:]}: {self.getpos()}")
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not data.strip():
            return
        if self.open and self.open[-1] in ("style", "script"):
            self.page.problems.append(f"inline <{self.open[-1]}>: {data[:60]!r}")
        self.page.texts.append(data)
        if self.open and "h1" in self.open:
            self.page.headings.append(data.strip())

    def _look_at(self, tag: str, values: dict[str, str]) -> None:
        page = self.page
        if tag == "style" or "style" in values:
            page.problems.append(f"inline style on <{tag}>: {self.getpos()}")
        page.problems += [f"{name} on <{tag}>" for name in values if name.startswith("on")]
        for name in LOADING & values.keys():
            if "//" in values[name] or values[name].startswith(("javascript:", "data:")):
                page.problems.append(f"{name}={values[name]!r} on <{tag}>")
        if tag == "a":
            page.links.append(values.get("href", ""))
        if "id" in values:
            if values["id"] in page.ids:
                page.problems.append(f"id {values['id']!r} twice")
            page.ids.add(values["id"])
        for name in ("for", "aria-labelledby", "aria-describedby"):
            page.labels.update(values.get(name, "").split())
        if "scroll-region" in values.get("class", "").split():
            named = "aria-label" in values or "aria-labelledby" in values
            if not named or values.get("tabindex") != "0" or values.get("role") != "region":
                page.unnamed.append(str(self.getpos()))


def read_page(html: str) -> Page:
    """Return what is in the page, with every problem that a strict reader finds."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    page = reader.page
    if reader.open:
        page.problems.append(f"never closed: {reader.open}")
    page.problems += [f"a label points at {name!r}, which is nowhere" for name in page.labels - page.ids]
    page.problems += [f"scroll region at {place} has no name or no focus" for place in page.unnamed]
    return page


def queries_of(address: str) -> int:
    """Return how often a page asks the database, for a spectator."""
    with CaptureQueriesContext(connection) as captured:
        assert Client().get(address).status_code == 200
    return len(captured)
