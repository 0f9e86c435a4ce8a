"""What is written about the API is true: its examples run, its tables are complete."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.factories import make_author, make_complete_block, make_pool
from tests.platform.tournaments.events import make_tournament
from thousand.accounts.services import create_api_token
from thousand.api.documentation import description
from thousand.api.errors import CODES
from thousand.bots.models import BotVersion

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "api.md").read_text()
BOT = "from bots_sdk import Bot, run\n\n\nclass Fox(Bot):\n    pass\n\n\nrun(Fox())\n"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_examples_run_in_their_order(live_server: Any, tmp_path: Path) -> None:
    make_complete_block(make_pool("main", main=True))
    make_tournament(slug="winter-cup")
    author = make_author("marta")
    _row, token = create_api_token(user=author, name="laptop")
    (tmp_path / "bot.py").write_text(BOT)
    script = "\n".join(re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL))
    done = subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={"ARENA": live_server.url, "TOKEN": token, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    version = BotVersion.objects.get(bot__owner=author)
    assert (version.bot.name, version.notes, version.size) == ("Fox", "bids on marriages", len(BOT))
    assert f'"id":"{version.public_id}"' in done.stdout
    assert '"rank":1' in done.stdout
    assert '"state":"complete"' in done.stdout
    assert "has no version that is ready to play" in done.stdout
    assert '"thousand-replay"' in (tmp_path / "replay.json").read_text()


def test_the_table_of_codes_is_complete() -> None:
    written = re.findall(r"^\| `(\w+)` \| (\d+) \| (.*) \|$", GUIDE, re.MULTILINE)
    assert written == [(code, str(status.value), text) for code, (status, text) in CODES.items()]


@pytest.mark.django_db
def test_the_page_explains_every_operation_shape_and_code() -> None:
    page = Client().get("/api/v1/docs/").content.decode()
    for methods in description()["paths"].values():
        for operation in methods.values():
            assert f'id="{operation["operationId"]}"' in page
    for code in CODES:
        assert f'<tr id="{code}">' in page
    for target in re.findall(r'href="#([\w-]+)"', page):
        assert f'id="{target}"' in page
    assert "http://cdn" not in page
    assert "https://" not in page


def test_the_description_is_served_as_yaml_and_as_json() -> None:
    yaml_answer = Client().get("/api/v1/schema/")
    assert b"operationId: list_bots" in yaml_answer.content
    assert Client().get("/api/v1/schema/?format=json").json()["openapi"].startswith("3.")
