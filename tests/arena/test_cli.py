"""The `thousand` command as its user types it."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import main
from arena.commands.progress import Progress
from arena.commands.tables import log_lines
from engine import seed_commitment
from tests.arena.real_bots import source
from tests.viewer.matches import preset_match

SHORT = ["--set", "deal_limit=3", "--seed", "7"]


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def] # a small closure
    """Run a command line; return exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:
            code = int(end.code or 0)
        output = capfd.readouterr()
        return code, output.out, output.err

    return run


@pytest.mark.parametrize(
    "words", [["--help"], *([name, "--help"] for name in ("new", "check", "play", "lab", "verify", "doctor"))]
)
def test_every_command_explains_itself(command, words: list[str]) -> None:
    code, out, _ = command(*words)
    assert code == 0
    assert "usage: thousand" in out


BAD_USAGE = [
    ([], "the following arguments are required: COMMAND"),
    (["fly"], "invalid choice: 'fly'"),
    (["play", "nope", "easy", "easy"], "expected a house bot (random, easy, easy-cautious,"),
    (["play", "easy", "easy"], "tournament_default has 3 seats; you named 2 bots, expected 3"),
    (["play", "easy", "easy", "easy", "--preset", "club_four"], "club_four has 4 seats; you named 3 bots"),
    (["play", "easy", "--preset", "two_player_stock"], "two_player_stock has 2 seats; you named 1"),
    (["play", "easy", "easy", "easy", "--preset", "bridge"], "preset='bridge' is not possible"),
    (["play", "easy", "easy", "easy", "--set", "deal_limit=-3"], "deal_limit=-3 is not possible; expected"),
    (["play", "easy", "easy", "easy", "--set", "deal_limit"], "has no value; expected for example"),
    (["play", "easy", "easy", "easy", "--set", "sleep=1"], "there is no agreement 'sleep'"),
    (["play", "easy", "easy", "easy", "--set", "players=2"], "players"),
    (["play", "easy", "easy", "easy", "--seed", "luck"], "'luck' is not a seed; expected a number like 7"),
    (["play", "easy", "easy", "easy", "--matches", "0"], "'0' is not a whole number from 1 to 1000000"),
    (["play", "easy", "easy", "easy", "--matches", "9" * 20], "9' is not a whole number from 1 to 1000000"),
    (["play", "easy", "easy", "easy", "--out", ""], "argument --out: '' is no path"),
    (["play", "easy", "easy", "easy", "--out", __file__], "is a file; expected a folder"),
    (["play", "", "easy", "easy"], "no bot ``; expected a house bot"),
    (["play", "a" * 300, "easy", "easy"], "aaa...`; expected a house bot"),
    (["play", "easy", "--preset", "club_three"], "you named 1 bot, expected 3"),
    (["new", ""], "'' is no path"),
    (["new", "a" * 300], "cannot be written: File name too long"),
    (["new", __file__], "is a file; choose another folder"),
    (["explain", "a.json", "--deal", "two"], "argument --deal: 'two' is not a whole number"),
    (["lab", "easy", "easy", "--jobs", "999"], "'999' is not a whole number from 1 to 256"),
    (["lab", "easy", "easy", "--sprt", "0,inf"], "expected two numbers within ±2000, the lower first"),
    (["lab", "easy:noise=1,noise=2", "easy"], "`noise` of easy is given twice, last as '2'"),
    (["lab", "easy", "easy", "--state", __file__], "is a file; expected a folder"),
    (["bench", "--rounds", "0"], "'0' is not a whole number from 1 to 1000"),
    (["play", "easy", "easy", "easy", "--mat", "2"], "--mat 2 is not known; did you mean --matches; see"),
    (["lab", "easy", "random", "--blocs=4"], "--blocs=4 is not known; did you mean --blocks; see"),
    (["explain", "a.json", "--frobnicate"], "known; see `thousand explain --help`"),
    (["explain", "nope.json"], "nope.json cannot be read: No such file or directory"),
    (["play", "easy:noise=0", "easy", "easy"], "a path to a bot; variants are for `thousand lab`"),
    (["check"], "the following arguments are required: BOT"),
    (["check", "nope.py"], "no bot `nope.py`"),
    (["verify", "nope.json"], "nope.json cannot be read: No such file or directory"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "reason"), BAD_USAGE, ids=range(len(BAD_USAGE)))
