"""Whatever three bots do: the match ends, every verdict is of the vocabulary, and the replay is true."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arena.orders import Limits, MatchReport
from arena.replay import ALL_FAULTED, canonical_bytes, replay_of
from arena.sandbox.base import ExitReport
from arena.scripted import Does, Script
from arena.verdicts import Verdict
from arena.verification import verify_replay
from engine import Ruleset
from tests.arena.scripted_bots import READY, Played, bot, reply

LIMITS = Limits(bank_ms=3_000, stdout_total_bytes=200_000, stderr_total_bytes=200_000, wall_on_move_ms=20_000)

endings = st.builds(
    ExitReport,
    exit_code=st.none() | st.integers(0, 255),
    signal=st.none() | st.integers(1, 64),
    memory_limit_hit=st.booleans(),
)
acts = st.builds(
    Does,
    stdout=st.binary(max_size=40)
    | st.sampled_from([b"", b"\n", b"{}\n", b"x" * 70_000, b'{"type":"ready"}\n']),
    stderr=st.sampled_from([b"", b"log\n", b"e" * 150_000, b"MemoryError\n"]),
    after_ms=st.sampled_from([0, 0.5, 40, 990, 4_990, 6_000]),
    cpu_ms=st.sampled_from([0, 0.5, 400, 1_200]),
    closes=st.booleans(),
    grows=st.sampled_from([False] * 9 + [True]),
    exits=st.none() | endings,
)
moves = st.lists(acts, max_size=3)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """A bot that mostly answers properly, sometimes after or before something else, sometimes not."""
    seed = draw(st.randoms(use_true_random=False))
    odd = draw(st.lists(moves, min_size=1, max_size=4))
    how_odd = draw(st.sampled_from([0.0, 0.02, 0.3]))
    ready = draw(st.sampled_from([[READY]] * 4 + odd))

    def answer(request: dict[str, Any]) -> list[Does]:
        proper = reply(request, seed.choice(request["legal"]))
        if seed.random() >= how_odd:
            return [proper]
        strange = seed.choice(odd)
        return seed.choice([strange, [*strange, proper], [proper, *strange]])

    return bot(answer, ready)


@given(st.tuples(scripts(), scripts(), scripts()), st.integers(0, 2**32))
def test_every_match_ends_with_verdicts_and_a_true_replay(players: tuple[Script, ...], seed: int) -> None:
    match = Played(*players, limits=LIMITS, seed=seed)
    report = match.report
    verdicts = match.verdicts()
    assert set(verdicts) <= set(Verdict)
    for seat in report.seats:
        assert (seat.fault_index is None) == (seat.verdict == Verdict.OK) == (seat.message == "")
        assert len(seat.quoted) <= 400
        assert seat.quoted.isprintable()
    good = [place for place, verdict in zip(report.places, verdicts, strict=True) if verdict == Verdict.OK]
    assert all(place > max(good, default=0) for place in set(report.places) - set(good))
    assert (report.termination == ALL_FAULTED) == (good == [])
    replay = replay_of(match.order, report)
    assert verify_replay(replay).problems == ()
    assert canonical_bytes(replay) == canonical_bytes(msgspec.json.decode(canonical_bytes(replay)))


@given(st.tuples(scripts(), scripts(), scripts()), st.integers(0, 2**32))
def test_a_report_survives_the_way_to_the_site_and_stays_below_two_mebibytes(
    players: tuple[Script, ...], seed: int
) -> None:
    report = Played(*players, limits=LIMITS, seed=seed).report
    sent = msgspec.json.encode(report)
    assert msgspec.json.decode(sent, type=MatchReport) == report
    assert len(sent) < 2 * 1024 * 1024
    assert report.ruleset_digest == Ruleset.from_json(Played().order.ruleset).digest
