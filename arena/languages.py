"""The languages bots are written in: how each is named, recognised, built and started.

A language is interpreted (Python, JavaScript), built at validation (C, C++, Go, Rust, Java), or nothing at
all (a finished program). What a build makes is an ordinary artifact again, `bot.toml` included: a static
program in the language `executable`, or a `.jar` in the language `java`. So a match needs the tools of
interpreted languages and of Java only, and one rule says how an artifact is started.

To add a language: an entry here, its tools in `arena.toolchains`, its recipe in `arena.recipes`, a starter
bot in `bots_sdk/templates/`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Language:
    """One language, by the name that `bot.toml` and a version's page use."""

    name: str
    title: str
    """As shown to people."""
    default_entry: str
    """What a single-file upload becomes, and what an archive without bot.toml starts."""
    suffixes: tuple[str, ...]
    """Endings of source files; the first is the usual one. Empty for a finished program."""
    aliases: tuple[str, ...] = ()
    """Other names that bot.toml may use."""
    built: bool = False
    """Sources become a program at validation."""
    runnable_suffixes: tuple[str, ...] = ()
    """Endings of an entry that is a finished program already."""

    @property
    def entries(self) -> tuple[str, ...]:
        """What an archive without bot.toml starts, if it is there."""
        stem = self.default_entry.removesuffix(self.suffixes[0]) if self.suffixes else self.default_entry
        return tuple(stem + suffix for suffix in self.suffixes) or (self.default_entry,)

    def needs_build(self, entry: str) -> bool:
        """Whether an artifact with this entry has to be built before it can play."""
        return self.built and not entry.lower().endswith(self.runnable_suffixes or ("\0",))


LANGUAGES: MappingProxyType[str, Language] = MappingProxyType(
    {
        language.name: language
        for language in (
            Language("python", "Python", "bot.py", (".py",), ("python3", "py")),
            Language(
                "javascript",
                "JavaScript (Node.js)",
                "bot.js",
                (".js", ".mjs", ".cjs"),
                ("js", "node", "nodejs"),
            ),
            Language("c", "C", "bot.c", (".c",), built=True),
            Language("cpp", "C++", "bot.cpp", (".cpp", ".cc", ".cxx"), ("c++",), built=True),
            Language("go", "Go", "bot.go", (".go",), ("golang",), built=True),
            Language("rust", "Rust", "bot.rs", (".rs",), built=True),
            Language("java", "Java", "Bot.java", (".java",), built=True, runnable_suffixes=(".jar",)),
            Language("executable", "a static Linux program", "bot", (), ("binary", "elf")),
        )
    }
)
"""Every language this arena knows; which of them a machine offers, `arena.offer` tells."""

ALWAYS_OFFERED = frozenset(("python", "executable"))
"""Languages that need nothing but the arena itself."""


def language_named(name: str) -> Language | None:
    """Return a language by its name or an alias, in any case of letters."""
    name = name.lower()
    return LANGUAGES.get(name) or next((one for one in LANGUAGES.values() if name in one.aliases), None)


def language_of(path: str) -> Language | None:
    """Return the language that a file's ending tells; None for an unknown one."""
    lowered = path.lower()
    for language in LANGUAGES.values():
        if lowered.endswith(language.suffixes + language.runnable_suffixes):
            return language
    return None


def offer_text(offered: Collection[str]) -> str:
    """List languages as bot.toml names them, for example `"python", "c"`, in a steady order."""
    return ", ".join(f'"{name}"' for name in LANGUAGES if name in offered)


def refusal_of(name: str, offered: Collection[str]) -> str:
    """Say that a language is not offered, and what is; `name` is already safe to show."""
    known = language_named(name)
    if known is not None and known.name not in offered:
        return f"This arena has no tools for {known.title}. It offers {offer_text(offered)}."
    names = [alias for one in LANGUAGES.values() for alias in (one.name, *one.aliases) if one.name in offered]
    close = get_close_matches(name.lower(), names, n=1)
    hint = f'Did you mean "{close[0]}"? ' if close else ""
    return f"{hint}This arena offers {offer_text(offered)}."
