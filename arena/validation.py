"""Is an upload fit to compete? Archive, build, handshake, and full matches against a house bot.

Nothing is tried that a rated match does not do: the matches are orders like any other, played by the same
code in the same sandbox. What is wrong becomes a reason its author can act on.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from arena.artifacts import RUNNABLE_FILENAME, ArtifactError, Manifest, inspect_artifact
from arena.building import BuildError, Built, build_artifact
from arena.fetching import deliver_runnable, fetch_artifact
from arena.languages import LANGUAGES
from arena.orders import (
    MatchOrder,
    MatchReport,
    SeatOrder,
    SeatReport,
    Trial,
    ValidationOrder,
    ValidationReport,
    ValidationStep,
)
from arena.sandbox import Sandbox
from arena.sizes import size_text
from arena.verdicts import ArenaFault, Verdict
from engine import RULES_VERSION, Ruleset, RulesetError

FLUSH = {
    "python": "`print(..., flush=True)`",
    "javascript": '`process.stdout.write(line + "\\n")`',
    "c": "`fflush(stdout);`",
    "cpp": "`std::cout << line << std::endl;`",
    "go": "with a bufio.Writer, `writer.Flush()`",
    "rust": "`io::stdout().flush()?;`",
    "java": "`System.out.flush();`",
}
"""How each language flushes, for authors whose bot was not heard."""
LOOP_MISSING = "A bot reads lines until its input ends."
SDK_LOOP_MISSING = f"{LOOP_MISSING} With bots_sdk: is `run(MyBot())` the file's last line?"

Play = Callable[[MatchOrder], MatchReport]
"""Plays one order to its end, as `arena.match.run_match` does."""
Progress = Callable[[ValidationStep], None]
"""Told about each step as it is done."""


def validate(
    order: ValidationOrder, sandbox: Sandbox, play: Play, progress: Progress = lambda step: None
) -> ValidationReport:
    """Check an upload step by step, stopping at the first that fails; never raises for what a bot does.

    A failure of the arena's own, the house bot's included, is a report with `arena_fault`: nothing is said
    about the upload then, and the validation is to be repeated.
    """
    return _Validation(order, sandbox, play, progress).run()


class _Rejected(Exception):
    """The upload is refused; carries the failed step and what its author gets to see."""

    def __init__(
        self, step: ValidationStep, seat: SeatReport | None = None, log: tuple[str, str] = ("", "")
    ) -> None:
        super().__init__(step.text)
        self.step = step
        self.seat = seat
        self.log = log
        """Head and tail of what a build printed."""


class _Validation:
    """One validation in progress."""

    def __init__(self, order: ValidationOrder, sandbox: Sandbox, play: Play, progress: Progress) -> None:
        self._order = order
        self._sandbox = sandbox
        self._play = play
        self._progress = progress
        self._steps: list[ValidationStep] = []
        self._latest: SeatReport | None = None
        self._seat = order.seat
        """What plays: the upload, or what was built of it."""
        self._language = ""
        """Of the upload, once its archive was read."""

    def run(self) -> ValidationReport:
        rejected: _Rejected | None = None
        digest = ""
        try:
            with ExitStack() as stack:
                runnable = self._prepare(stack)
                self._play_matches()
                if runnable is not None and self._order.runnable_url:
                    deliver_runnable(self._order.runnable_url, runnable)
                    digest = self._seat.digest
        except _Rejected as rejection:
            rejected = rejection
            self._done(rejection.step)
        except ArenaFault as fault:
            return self._report(arena_fault=str(fault))
        seat = rejected.seat if rejected else self._latest
        built_log = rejected.log if rejected else ("", "")
        return self._report(
            accepted=rejected is None,
            reason=rejected.step.text if rejected else "",
            verdict=seat.verdict if seat else Verdict.OK.value,
            quoted=seat.quoted if seat else "",
            stderr_head=seat.stderr_head if seat else built_log[0],
            stderr_tail=seat.stderr_tail if seat else built_log[1],
            runnable_digest=digest,
        )

    def _report(self, **values: object) -> ValidationReport:
        return ValidationReport(
            validation=self._order.validation,
            token=self._order.token,
            steps=tuple(self._steps),
            sandbox=self._sandbox.tier,
            **values,  # type: ignore[arg-type] # fields of the report by name, see the callers
        )

    def _done(self, step: ValidationStep) -> None:
        self._steps.append(step)
        self._progress(step)

    def _prepare(self, stack: ExitStack) -> bytes | None:
        """Check the archive and build what has to be built; return the runnable artifact then."""
        seat = self._order.seat
        data = fetch_artifact(seat)
        try:
            manifest = inspect_artifact(seat.filename, data)
        except ArtifactError as error:
            raise _Rejected(ValidationStep("archive", "failed", error.message)) from error
        self._language = manifest.language
        self._done(ValidationStep("archive", "passed", archive_text(manifest, len(data))))
        if not manifest.needs_build:
            return None
        built = self._build(data)
        path = Path(stack.enter_context(TemporaryDirectory(prefix="thousand-built-")), RUNNABLE_FILENAME)
        path.write_bytes(built.data)
        self._seat = msgspec.structs.replace(
            seat, digest=hashlib.sha256(built.data).hexdigest(), url=path.as_uri(), filename=RUNNABLE_FILENAME
        )
        return built.data

    def _build(self, data: bytes) -> Built:
        try:
            built = build_artifact(self._order.seat.filename, data, self._sandbox)
        except BuildError as error:
            step = ValidationStep("build", "failed", error.message)
            raise _Rejected(step, log=(error.log_head, error.log_tail)) from error
        self._done(ValidationStep("build", "passed", build_text(built)))
        return built

    def _play_matches(self) -> None:
        orders = list(self._match_orders())
        if not orders:
            raise ArenaFault("the validation was ordered without a match")
        for index, (order, candidate, rules) in enumerate(orders):
            name = f"Match {index + 1} of {len(orders)}{rules}"
            self._play_match(order, candidate, name, is_first=index == 0)

    def _play_match(self, order: MatchOrder, candidate: int, name: str, *, is_first: bool) -> None:
        report = self._play(order)
        if report.arena_fault:
            raise ArenaFault(report.arena_fault)
        for number, other in enumerate(report.seats):
            if number != candidate and other.verdict != Verdict.OK:
                raise ArenaFault(f"house bot {order.seats[number].version} at seat {number}: {other.message}")
        played = self._latest = report.seats[candidate]
        if played.verdict != Verdict.OK and played.decisions == 0:  # it was never asked for a move
            raise _Rejected(ValidationStep("handshake", "failed", self._with_hint(played.message)), played)
        if is_first:
            text = f"Handshake in {_seconds(played.start_ms)} of {_seconds(order.limits.start_ms)}."
            self._done(ValidationStep("handshake", "passed", text))
        if played.verdict != Verdict.OK:
            text = self._with_hint(f"{name}: {played.verdict}. {played.message}")
            raise _Rejected(ValidationStep("match", "failed", text), played)
        self._done(ValidationStep("match", "passed", f"{name}: {_match_text(report, candidate, order)}"))

    def _with_hint(self, message: str) -> str:
        """Add what an author in this language can do about it."""
        if message.endswith("Did you flush stdout?") and self._language in FLUSH:
            title = LANGUAGES[self._language].title.partition(" (")[0]
            return f"{message} In {title}: {FLUSH[self._language]}."
        if "ended with exit code 0 before it answered hello" in message:
            return f"{message} {SDK_LOOP_MISSING if self._language == 'python' else LOOP_MISSING}"
        return message

    def _match_orders(self) -> Iterator[tuple[MatchOrder, int, str]]:
        """Yield each match with the candidate's seat, and the ruleset in words where there are several."""
        order = self._order
        trials = (Trial(order.ruleset, order.seeds, order.limits), *order.trials)
        number = 0
        for trial in trials:
            try:
                ruleset = Ruleset.from_json(trial.ruleset)
            except RulesetError as error:
                raise ArenaFault(f"the validation's ruleset cannot be played: {error}") from error
            rules = f" ({ruleset.preset})" if order.trials else ""
            for index, seed in enumerate(trial.seeds):
                number += 1
                candidate = index % ruleset.players
                seats: list[SeatOrder] = [order.opponent] * ruleset.players
                seats[candidate] = self._seat
                match = MatchOrder(
                    match=f"{order.validation}-{number}",
                    token=order.token,
                    seed=seed,
                    rules_version=RULES_VERSION,
                    ruleset=trial.ruleset,
                    seats=tuple(seats),
                    limits=trial.limits,
                )
                yield match, candidate, rules


def archive_text(manifest: Manifest, size: int) -> str:
    """Say what an accepted archive holds, for example `bot.py, 1 file, 4 kB; ignored: .git/`."""
    count = len(manifest.files)
    files = "1 file" if count == 1 else f"{count} files"
    ignored = f"; ignored: {_listed(manifest.ignored)}" if manifest.ignored else ""
    return f"{manifest.entry} in {files}, {size_text(size)}{ignored}."


def build_text(built: Built) -> str:
    """Say what was built, for example `A program of 1.2 MiB by rustc 1.95.0, in 2.4 s.`"""
    size = size_text(built.program_bytes)
    return f"A program of {size} by {built.tools}, in {_seconds(built.result.wall_ms)}."


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _match_text(report: MatchReport, seat: int, order: MatchOrder) -> str:
    played, limits = report.seats[seat], order.limits
    return (
        f"place {report.places[seat]} of {len(report.places)} with {report.totals[seat]} points, "
        f"against a house bot in every other seat; {played.decisions} decisions, slowest "
        f"{played.slowest_ms} ms of {limits.move_ms} ms, together {_seconds(played.cpu_ms)} of "
        f"{_seconds(limits.bank_ms)} of CPU time."
    )


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3g} s"
