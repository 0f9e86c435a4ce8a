"""The sequential test: golden numbers, verdicts at looks only, and the rates it promises."""

import math
import random

import pytest

from arena.sprt import (
    GAINER,
    LEVEL,
    NON_REGRESSION,
    ROUT,
    Hypotheses,
    Verdict,
    elo_of,
    is_refuted,
    judge,
    log_likelihood_ratio,
    moments,
    score_of,
)

GOLDEN = (10, 28, 54, 78, 70, 40, 20)


def test_the_worked_example_agrees_with_its_golden_numbers() -> None:
    found = judge(GOLDEN, Hypotheses(0, 30))
    assert (found.blocks, found.verdict) == (300, Verdict.STRONGER)
    assert found.llr == pytest.approx(3.673275, abs=1e-6)
    assert found.mean == pytest.approx(0.538889, abs=1e-6)
    assert moments(GOLDEN)[1] == pytest.approx(0.060154, abs=1e-6)
    assert (found.elo, found.elo_low, found.elo_high) == pytest.approx(
        (27.077457, 7.738802, 46.585194), abs=1e-4
    )


def test_the_bounds_follow_from_the_error_rates() -> None:
    assert (GAINER.lower, GAINER.upper) == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert Hypotheses(0, 30, alpha=0.01, beta=0.1).upper == pytest.approx(math.log(90))


def test_mirrored_results_and_hypotheses_mirror_the_ratio() -> None:
    forward = log_likelihood_ratio(GOLDEN, Hypotheses(-10, 30))
    assert log_likelihood_ratio(GOLDEN[::-1], Hypotheses(-30, 10)) == pytest.approx(-forward)


def test_results_at_the_middle_favour_neither() -> None:
    even = (1, 2, 4, 8, 4, 2, 1)
    assert log_likelihood_ratio(even, Hypotheses(-20, 20)) == pytest.approx(0.0, abs=1e-9)


def test_scores_and_strengths_are_inverse() -> None:
    assert score_of(30) == pytest.approx(0.543066, abs=1e-6)
    assert elo_of(score_of(-123.0)) == pytest.approx(-123.0)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_no_block_and_blocks_of_one_score_are_no_error() -> None:
    assert judge((0,) * 7, GAINER).verdict == Verdict.RUNNING
    won = judge((0, 0, 0, 0, 0, 0, 40), Hypotheses(0, 30))
    assert won.verdict == Verdict.STRONGER
    assert won.elo > 800
    lost = judge((40, 0, 0, 0, 0, 0, 0), Hypotheses(0, 30))
    assert lost.verdict == Verdict.NOT_STRONGER


def test_a_verdict_falls_at_every_fourth_block_from_the_sixteenth() -> None:
    verdicts = {
        blocks: judge((0, 0, 0, 0, blocks, 0, 0), Hypotheses(0, 100)).verdict for blocks in range(1, 22)
    }
    assert [blocks for blocks, verdict in verdicts.items() if verdict == Verdict.STRONGER] == [16, 20]


@pytest.mark.parametrize("hypotheses", [GAINER, NON_REGRESSION, Hypotheses(0, 30), LEVEL], ids=str)
def test_a_bot_that_loses_or_wins_everything_is_told_within_a_few_blocks(hypotheses: Hypotheses) -> None:
    lost = [judge((blocks, *[0] * 6), hypotheses).verdict for blocks in range(1, 12)]
    assert lost.index(Verdict.NOT_STRONGER) + 1 <= 9
    assert set(lost) == {Verdict.RUNNING, Verdict.NOT_STRONGER}
    won = [judge((*[0] * 6, blocks), hypotheses).verdict for blocks in range(1, 12)]
    assert won.index(Verdict.STRONGER) + 1 <= 9
    # One block in ten goes the other way: still a rout.
    assert judge((27, 0, 0, 0, 0, 0, 3), hypotheses).verdict == Verdict.NOT_STRONGER


def test_a_true_hypothesis_is_hardly_ever_refuted_by_a_rout() -> None:
    """At elo0 and elo1 exactly, with scores as widely spread as they can be, looked at after every block."""
    rng = random.Random(5)
    hypotheses, runs, wrong = Hypotheses(0, 30), 200, 0
    for run_ in range(runs):
        at_0 = run_ % 2 == 0
        mean = score_of(hypotheses.elo0 if at_0 else hypotheses.elo1)
        counts = [0, 0]
        for _block in range(80):
            counts[rng.random() < mean] += 1
            if is_refuted(counts, mean, above=not at_0):
                wrong += 1
                break
    assert wrong / runs <= ROUT + 3 * math.sqrt(ROUT / runs)


def test_a_test_that_does_not_end_is_inconclusive() -> None:
    even = judge((0, 0, 100, 200, 100, 0, 0), Hypotheses(-1, 1))
    assert even.verdict == Verdict.INCONCLUSIVE
    assert judge((0, 0, 99, 198, 99, 0, 0), Hypotheses(-1, 1)).verdict == Verdict.RUNNING


@pytest.mark.parametrize(("elo0", "elo1"), [(10, 10), (20, 10)])
def test_hypotheses_must_differ_in_the_right_order(elo0: float, elo1: float) -> None:
    with pytest.raises(ValueError, match="below"):
        Hypotheses(elo0, elo1)


def test_what_is_no_count_is_refused() -> None:
    with pytest.raises(ValueError, match="none below 0"):
        judge((3, -1, 2), GAINER)
    with pytest.raises(ValueError, match="alpha"):
        Hypotheses(0, 30, alpha=0.7)


def run(true_elo: float, rng: random.Random) -> tuple[Verdict, int]:
    """One test: three rotations on shared cards against two copies of the base."""
    counts = [0] * 7
    skill = true_elo * math.log(10) / 400
    found = judge(counts, Hypotheses(0, 30))
    while found.verdict == Verdict.RUNNING:
        cards = [rng.gauss(0, 1) for _ in range(3)]
        score = 0
        for seat in range(3):
            luck = [math.sqrt(0.4) * card + math.sqrt(0.6) * rng.gauss(0, 1) for card in cards]
            # A probit whose pairwise chance near equality is that of the Elo scale.
            mine = luck[seat] + skill * math.sqrt(2) / 1.702
            score += sum(mine > luck[other] for other in range(3) if other != seat)
        counts[score] += 1
        if sum(counts) % 4 == 0:
            found = judge(counts, Hypotheses(0, 30))
    return found.verdict, found.blocks


@pytest.mark.thorough
def test_wrong_verdicts_are_as_rare_as_promised() -> None:
    rng = random.Random(18)
    runs = 300
    for elo, low, high in ((0.0, 0.0, 0.10), (30.0, 0.88, 1.0), (60.0, 0.97, 1.0)):
        ends = [run(elo, rng) for _ in range(runs)]
        accepted = sum(verdict == Verdict.STRONGER for verdict, _blocks in ends) / runs
        blocks = sum(blocks for _verdict, blocks in ends) / runs
        print(f"true {elo:+.0f}: stronger in {accepted:.3f} of {runs}, mean {blocks:.0f} blocks")  # noqa: T201
        assert low <= accepted <= high
