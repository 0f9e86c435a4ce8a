"""A measurement: plays the blocks that are missing, and stops when they are there or a test is decided."""

from collections.abc import Iterator
from contextlib import closing

from arena.lab.blocks import Block, Comparison
from arena.lab.journal import Journal
from arena.lab.verdicts import RunningTest, SequentialTest
from arena.lab.workers import play_blocks
from arena.sprt import Hypotheses, Verdict


class Measurement:
    """So many blocks of one comparison, or as many of them as a sequential test needs."""

    def __init__(
        self, comparison: Comparison, journal: Journal, most: int, hypotheses: Hypotheses | None = None
    ) -> None:
        self.test: SequentialTest | None = None
        """Where the test stands; None without hypotheses."""
        self._comparison = comparison
        self._journal = journal
        self._most = most
        self._running = None if hypotheses is None else RunningTest(comparison, hypotheses, most)
        self._blocks: list[Block] = []

    def play(self, jobs: int, tier: str) -> Iterator[list[Block]]:
        """Play what the journal lacks; yields after every block what there is without a gap.

        CrewFailedError if a block cannot be played.
        """
        missing = [number for number in range(self._most) if number not in self._journal.blocks]
        if self._is_decided() or not missing:
            return
        with closing(play_blocks(self._comparison, missing, min(jobs, len(missing)), tier)) as played:
            for block in played:
                self._journal.add(block)
                yield self._in_order()
                if self._is_decided():
                    break

    def counted(self) -> list[Block]:
        """Return the blocks that count: all without a gap, up to the verdict."""
        blocks = self._in_order()
        decided = self.test is not None and self.test.verdict != Verdict.RUNNING
        return blocks[: self.test.blocks] if self.test is not None and decided else blocks

    def _is_decided(self) -> bool:
        """Look at the test; its verdict does not depend on which block happened to end first."""
        if self._running is None:
            return False
        self.test = self._running.look(self._in_order())
        return self.test.verdict != Verdict.RUNNING

    def _in_order(self) -> list[Block]:
        found, blocks = self._journal.blocks, self._blocks
        while len(blocks) < self._most and len(blocks) in found:
            blocks.append(found[len(blocks)])
        return blocks
