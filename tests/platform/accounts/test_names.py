"""Which names are taken and which are refused, with the offending characters named."""

import pytest

from thousand.accounts.names import check_name, check_username, fold, look_alike
from thousand.core.errors import InvalidInputError


@pytest.mark.parametrize(
    "name",
    [
        "marta",
        "Marta_12",
        "a.b-c",
        "Żółw",
        "Тысяча",
        "Ёжик99",
        "Ελένη",
        "王小明",
        "たろうくん",
        "김철수",
        "שרה",
    ],
)
def test_names_of_one_alphabet_are_fine(name: str) -> None:
    assert check_username(name) == name


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("Аdministrator", "U+0410 CYRILLIC CAPITAL LETTER A"),
        ("mаrta", "U+0430 CYRILLIC SMALL LETTER A"),
        ("Мартa", "U+0061 LATIN SMALL LETTER A"),
        ("martα", "U+03B1 GREEK SMALL LETTER ALPHA"),
        ("mar\u200bta", "U+200B ZERO WIDTH SPACE"),
        ("mar\u200dta", "U+200D ZERO WIDTH JOINER"),
        ("marta\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("mar\u3164ta", "U+3164 HANGUL FILLER"),
        ("marta\ufe0f", "U+FE0F VARIATION SELECTOR-16"),
        ("mar ta", "U+0020 SPACE"),
        ("mar@ta", "U+0040 COMMERCIAL AT"),
        ("marta🂡", "U+1F0A1 PLAYING CARD ACE OF SPADES"),
        ("m\u0338arta", "U+0338 COMBINING LONG SOLIDUS OVERLAY"),
        ("marta\n", "U+000A"),
    ],
)
def test_offending_characters_are_named(name: str, named: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        check_username(name)
    assert refused.value.field == "username"
    assert named in refused.value.message
    assert named.split()[0] in refused.value.data["characters"]


def test_one_name_has_one_unicode_form() -> None:
    assert check_username("Z\u0307olw") == "Żolw"
    assert check_username("Ｍarta") == "Marta"


@pytest.mark.parametrize("name", ["", "a", "x" * 31, "...", "--__"])
def test_names_have_a_length_and_a_letter(name: str) -> None:
    with pytest.raises(InvalidInputError):
        check_username(name)


@pytest.mark.parametrize("name", ["deleted", "House", "h0use", "Admin", "ADMIN"])
def test_words_of_the_site_are_nobodys_name(name: str) -> None:
    with pytest.raises(InvalidInputError, match="this site uses itself"):
        check_username(name)


def test_an_organiser_may_be_called_admin_but_not_house() -> None:
    assert check_username("admin", organiser=True) == "admin"
    with pytest.raises(InvalidInputError):
        check_username("house", organiser=True)


@pytest.mark.parametrize(
    ("one", "other"), [("limes", "Iimes"), ("limes", "1imes"), ("bob", "b0b"), ("ape", "аре"), ("Tom", "ТОМ")]
)
def test_names_that_read_alike_have_one_key(one: str, other: str) -> None:
    assert look_alike(one) == look_alike(other)


@pytest.mark.parametrize(
    ("one", "other"), [("nova", "NOVA"), ("Иван", "ИВАН"), ("LIMES", "limes"), ("ﬁx", "fix")]
)
def test_case_and_unicode_form_make_no_other_name(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"), [("bill", "bili"), ("anna", "anne"), ("мир", "пир"), ("Marta", "Марта")]
)
def test_names_that_read_differently_have_different_keys(one: str, other: str) -> None:
    assert not {fold(one), look_alike(one)} & {fold(other), look_alike(other)}


def test_a_bots_name_may_hold_single_blanks_inside() -> None:
    assert check_name("Old Fox 2", field="name", blanks=True) == "Old Fox 2"
    for name in ("Old  Fox", " Old", "Fox "):
        with pytest.raises(InvalidInputError) as refused:
            check_name(name, field="name", blanks=True)
        assert refused.value.field == "name"
