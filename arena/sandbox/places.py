"""Where on the host lies what a bot knows by a sandbox's paths, for tiers without a root of their own."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from arena.sandbox.base import BOT_DIR, SDK_DIR, LaunchSpec


class Places:
    """The paths of one sandbox, and what of the host they stand for."""

    def __init__(self, hosts: Mapping[str, str]) -> None:
        self.hosts = hosts
        inside = "|".join(re.escape(place) for place in sorted(hosts, key=len, reverse=True))
        self._inside = re.compile(rf"(?<![\w/.-])({inside})(?![\w.-])")

    @classmethod
    def of(cls, spec: LaunchSpec, sdk: Path, others: Mapping[str, str]) -> "Places":
        """Return those of a launch: its files, the SDK, what it is shown, and the tier's `others` by path."""
        shown = {bind.target: str(bind.source) for bind in spec.binds}
        return cls({BOT_DIR: str(spec.bot_dir.absolute()), SDK_DIR: str(sdk), **shown, **others})

    def on_host(self, text: str) -> str:
        """Replace the paths of the sandbox by those of the host, also inside a longer text: `/bot/x:/sdk`."""
        return self._inside.sub(lambda found: self.hosts[found[1]], text)

    def command(self, words: Iterable[str]) -> list[str]:
        """The same for every word of a command."""
        return [self.on_host(word) for word in words]

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """The same for every value of an environment."""
        return {name: self.on_host(value) for name, value in variables.items()}
