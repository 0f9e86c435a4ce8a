"""Head-to-head scores and how bots play, kept as blocks close and counted anew."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.seat_play import COUNTS, play_of
from tests.factories import make_complete_block, make_document, make_organiser, make_pool, make_version
from tests.platform.ratings.quick_blocks import quick_block
from thousand.bots.models import BotVersion
from thousand.matches.models import Pool, Seat
from thousand.ratings.annulment import annul_block, lift_annulment
from thousand.ratings.fitting import bucket, refit
from thousand.ratings.head_to_head import matrix, opponents
from thousand.ratings.models import FitPoint, PairScore, PlayTally
from thousand.ratings.selectors import rating_history
from thousand.ratings.services import rate_block
from thousand.ratings.statistics import count_block, fill_in_play, rebuild_statistics

TALLIED = ("blocks", "matches", "won", "faults", "halves", "squares", "total", "play")

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool() -> Pool:
    return make_pool("main", main=True)


@pytest.fixture
def versions() -> list[BotVersion]:
    return [make_version() for _number in range(4)]


def stored(pool: Pool) -> tuple[list[Any], list[Any]]:
    pairs = PairScore.objects.filter(pool=pool).order_by("entry", "first", "second")
    tallies = PlayTally.objects.filter(pool=pool).order_by("version", "seat")
    return (
        list(pairs.values_list("entry", "first", "second", "halves")),
        list(tallies.values("version", "seat", *TALLIED)),
    )


def test_a_rated_block_is_counted_once_by_pair_and_seat(pool: Pool, versions: list[BotVersion]) -> None:
    block = make_complete_block(
        pool, versions[:3], slot_places=(1, 2, 2), slot_verdicts=("ok", "ok", "crash")
    )
    a, b, c = versions[:3]
    pairs = {(row.first_id, row.second_id): row.halves for row in PairScore.objects.all()}
    assert pairs == {(a.pk, b.pk): 12, (a.pk, c.pk): 12, (b.pk, c.pk): 6}
    assert PlayTally.objects.count() == 9
    for tally in PlayTally.objects.filter(version=a):
        assert (tally.blocks, tally.matches, tally.won, tally.halves, tally.squares) == (1, 2, 2, 8, 64)
        assert tally.total == 2000
    assert sum(PlayTally.objects.filter(version=c).values_list("faults", flat=True)) == 6
    before = stored(pool)
    rate_block(block)
    count_block(block.ledger_entry)
    assert stored(pool) == before


def test_counting_anew_gives_what_was_kept(pool: Pool, versions: list[BotVersion]) -> None:
    for places in ((1, 2, 3), (3, 1, 2), (2, 2, 1)):
        make_complete_block(pool, versions[:3], slot_places=places)
    make_complete_block(pool, versions[1:], slot_places=(1, 2, 3))
    fill_in_play()
    rebuild_statistics(pool=pool)
    before = stored(pool)
    PlayTally.objects.update(matches=7)
    PairScore.objects.all()[0].delete()
    assert rebuild_statistics(pool=pool) == 4
    assert stored(pool) == before


def test_old_matches_are_filled_in_from_their_replays(
    pool: Pool, versions: list[BotVersion], capsys: pytest.CaptureFixture[str]
) -> None:
    make_complete_block(pool, versions[:3])
    assert set(Seat.objects.values_list("play", flat=True)) == {None}
    assert fill_in_play(batch=2) == 6
    assert fill_in_play() == 0
    seat = Seat.objects.select_related("match__replay").order_by("pk")[0]
    assert seat.play["deals"] == 3
    call_command("rebuild_statistics")
    assert "main: 1 blocks counted" in capsys.readouterr().out
    plays = PlayTally.objects.filter(version=versions[0]).values_list("play", flat=True)
    assert sum(play["deals"] for play in plays) == 18


def test_what_seats_did_adds_up_to_what_happened() -> None:
    document = make_document()
    seats = play_of(document)
    ends = [event for deal in document["deals"] for event in deal["events"] if event["event"] == "deal_end"]
    assert all(set(play) == {*COUNTS, "named"} for play in seats)
    assert sum(play["declared"] for play in seats) == sum(end["declarer"] is not None for end in ends)
    assert sum(play["contracts"] for play in seats) == sum(end["contract"] or 0 for end in ends)
    for seat, play in enumerate(seats):
        changed = sum(end["after"][seat] - end["before"][seat] for end in ends)
        assert play["declarer_points"] + play["defender_points"] == changed
        assert sum(named for named, _made in play["named"].values()) == play["declared"]
        assert sum(made for _named, made in play["named"].values()) == play["made"]


def test_the_matrix_holds_each_pair_from_both_sides(pool: Pool, versions: list[BotVersion]) -> None:
    for _number in range(12):
        quick_block(pool, versions[:3], (1, 2, 3))
    quick_block(pool, [versions[0], versions[1], versions[3]], (2, 1, 3))
    refit(pool=pool)
    found = matrix(pool)
    place = {row.version.public_id: at for at, row in enumerate(found.rows)}
    a, b, c, d = (place[version.public_id] for version in versions)
    pair = found.cells[a][b]
    assert pair is not None
    assert (pair.blocks, pair.halves) == (13, 144)
    assert found.cells[b][a] == pair.reversed()
    assert found.cells[a][a] is None
    assert found.cells[c][d] is None, "never met"
    assert pair.expected is not None
    assert pair.superiority is not None
    assert pair.superiority > 0.95
    lines = {line.version.public_id: line.pair for line in opponents(pool, versions[0])}
    assert lines[versions[1].public_id].halves == 144
    assert [line.pair.blocks for line in opponents(pool, versions[3])] == [1, 1]
    met = opponents(pool, versions[2])[0]
    cell = found.cells[c][place[met.version.public_id]]
    assert cell is not None
    assert (met.pair.halves, met.pair.squares) == (cell.halves, cell.squares)
    assert met.pair.expected == pytest.approx(cell.expected)


def test_annulled_blocks_do_not_count_until_they_do_again(pool: Pool, versions: list[BotVersion]) -> None:
    organiser = make_organiser()
    blocks = [quick_block(pool, versions[:3], (1, 2, 3)) for _number in range(3)]
    before = opponents(pool, versions[0])
    annulment = annul_block(block=blocks[1], reason="An example.", by=organiser)
    assert [line.pair.blocks for line in opponents(pool, versions[0])] == [2, 2]
    lift_annulment(annulment=annulment, reason="A mistake.", by=organiser)
    assert opponents(pool, versions[0]) == before


def test_the_matrix_takes_as_many_queries_for_many_bots(pool: Pool) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            matrix(pool)
        return len(captured)

    quick_block(pool, [make_version() for _number in range(3)])
    before = queries()
    for _number in range(8):
        quick_block(pool, [make_version() for _number in range(3)])
    assert queries() == before <= 4


def test_the_fits_band_is_kept_by_blocks(pool: Pool, versions: list[BotVersion]) -> None:
    for number in range(14):
        quick_block(pool, versions[:3], ((1, 2, 3), (2, 1, 3), (3, 1, 2))[number % 3])
        refit(pool=pool)
    points = FitPoint.objects.filter(rating__version=versions[0]).order_by("blocks")
    assert list(points.values_list("blocks", flat=True)) == [10, 11, 12, 13, 14]
    refit(pool=pool)
    assert points.count() == 5
    widths = [point.half_width or 0 for point in points]
    assert all(width > 0 for width in widths)
    assert len(rating_history(pool, versions[0])) == 15


def test_a_graph_keeps_few_points_however_long_it_grows() -> None:
    kept = sorted({bucket(blocks) for blocks in range(10, 20_001)})
    assert len(kept) < 400
    assert kept[:70] == list(range(10, 80))
    assert all(bucket(blocks) <= blocks for blocks in kept)
