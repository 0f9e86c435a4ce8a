"""Which names people and bots may take: one alphabet, nothing invisible, no look-alike of another name."""

import unicodedata
from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from thousand.core.errors import InvalidInputError

USERNAME_MIN = 2
USERNAME_MAX = 30

RESERVED = frozenset({"anonymous", "arena", "deleted", "house", "system", "thousand"})
"""Words that pages use themselves; nobody's name."""

ORGANISERS_ONLY = frozenset(
    {"admin", "administrator", "moderator", "organiser", "organizer", "root", "staff"}
)
"""Words that would lend an author authority."""

_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_INVISIBLE_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and symbols by category that draw nothing: Hangul fillers, Khmer vowels, blank braille."""

_JOINED_SCRIPTS = {"HIRAGANA": "JAPANESE", "KATAKANA": "JAPANESE", "KATAKANA-HIRAGANA": "JAPANESE"}

_LOOK_ALIKES = str.maketrans(
    {
        # Latin and digits among themselves.
        "I": "l", "1": "l", "|": "l", "0": "o", "O": "o",
        # Cyrillic drawn as Latin.
        "А": "A", "В": "B", "Е": "E", "Ѕ": "S", "І": "l", "Ј": "J", "К": "K", "М": "M", "Н": "H", "О": "o",
        "Р": "P", "С": "C", "Т": "T", "У": "Y", "Х": "X", "Ү": "Y", "Һ": "h", "З": "3", "Ӏ": "l",
        "а": "a", "е": "e", "ѕ": "s", "і": "i", "ј": "j", "к": "k", "о": "o", "р": "p", "с": "c", "у": "y",
        "х": "x", "һ": "h", "ԁ": "d", "ԛ": "q", "ԝ": "w", "ү": "y", "ӏ": "l", "з": "3",
        # Greek drawn as Latin.
        "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "l", "Κ": "K", "Μ": "M", "Ν": "N", "Ο": "o",
        "Ρ": "P", "Τ": "T", "Υ": "Y", "Χ": "X", "α": "a", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p",
        "υ": "u", "χ": "x", "ϲ": "c", "ϳ": "j",
        # Latin letters beyond ASCII that pass for ASCII ones.
        "ı": "i", "ɑ": "a", "ɡ": "g", "ℓ": "l", "ǀ": "l",
    }
)  # fmt: skip
"""Letters that most fonts draw alike, after Unicode Technical Standard 39 (confusables), the part that
decides about Latin, Cyrillic and Greek names."""


def fold(name: str) -> str:
    """Return a key that is equal for names that differ in case or Unicode form only."""
    return unicodedata.normalize("NFKC", name).casefold()


def look_alike(name: str) -> str:
    """Return a key that is equal for names that most people would read as the same name.

    Not a refinement of `fold`: "Iimes" reads like "limes", and "LIMES" does not. Compare both keys.
    """
    return unicodedata.normalize("NFKC", name).translate(_LOOK_ALIKES).casefold()


def check_name(name: str, *, field: str, blanks: bool = False) -> str:
    """Return the name in its one Unicode form (NFKC); `blanks` allows single spaces inside.

    Raises InvalidInputError naming the characters it is about: invisible ones, signs that no name
    needs, letters of more than one alphabet.
    """
    _refuse_invisible(name, field)
    name = unicodedata.normalize("NFKC", name)
    _refuse_invisible(name, field)
    _refuse_signs(name, field, blanks)
    _refuse_mixed_scripts(name, field)
    return name


def check_username(name: str, *, organiser: bool = False) -> str:
    """Return an acceptable user name in its one Unicode form. Raises InvalidInputError, field `username`."""
    name = check_name(name, field="username")
    if not USERNAME_MIN <= len(name) <= USERNAME_MAX:
        raise InvalidInputError(
            _("A user name has {least} to {most} characters; this one has {count}.").format(
                least=USERNAME_MIN, most=USERNAME_MAX, count=len(name)
            ),
            field="username",
            value=name,
        )
    if not any(unicodedata.category(character)[0] in "LN" for character in name):
        raise InvalidInputError(
            _("A user name needs at least one letter or digit."), field="username", value=name
        )
    reserved = RESERVED if organiser else RESERVED | ORGANISERS_ONLY
    if {fold(name), look_alike(name)} & {key(word) for word in reserved for key in (fold, look_alike)}:
        raise InvalidInputError(
            _("“{name}” is a word this site uses itself. Choose another user name.").format(name=name),
            field="username",
            value=name,
        )
    return name


def describe(character: str) -> str:
    """Return a character with code point and Unicode name: what an author can search for."""
    shown = character if character.isprintable() and not character.isspace() else ""
    label = unicodedata.name(character, _("unnamed"))
    return f"{shown} U+{ord(character):04X} {label}".strip()


NAME_HELP = gettext_lazy("Letters of one alphabet, digits, and . - _")


def _refuse_invisible(name: str, field: str) -> None:
    found = [
        character
        for character in name
        if unicodedata.category(character) in _INVISIBLE_CATEGORIES
        or character in _INVISIBLE_LETTERS
        or "VARIATION SELECTOR" in unicodedata.name(character, "")
    ]
    if found:
        _refuse(_("The name holds invisible characters: {found}. Type it without them."), name, field, found)


def _refuse_signs(name: str, field: str, blanks: bool) -> None:
    allowed = "._- " if blanks else "._-"
    found = [
        character
        for character in name
        if character not in allowed
        and not (character.isascii() and character.isdigit())
        and unicodedata.category(character)[0] not in "LM"
    ]
    if blanks and ("  " in name or name != name.strip()):
        found.append(" ")
    found.extend(character for character in name if unicodedata.name(character, "").startswith("COMBINING"))
    if found:
        _refuse(
            _("The name may hold letters of one alphabet, digits, and . - _ only. It holds {found}."),
            name,
            field,
            found,
        )


def _refuse_mixed_scripts(name: str, field: str) -> None:
    scripts = [
        (character, _script(character)) for character in name if unicodedata.category(character)[0] == "L"
    ]
    counts = Counter(script for _character, script in scripts)
    if "JAPANESE" in counts or "HANGUL" in counts:
        counts.pop("CJK", None)  # Japanese and Korean names are written with Han letters too.
    if len(counts) < 2:
        return
    main = counts.most_common(1)[0][0]
    found = [character for character, script in scripts if script in counts and script != main]
    _refuse(
        _("The name mixes alphabets: most of it is {main}, but it holds {found}. Use one alphabet."),
        name,
        field,
        found,
        main=main.capitalize(),
    )


def _script(character: str) -> str:
    """Return the first word of a letter's Unicode name, which is its script: LATIN, CYRILLIC, GREEK …"""
    word = unicodedata.name(character, "UNKNOWN").split()[0]
    return _JOINED_SCRIPTS.get(word, word)


def _refuse(message: str, name: str, field: str, found: list[str], **values: str) -> None:
    distinct = list(dict.fromkeys(found))
    text = message.format(found=", ".join(describe(character) for character in distinct), **values)
    raise InvalidInputError(
        text, field=field, value=name, characters=[f"U+{ord(character):04X}" for character in distinct]
    )
