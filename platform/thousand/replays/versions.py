"""What a reader must know of a replay that another version recorded: it is shown as it was stored."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from arena.replay import engine_version
from engine import RULES_VERSION


def is_of_other_rules(document: Mapping[str, Any]) -> bool:
    """Say whether the match was played by another version of the rules than this site plays."""
    return bool(document["rules_version"] != RULES_VERSION)


def version_notice(document: Mapping[str, Any]) -> str:
    """Say in one sentence that other rules or another engine recorded a replay; empty if none did."""
    if is_of_other_rules(document):
        return _(
            "Recorded by rules version {recorded}; this site plays version {here}. Shown as it was stored."
        ).format(recorded=document["rules_version"], here=RULES_VERSION)
    if document["engine"] != engine_version():
        return _("Recorded by engine {recorded}, with the same rules as engine {here} here.").format(
            recorded=document["engine"], here=engine_version()
        )
    return ""
