"""Bundles: put together in order, without comments, found by whoever serves or collects static files."""

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from thousand.web.bundles import BUNDLES, SOURCES, BundleError, BundleFinder, bundle, joined


def test_modules_share_one_scope() -> None:
    text = joined(
        {
            "one": "export const ONE = 1;\nexport function first() {\n  return ONE;\n}\n",
            "two": 'import { first } from "./one.js";\nimport {\n  ONE,\n} from "./one.js";\n\nfirst(ONE);\n',
        }
    )
    assert text == "const ONE = 1;\nfunction first() {\n  return ONE;\n}\n\n\nfirst(ONE);\n"


def test_a_name_defined_twice_is_told_with_both_modules() -> None:
    with pytest.raises(BundleError, match=r"two\.js and one\.js both define SIGNS"):
        joined({"one": "const SIGNS = 1;\n", "two": "export const SIGNS = 2;\n"})


def test_a_module_before_one_it_imports_is_told() -> None:
    with pytest.raises(BundleError, match=r"two\.js imports one\.js, which must come before it"):
        joined({"two": 'import { one } from "./one.js";\n', "one": "export const one = 1;\n"})


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_has_no_comments_and_no_imports(name: str) -> None:
    text = bundle(name)
    assert "/*" not in text
    assert "import " not in text
    assert "export " not in text


def test_every_source_of_the_viewer_is_in_a_bundle() -> None:
    named = {source for sources in BUNDLES.values() for source in sources}
    assert {f"viewer/{path.stem}" for path in (SOURCES / "viewer").iterdir()} == {
        name for name in named if name.startswith("viewer/")
    }


def test_bundles_are_found_collected_and_served(client: Client, settings: object, tmp_path: object) -> None:
    found = finders.find("web/viewer.js")
    assert finders.find("web/viewer.js", find_all=True) == [found]
    assert BundleFinder().find("web/nothing.js") == []
    settings.STATIC_ROOT = tmp_path  # type: ignore[attr-defined]
    call_command("collectstatic", verbosity=0, interactive=False)
    collected = tmp_path / "web/viewer.js"  # type: ignore[operator]
    assert collected.read_text() == bundle("web/viewer.js")
    assert collected.with_name("viewer.js.gz").exists()
