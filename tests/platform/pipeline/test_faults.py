"""Faults first: processes killed, paused and cut off at every named step, messages lost, late and repeated.

Afterwards every block is finished, or void with a cause; each is rated exactly once; live ratings equal a
recompute bit for bit; no bot is blamed; nothing is left running. `THOUSAND_FAULTS_SEED` repeats a plan.
"""

import os
import random
import sys
from pathlib import Path

import pytest

from arena.sandbox.gate import end_stuck
from tests.platform.pipeline.campaign import BACK_S, KINDS, Campaign, plan
from tests.platform.pipeline.real_site import PrivateRedis, Site, new_database
from tests.platform.pipeline.staged import STEPS

pytestmark = [pytest.mark.workers, pytest.mark.sandbox]

SEED = int(os.environ.get("THOUSAND_FAULTS_SEED", "1000"))


def test_a_plan_strikes_at_every_step_before_it_repeats_one() -> None:
    faults = plan(random.Random(SEED), 26 * len(KINDS))
    assert {fault.kind for fault in faults} == set(KINDS)
    assert {fault.step for fault in faults} - {""} == set(STEPS)
    assert plan(random.Random(SEED), 20) == plan(random.Random(SEED), 20)


@pytest.mark.timeout(300)
def test_one_fault_of_each_kind_harms_no_block_and_no_bot(tmp_path: Path) -> None:
    _endure(tmp_path, len(KINDS))


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_a_hundred_faults_and_more_harm_no_block_and_no_bot(tmp_path: Path) -> None:
    _endure(tmp_path, int(os.environ.get("THOUSAND_FAULTS", "120")))


def _endure(folder: Path, count: int) -> None:
    rng = random.Random(SEED)
    broker = PrivateRedis(folder / "redis")
    try:
        with new_database() as database:
            site = Site(database, broker.url, folder)
            try:
                campaign = Campaign(site, broker, folder, rng)
                campaign.run(plan(rng, count))
                campaign.settle()
                stubborn = campaign.stop()
                campaign.measure()
                (folder / "figures.txt").write_text("\n".join(campaign.figures.lines()) + "\n")
                sys.stdout.write((folder / "figures.txt").read_text())
                assert not stubborn, site.logs()
                _check(site, campaign)
            finally:
                site.close()
    finally:
        broker.kill()


def _check(site: Site, campaign: Campaign) -> None:
    # Seeds, states, places, replays, and the fold of every ledger compared bit for bit.
    assert "Everything agrees." in site.manage("audit")
    assert site.rows("SELECT public_id FROM matches_block WHERE state = 'void' AND void_cause = ''") == []
    rated = "SELECT block_id FROM ratings_ledgerentry WHERE kind = 'block' GROUP BY 1 HAVING count(*) > 1"
    assert site.rows(rated) == []
    assert site.rated_blocks() == campaign.figures.blocks["complete"]
    assert site.rows("SELECT verdict FROM matches_seat WHERE verdict NOT IN ('', 'ok')") == []
    assert site.rows("SELECT name, pause_reason FROM bots_bot WHERE state <> 'active'") == []
    assert site.rows("SELECT reject_reason FROM bots_botversion WHERE state = 'rejected'") == []
    # A referee that is killed within the microseconds in which bubblewrap starts leaves a process behind that
    # has run nothing; the next sandbox on the machine ends it.
    end_stuck()
    site.wait_for(lambda: not campaign.left_over(), 5)
    assert max(campaign.figures.back_s, default=0) < BACK_S