def test_wrong_usage_is_one_line_on_standard_error_and_exit_code_2(
    command, words: list[str], reason: str
) -> None:
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert reason in err


def test_a_bad_archive_is_refused_by_play_with_its_cause(command, tmp_path: Path) -> None:
    (tmp_path / "bot.zip").write_bytes(b"\x89PNG")
    code, _, err = command("play", tmp_path / "bot.zip", "easy", "easy")
    assert code == 2
    assert "is no zip archive (it is a PNG picture)" in err


def test_new_writes_a_bot_and_overwrites_nothing(command, tmp_path: Path) -> None:
    folder = tmp_path / "my bot"
    code, out, _ = command("new", folder)
    assert code == 0
    assert "thousand check" in out
    assert 'name = "my bot"' in (folder / "bot.toml").read_text()
    (folder / "bot.py").write_text("mine")
    code, _, err = command("new", folder)
    assert code == 2
    assert "exists already" in err
    assert (folder / "bot.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"[1, 2]", 2, "holds [1, 2], no JSON object; expected a replay"),
        (b"{", 2, "is not JSON: Expecting"),
        (b"1 2", 2, "is not JSON: Extra data: line 1 column 3 (char 2); expected a replay"),
        (b'{"seed": {"a": 1, "a": 1}}', 2, "is not JSON: the key 'a' is there twice; expected a replay"),
        (b'{"seed": NaN}', 2, "is not JSON: NaN is no number; expected a replay"),
        (b"", 2, "is empty; expected a replay"),
        (b"\xff\xfe", 2, "is no text (byte 0 is no UTF-8); expected a replay"),
        (b"\x1f\x8bxx", 2, "cannot be read"),
        (gzip.compress(b"{}", mtime=0)[:-9] + b"\xff" * 9, 2, "cannot be read"),
        (b"{}", 2, "is no replay: `format` is missing, not "),
        (b'{"format": "poem"}', 2, 'is no replay: `format` is "poem", not "thousand-replay"; expected'),
        (b'{"format": "thousand-replay"}', 1, "this is no replay document"),
    ],
)
def test_a_file_that_is_no_replay_is_told_apart_from_a_wrong_one(
    command, tmp_path: Path, content: bytes, code: int, words: str
) -> None:
    path = tmp_path / "replay.json"
    path.write_bytes(content)
    got, out, err = command("verify", path)
    assert got == code
    assert words in out + err
    assert str(path) in out + err
    for name, *more in (("explain",), ("counterfactual", "easy", "--seat", "0")):
        got, out, err = command(name, path, *more)
        assert (got, out) == (2, "")
        assert err.startswith(f"thousand {name}: {path} ")
        assert "expected a replay" in err or "cannot be read" in err


