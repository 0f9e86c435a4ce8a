"""What the sources of the pages promise: every word is marked for translation, nothing is inline."""

import re
from pathlib import Path

import pytest
from django.utils.translation import templatize

WEB = Path(__file__).resolve().parents[3] / "platform" / "thousand" / "web"
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
MARKUP = re.compile(r"<[^>]*>", re.DOTALL)
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
BLOCKTRANSLATE = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}", re.DOTALL)
SPOKEN = re.compile(
    r'\b(aria-label|title|alt|placeholder|data-to-[a-z]+|data-copied|data-failed|data-[a-z]+-label)="([^"]*)"'
)
NO_WORDS = {"v", "MB", "½", *"AKQJТКДВDF"}
"""The same in every language: version, unit, speed, card ranks (Latin and Cyrillic),
marks of dealer and forehand beside their words."""
CODE = re.compile(r"<(code|pre|kbd|script)\b.*?</\1>", re.DOTALL)
COMMENT = re.compile(r"{% comment.*?{% endcomment %}|{#.*?#}", re.DOTALL)
CLASSES = re.compile(r"{% block body_class %}.*?{% endblock %}")


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", re.sub(r"&[a-z]+;", " ", text))) - NO_WORDS


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_word_of_a_template_is_marked_for_translation(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    for left_out in (COMMENT, CLASSES, BLOCKTRANSLATE, TAG):
        source = left_out.sub("", source)
    assert words_of(MARKUP.sub(" ", CODE.sub("", source))) == set()
    for name, value in SPOKEN.findall(source):
        assert words_of(value) == set(), f"{name}={value!r}"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_inline_styles_scripts_or_foreign_addresses(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|hx-on|javascript:", source)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", source))
    assert not re.search(r"""["'(]\s*(https?:)?//""", source)


def test_no_script_or_style_sheet_of_ours_names_another_host() -> None:
    for path in [*WEB.glob("static/web/*.js"), *WEB.glob("static/web/*.css")]:
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://", source), path.name
        assert "innerHTML" not in source, path.name
        assert "@import" not in source, path.name


def test_makemessages_can_read_every_template() -> None:
    """Django's own extractor, without the gettext programs: it raises on a tag it cannot take apart."""
    for path in TEMPLATES:
        source = path.read_text(encoding="utf-8")
        marked = source.count("{% translate") + source.count("{% blocktranslate")
        found = templatize(source, origin=str(path))
        assert found.count("gettext(") >= marked, path.name
