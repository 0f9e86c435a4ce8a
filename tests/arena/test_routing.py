"""Which queue an order lies on, and which queues a worker reads."""

import pytest

from arena.languages import LANGUAGES
from arena.routing import PLAYED_WITH_TOOLS, QUEUE, needs_of_check, needs_of_match, queue_for, queues_of


def test_only_interpreted_bots_and_jars_need_tools_in_a_match() -> None:
    assert {"javascript", "java"} == PLAYED_WITH_TOOLS
    assert needs_of_match(["python", "rust", "executable", "go"]) == frozenset()
    assert needs_of_match(["python", "java", "java"]) == {"java"}


def test_a_check_needs_the_tools_of_its_language_unless_it_needs_none() -> None:
    assert needs_of_check("rust") == {"rust"}
    assert needs_of_check("python") == needs_of_check("executable") == frozenset()


@pytest.mark.parametrize(
    ("offered", "queues"),
    [
        ({"python", "executable"}, (QUEUE,)),
        ({"python", "go", "c"}, (QUEUE, "matches.c", "matches.go")),
        (
            {"javascript", "java", "python"},
            (QUEUE, "matches.java", "matches.javascript", "matches.java.javascript"),
        ),
    ],
    ids=["nothing", "compilers", "runtimes"],
)
def test_a_worker_reads_what_its_tools_are_enough_for(offered: set[str], queues: tuple[str, ...]) -> None:
    assert queues_of(offered) == queues


def test_every_order_has_a_queue_that_a_worker_with_all_tools_reads() -> None:
    everything = queues_of()
    assert {queue_for(needs_of_check(name)) for name in LANGUAGES} <= set(everything)
    assert queue_for(needs_of_match(LANGUAGES)) in everything
