"""A slot without processes: plays an order through the engine in milliseconds and reports like a worker."""

import random
from collections.abc import Mapping, Sequence

import msgspec
from kombu.simple import SimpleQueue

from arena.orders import (
    Heartbeat,
    MatchFinished,
    MatchOrder,
    MatchReport,
    MatchStarted,
    SeatReport,
    ValidationFinished,
    ValidationOrder,
    ValidationReport,
    ValidationStep,
    WorkerMessage,
)
from arena.replay import ALL_FAULTED, final_places
from engine import RULES_VERSION, Ruleset, is_terminal, legal_actions, outcome, parse_seed, start, step
from thousand.celery import app
from thousand.pipeline.services import dispatch

Order = MatchOrder | ValidationOrder
Faults = Mapping[int, tuple[str, int]]
"""By seat: the verdict and the number of actions in the record when the fault happened."""


def play(order: MatchOrder, *, faults: Faults | None = None) -> MatchReport:
    """Return the report of a match between bots that choose at random, from the order's own seed."""
    faults = faults or {}
    rng = random.Random(order.seed + order.match)
    ruleset = Ruleset.from_json(order.ruleset)
    now = start(ruleset, parse_seed(order.seed))
    actions: list[str] = []
    while not is_terminal(now.state):
        if len([1 for _verdict, index in faults.values() if index <= len(actions)]) == ruleset.players:
            break
        seat = now.state.turn
        legal = legal_actions(now.state)
        faulted = seat in faults and faults[seat][1] <= len(actions)
        action = legal[0] if faulted else rng.choice(legal)
        actions.append(action)
        now = step(now.state, action)
    verdicts = [faults[seat][0] if seat in faults else "ok" for seat in range(ruleset.players)]
    if "ok" in verdicts:
        result = outcome(now.state)
        termination, places, totals = str(result.termination), result.places, result.totals
    else:
        termination, places, totals = ALL_FAULTED, (1,) * ruleset.players, tuple(now.state.standing.total)
    return MatchReport(
        match=order.match,
        token=order.token,
        rules_version=RULES_VERSION,
        ruleset_digest=ruleset.digest,
        actions=tuple(actions),
        cpu_us=(1000,) * len(actions),
        wall_us=(1500,) * len(actions),
        seats=tuple(
            SeatReport(
                verdict=verdict,
                fault_index=faults[seat][1] if seat in faults else None,
                message="It answered with nonsense." if seat in faults else "",
                stderr_head="one line\0with a NUL" if seat in faults else "",
                cpu_ms=100,
                wall_ms=150,
                decisions=100,
            )
            for seat, verdict in enumerate(verdicts)
        ),
        places=final_places(places, verdicts),
        totals=tuple(totals),
        termination=termination,
        sandbox="bwrap-1a",
    )


def started(order: MatchOrder, worker: str = "w1") -> str:
    return encode(MatchStarted(match=order.match, token=order.token, worker=worker))


def finished(order: MatchOrder, worker: str = "w1", *, faults: Faults | None = None) -> str:
    return encode(MatchFinished(worker=worker, report=play(order, faults=faults)))


def failed(order: MatchOrder, cause: str = "the disk is full", worker: str = "w1") -> str:
    report = MatchReport(match=order.match, token=order.token, sandbox="bwrap-1a", arena_fault=cause)
    return encode(MatchFinished(worker=worker, report=report))


def validated(
    order: ValidationOrder, *, accepted: bool = True, arena_fault: str = "", runnable_digest: str = ""
) -> str:
    step = ValidationStep(name="match", state="passed" if accepted else "failed", text="played 3 matches")
    report = ValidationReport(
        validation=order.validation,
        token=order.token,
        accepted=accepted and not arena_fault,
        steps=() if arena_fault else (step,),
        reason="" if accepted else "It answered “play ZZ”; expected one of: play 9S.",
        quoted="" if accepted else '{"action": "play ZZ"}\0',
        runnable_digest=runnable_digest,
        arena_fault=arena_fault,
    )
    return encode(ValidationFinished(worker="w1", report=report))


def heartbeat(*playing: Order, slots: int = 2, worker: str = "w1", waiting: Sequence[Order] = ()) -> str:
    return encode(
        Heartbeat(
            worker=worker,
            slots=slots,
            playing=_pairs(playing),
            waiting=_pairs(waiting),
            sandbox="bwrap-1a",
            rules_version=RULES_VERSION,
        )
    )


def _pairs(orders: Sequence[Order]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (order.match if isinstance(order, MatchOrder) else order.validation, order.token) for order in orders
    )


def encode(message: WorkerMessage) -> str:
    return msgspec.json.encode(message).decode()


def match_orders() -> list[MatchOrder]:
    """Take every order off the queue; return the matches."""
    return [order for order in take_orders() if isinstance(order, MatchOrder)]


def validation_order() -> ValidationOrder:
    """Dispatch and take every order off the queue; return the one validation."""
    dispatch()
    (order,) = (order for order in take_orders() if isinstance(order, ValidationOrder))
    return order


def take_orders(name: str = "matches") -> list[Order]:
    """Take every order off a queue, as idle workers would."""
    orders: list[Order] = []
    with app.connection_for_read() as connection:
        queue: SimpleQueue = connection.SimpleQueue(name, no_ack=True)
        while True:
            try:
                message = queue.get_nowait()
            except queue.Empty:
                break
            (payload,) = message.payload[0]
            kind = MatchOrder if message.headers["task"] == "arena.play_match" else ValidationOrder
            orders.append(msgspec.json.decode(payload, type=kind))
        queue.close()
    return orders