def test_output_that_nobody_reads_on_is_no_success(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "arena.cli", "rules"], stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_block_is_not_explained(command, tmp_path: Path) -> None:
    path = tmp_path / "block.json"
    path.write_text('{"commitment": "", "matches": []}')
    code, _, err = command("explain", path)
    assert code == 2
    assert f"{path} is a block; expected a replay" in err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            '{"commitment": "", "matches": [{}]}',
            "is no block: 'seats' is missing; expected what GET /api/v1/blocks/",
        ),
        ('{"commitment": "", "matches": 3}', "is no block: 'int' object is not iterable; expected what GET"),
    ],
)
def test_a_file_that_is_no_block_is_named(command, tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "block.json"
    path.write_text(text)
    code, _, err = command("verify", path)
    assert code == 2
    assert f"{path} {reason}" in err


def test_a_replay_that_is_not_true_is_not_explained(command, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps({**preset_match("two_player_stock"), "players": 9}))
    code, out, err = command("explain", path)
    assert (code, out) == (2, "")
    assert f"{path} is not true: players is 9, but the record gives 2; see `thousand verify`" in err


def test_verify_names_the_option_for_a_commitment_where_it_had_none(command, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(preset_match("two_player_stock")))
    assert "--commitment HEX compares it" in command("verify", path)[1]
    commitment = seed_commitment(bytes.fromhex(preset_match("two_player_stock")["seed"]))
    assert "--commitment" not in command("verify", path, "--commitment", commitment)[1]


def test_progress_is_one_line_of_a_terminal_and_few_lines_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Progress("explain", elsewhere_s=60).tell(lambda: "too early")
    elsewhere = Progress("explain", elsewhere_s=0)
    elsewhere.tell(lambda: "3 of 9 deals")
    elsewhere.done()
    assert capsys.readouterr().err == "explain: 3 of 9 deals\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    terminal = Progress("explain", on_terminal_s=0)
    terminal.tell(lambda: "3 of 9 deals")
    terminal.done()
    assert capsys.readouterr().err == "explain: 3 of 9 deals  \r\r\033[K"


@pytest.mark.sandbox
class TestInTheSandbox:
    def test_a_match_is_played_written_and_verified(self, command, tmp_path: Path) -> None:
        code, out, _ = command("play", "random", "random", "easy", *SHORT, "--out", tmp_path / "deep/out")
        assert code == 0
        assert out.splitlines()[1].split() == [
            "place", "seat", "bot", "total", "verdict", "moves", "CPU", "slowest", "move",
        ]  # fmt: skip
        path = tmp_path / "deep/out/match-1.json"
        document = json.loads(path.read_bytes())
        assert document["format"] == "thousand-replay"
        assert [seat["version"] for seat in document["seats"]] == ["random", "random", "easy"]
        packed = tmp_path / "packed.json.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        code, out, _ = command("verify", path, packed)
        assert code == 0
        assert out.count(": ok, 3 deals and ") == 2
        document["outcome"]["totals"][0] += 5
        path.write_text(json.dumps(document))
        code, out, _ = command("verify", path)
        assert code == 1
        assert "not ok" in out

    def test_the_same_seed_gives_the_same_replay(self, command, tmp_path: Path) -> None:
        documents = []
        for name in ("a", "b"):
            command("play", "easy", "random", "easy-bold", *SHORT, "--out", tmp_path / name)
            documents.append(json.loads((tmp_path / name / "match-1.json").read_bytes()))
        for document in documents:
            for key in ("cpu_us", "wall_us", "seats"):
                del document[key]
        assert documents[0] == documents[1]

    def test_six_matches_are_one_block_in_every_seating(self, command) -> None:
        code, out, _ = command("play", "easy", "easy", "easy", *SHORT, "--matches", "6", "--json", "--timing")
        assert code == 0
        summary = json.loads(out)
        assert {match["seed"] for match in summary["matches"]} == {"7"}
        assert [bot["score_share"] for bot in summary["bots"]] == [0.5, 0.5, 0.5]
        assert summary["timing"]["matches_per_second"] > 0
        assert sum(summary["timing"]["shares"].values()) == pytest.approx(1, abs=0.01)

    @pytest.mark.parametrize(
        ("preset", "seats"), [("two_player_widows_2x3", 2), ("android_full", 3), ("site_four", 4)]
    )
    def test_a_preset_of_any_size_is_played_and_verified(
        self, command, tmp_path: Path, preset: str, seats: int
    ) -> None:
        bots = ["easy", "random", "easy-bold", "easy-cautious"][:seats]
        code, out, err = command("play", *bots, "--preset", preset, *SHORT, "--out", tmp_path)
        assert code == 0, err
        assert out.count(" ok ") == seats
        assert json.loads((tmp_path / "match-1.json").read_bytes())["players"] == seats
        code, out, _ = command("verify", tmp_path / "match-1.json")
        assert code == 0
        assert ": ok, 3 deals and " in out

    def test_four_bots_sit_in_every_seat_once(self, command) -> None:
        bots = ["easy", "random", "easy-bold", "easy-cautious"]
        options = [
            "--preset",
            "club_four",
            "--set",
            "deal_limit=1",
            "--seed",
            "3",
            "--matches",
            "4",
            "--json",
        ]
        code, out, _ = command("play", *bots, *options)
        assert code == 0
        tables = [[seat["bot"] for seat in match["seats"]] for match in json.loads(out)["matches"]]
        assert tables[0] == bots, "the first match seats them as they were named"
        assert all(sorted(seat) == sorted(bots) for seat in zip(*tables, strict=True))

    def test_a_bot_that_faults_is_last_and_its_log_is_shown(self, command, tmp_path: Path) -> None:
        bot = tmp_path / "crasher.py"
        bot.write_text(source(before="sys.exit('out of ideas')"))
        code, out, _ = command("play", bot, "random", "easy", *SHORT, "--timing")
        assert code == 0, "the match was played to its end"
        assert "crasher: crash." in out
        assert "| out of ideas" in out
        assert "matches/s" in out

    def test_check_passes_the_template(self, command, tmp_path: Path) -> None:
        command("new", tmp_path / "fresh")
        (tmp_path / "fresh/.git").mkdir()
        code, out, _ = command("check", tmp_path / "fresh", *SHORT)
        assert code == 0
        assert [line.split()[:2] for line in out.splitlines()[:4]] == [
            ["ok", "archive"], ["ok", "handshake"], ["ok", "match"], ["ok", "match"],
        ]  # fmt: skip
        assert "is ready to be uploaded (seed 7" in out

    @pytest.mark.parametrize(
        ("code", "step", "words"),
        [
            ("prnt()", "handshake", "NameError"),
            (source(before="say('thinking...\\n')"), "match", "debug text on stdout; write it to stderr"),
            (source(before="choice = 'play XX'"), "match", "illegal_action"),
        ],
    )
    def test_check_rejects_with_step_cause_and_log(
        self, command, tmp_path: Path, code: str, step: str, words: str
    ) -> None:
        (tmp_path / "bot.py").write_text(code)
        exit_code, out, _ = command("check", tmp_path / "bot.py", *SHORT)
        assert exit_code == 1
        assert f"FAILED  {step}" in out
        assert words in out
        assert "would be rejected" in out

    def test_check_speaks_json(self, command, tmp_path: Path) -> None:
        (tmp_path / "bot.zip").write_bytes(b"Rar!")
        code, out, _ = command("check", tmp_path / "bot.zip", "--json")
        assert code == 1
        assert json.loads(out)["reason"].startswith("bot.zip is no zip archive (it is a rar archive)")

    def test_doctor_says_in_what_matches_run(self, command) -> None:
        code, out, _ = command("doctor", "--verbose")
        assert code == 0
        assert "Matches on this machine run in bwrap" in out
        code, out, _ = command("doctor", "--json")
        assert json.loads(out)["tier"].startswith("bwrap")


def test_unsafe_warns_and_the_replay_says_so(command, tmp_path: Path) -> None:
    code, out, err = command("play", "easy", "easy", "easy", *SHORT, "--unsafe", "--out", tmp_path)
    assert code == 0
    assert "warning: --unsafe runs bots without a sandbox" in err
    assert "sandbox none" in out
    assert json.loads((tmp_path / "match-1.json").read_bytes())["sandbox"] == "none"


def test_a_bots_log_cannot_steer_the_terminal_and_is_cut() -> None:
    lines = log_lines("ok\n\x1b[2J\u202egone\n" + "x" * 50_000)
    assert lines[:2] == ["  | ok", "  | \\x1b[2J\\u202egone"]
    assert lines[2].endswith("(50000 characters)")
    assert len(lines[2]) < 400
