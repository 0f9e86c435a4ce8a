"""Validation: the steps of the upload page, with matches that are told rather than played."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.match import run_match
from arena.orders import MatchOrder, MatchReport, SeatOrder, SeatReport, ValidationOrder, ValidationStep
from arena.sandbox import choose_sandbox
from arena.validation import validate
from bots_sdk.house import house_artifact
from engine import Ruleset, seed_from_int
from tests.arena.match_orders import AMPLE

BOT = b"print('bot')\n"


class TierOnly:
    """A sandbox that is asked for nothing but its tier."""

    tier = "bwrap-1a"

    def start(self, spec: object) -> Any:
        raise AssertionError("the matches are told, not played")


def seat(folder: Path, name: str, data: bytes, filename: str = "bot.py") -> SeatOrder:
    path = folder / f"{name}-{filename}"
    path.write_bytes(data)
    return SeatOrder(name, hashlib.sha256(data).hexdigest(), path.as_uri(), filename)


def order(folder: Path, data: bytes = BOT, filename: str = "bot.py", matches: int = 2) -> ValidationOrder:
    return ValidationOrder(
        validation="version-0001",
        token="ab" * 16,
        seat=seat(folder, "candidate", data, filename),
        opponent=seat(folder, "easy", house_artifact("easy")),
        ruleset=Ruleset.from_preset("tournament_default", {"deal_limit": 3}).to_json(),
        seeds=tuple(seed_from_int(number).hex() for number in range(matches)),
    )


def played(**candidate: Any) -> Callable[[MatchOrder], MatchReport]:
    """A match in which the candidate did this and the house bots played well."""

    def play(match: MatchOrder) -> MatchReport:
        number = next(n for n, one in enumerate(match.seats) if one.version == "candidate")
        fine = {"verdict": "ok", "start_ms": 210, "slowest_ms": 3, "cpu_ms": 400, "decisions": 212}
        seats = [SeatReport("ok") for _ in match.seats]
        seats[number] = SeatReport(**{**fine, **candidate})
        return MatchReport(
            match.match, match.token, seats=tuple(seats), places=(1, 2, 3), totals=(300, 200, 100)
        )

    return play


def test_a_good_bot_passes_archive_handshake_and_every_match(tmp_path: Path) -> None:
    seen: list[ValidationStep] = []
    orders: list[MatchOrder] = []

    def play(match: MatchOrder) -> MatchReport:
        orders.append(match)
        return played(stderr_head="hello log")(match)

    report = validate(order(tmp_path), TierOnly(), play, seen.append)
    assert report.accepted
    assert report.reason == report.arena_fault == ""
    assert report.stderr_head == "hello log"
    assert [(step.name, step.state) for step in report.steps] == [
        ("archive", "passed"), ("handshake", "passed"), ("match", "passed"), ("match", "passed"),
    ]  # fmt: skip
    assert tuple(seen) == report.steps
    assert report.steps[0].text == "bot.py in 1 file, 13 bytes."
    assert report.steps[1].text == "Handshake in 0.21 s of 5 s."
    assert (
        "Match 1 of 2: place 1 of 3 with 300 points, against a house bot in every other seat; 212 decisions"
        in report.steps[2].text
    )
    assert [[one.version for one in match.seats].index("candidate") for match in orders] == [0, 1]
    assert orders[0].seed != orders[1].seed


def test_a_bad_archive_is_refused_before_anything_runs(tmp_path: Path) -> None:
    report = validate(order(tmp_path, b"\x89PNG\0", "bot.zip"), TierOnly(), played())
    assert not report.accepted
    assert report.reason == report.steps[-1].text
    assert "bot.zip is no zip archive (it is a PNG picture)" in report.reason
    assert len(report.steps) == 1


def test_a_failed_handshake_tells_how_to_flush(tmp_path: Path) -> None:
    message = "Your bot wrote no complete line within 5.0 s; 0 bytes were written. Did you flush stdout?"
    report = validate(
        order(tmp_path), TierOnly(), played(verdict="start_failure", message=message, decisions=0)
    )
    assert report.verdict == "start_failure"
    assert report.steps[-1].name == "handshake"
    assert report.reason == message + " In Python: `print(..., flush=True)`."


def test_a_bot_that_ends_by_itself_at_once_is_told_about_its_loop(tmp_path: Path) -> None:
    message = "Seat 0 (start): Your bot ended with exit code 0 before it answered hello: stream closed."
    bad = played(verdict="start_failure", message=message, decisions=0)
    report = validate(order(tmp_path), TierOnly(), bad)
    assert report.reason.startswith(message)
    assert "`run(MyBot())`" in report.reason
    crashed = played(verdict="start_failure", message=message.replace("code 0", "code 1"), decisions=0)
    assert "run(" not in validate(order(tmp_path), TierOnly(), crashed).reason


def test_a_fault_in_a_match_names_the_match_the_verdict_and_the_quoted_text(tmp_path: Path) -> None:
    bad = played(
        verdict="illegal_action", message="Your bot answered `play KH`; legal were `play 9S`.",
        quoted="play KH", stderr_tail="Traceback",
    )  # fmt: skip
    report = validate(order(tmp_path), TierOnly(), bad)
    assert report.reason == "Match 1 of 2: illegal_action. Your bot answered `play KH`; legal were `play 9S`."
    assert (report.verdict, report.quoted, report.stderr_tail) == ("illegal_action", "play KH", "Traceback")
    assert [step.state for step in report.steps] == ["passed", "passed", "failed"]


def house_bot_crashes(match: MatchOrder) -> MatchReport:
    seats = (SeatReport("ok"), SeatReport("crash", message="it ended"), SeatReport("ok"))
    return MatchReport(match.match, match.token, seats=seats)


@pytest.mark.parametrize(
    ("play", "cause"),
    [
        (lambda match: MatchReport(match.match, match.token, arena_fault="disk full"), "disk full"),
        (house_bot_crashes, "house bot easy at seat 1: it ended"),
    ],
)
def test_a_failure_of_the_arena_says_nothing_about_the_upload(
    play: Callable[[MatchOrder], MatchReport], cause: str, tmp_path: Path
) -> None:
    report = validate(order(tmp_path), TierOnly(), play)
    assert report.arena_fault == cause
    assert not report.accepted
    assert report.reason == ""


def test_a_validation_without_a_match_or_an_artifact_is_an_arena_fault(tmp_path: Path) -> None:
    assert "without a match" in validate(order(tmp_path, matches=0), TierOnly(), played()).arena_fault
    lost = order(tmp_path)
    (tmp_path / "candidate-bot.py").unlink()
    assert "candidate could not be fetched" in validate(lost, TierOnly(), played()).arena_fault


@pytest.mark.sandbox
def test_the_authors_template_passes_in_the_real_sandbox(tmp_path: Path) -> None:
    template = Path(__file__).resolve().parents[2] / "bots_sdk/templates/bot.py"
    sandbox = choose_sandbox()
    ample = msgspec.structs.replace(order(tmp_path, template.read_bytes()), limits=AMPLE)
    report = validate(ample, sandbox, lambda match: run_match(match, sandbox).report)
    assert report.accepted, report
    assert report.sandbox == sandbox.tier
