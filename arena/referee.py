"""Plays one match: asks the seat on turn, applies what it answers, and deals with what it does wrong.

Pure of processes: bots are a `Table`, time is a `Clock`. A bot's failure becomes a `Fault` of its seat; from
then on the mildest legal action is played for it, its bot is killed, and the others play on. The only
exception that leaves `play_match` is `ArenaFault`, for failures that are ours.
"""

from dataclasses import dataclass

import msgspec

from arena.clock import Clock
from arena.fouls import MS, Foul
from arena.orders import MatchOrder, MatchReport
from arena.protocol import encode_end, encode_hello, illegal_action_text, quote
from arena.replay import ALL_FAULTED, fault_event, final_places, sole_winner
from arena.requests import Requests
from arena.seat import Seat
from arena.timing import MatchTiming
from arena.transport import Table
from arena.verdicts import ArenaFault, Fault, Verdict
from engine import RULES_VERSION, EngineError, Ruleset, bot_seed, parse_seed
from engine.live import LiveMatch
from engine.state import NOBODY

GOODBYE_NS = 250 * MS
"""After the end the bots get this long to exit by themselves; then they are killed, and that is no fault."""


@dataclass(frozen=True)
class PlayedMatch:
    """A match that was played to its end."""

    report: MatchReport
    timing: MatchTiming


def play_match(order: MatchOrder, table: Table, clock: Clock, *, deals: int | None = None) -> PlayedMatch:
    """Play an order to its end and report; every bot has been killed on return.

    With `deals` the match is cut off after so many, whatever its ruleset says, and the bots are not told
    (`cut_off` makes the ruleset that such a record replays by).
    ArenaFault if the order cannot be played or the arena itself fails; never for anything a bot does.
    """
    referee = Referee(order, table, clock, deals)
    try:
        return referee.play()
    finally:
        referee.clear_table()


def cut_off(ruleset: Ruleset) -> Ruleset:
    """Return the ruleset of a match that a `deal_cap` alone cuts off: without a limit of its own."""
    return Ruleset.from_preset(ruleset.preset, {**ruleset.to_json()["agreements"], "deal_limit": 0})


class Referee:
    """One match in progress."""

    def __init__(self, order: MatchOrder, table: Table, clock: Clock, deals: int | None = None) -> None:
        if order.rules_version != RULES_VERSION:
            raise ArenaFault(
                f"the order asks for rules version {order.rules_version}; "
                f"this worker plays version {RULES_VERSION}"
            )
        try:
            self._ruleset = Ruleset.from_json(order.ruleset)
            self._seed = parse_seed(order.seed)
        except (EngineError, ValueError) as error:
            raise ArenaFault(f"the order cannot be played: {error}") from error
        if len(order.seats) != self._ruleset.players:
            raise ArenaFault(
                f"the ruleset is for {self._ruleset.players} seats, the order has {len(order.seats)}"
            )
        self._order = order
        self._table = table
        self._clock = clock
        self._timing = MatchTiming()
        self._seats = [Seat(number, table, order.limits, clock) for number in range(len(order.seats))]
        self._requests = Requests(len(order.seats))
        self._actions: list[str] = []
        self._cpu_us: list[int] = []
        self._wall_us: list[int] = []
        self._seeds: list[str] = []
        """What bots are told to draw their randomness from in the deal `_seeds_of`, by seat."""
        self._seeds_of = -1
        self._all_faulted = False
        self._tick_ns = order.limits.tick_ms * MS
        self._move_ms = order.limits.move_ms
        self._match = (
            LiveMatch(self._ruleset, self._seed)
            if deals is None
            else LiveMatch(cut_off(self._ruleset), self._seed, deals)
        )
        self._requests.note(self._match.take_told())

    def play(self) -> PlayedMatch:
        """Play from the handshakes to the report."""
        began = self._clock.monotonic_ns()
        self._start_bots()
        self._timing.start_ns = self._clock.monotonic_ns() - began
        while self._match.turn != NOBODY and not self._all_faulted:
            self._take_turn()
        ending = self._clock.monotonic_ns()
        self._say_goodbye()
        self.clear_table()
        now = self._clock.monotonic_ns()
        self._timing.end_ns = now - ending
        self._timing.total_ns = now - began
        return PlayedMatch(self._report(), self._timing)

    def clear_table(self) -> None:
        """Kill every bot; idempotent."""
        for seat in self._seats:
            seat.retire()

    def _start_bots(self) -> None:
        """Start the bots one after the other, each stopped as soon as it is ready.

        Sandboxes and interpreters come up side by side. Bots run one at a time, because they share a core: a
        bot that burns CPU while it starts uses its own time only.
        """
        self._table.prepare()
        for seat in self._seats:
            hello = encode_hello(
                seat=seat.number,
                players=len(self._seats),
                seed=bot_seed(self._seed, None, seat.number),
                rules=self._ruleset.to_json(),
                limits=self._order.limits,
            )
            try:
                seat.start(hello)
            except Foul as foul:
                self._note_fault(seat, foul, f"Seat {seat.number} (start)")

    def _take_turn(self) -> None:
        match = self._match
        seat = self._seats[match.turn]
        action = None
        if seat.fault is None:
            try:
                action = self._ask(seat)
            except Foul as foul:
                self._note_fault(seat, foul, f"Seat {seat.number} ({self._where(seat)})")
        if action is not None:
            self._cpu_us.append(seat.last_ns // 1000)
            self._wall_us.append(seat.last_wall_ns // 1000)
        elif self._all_faulted:
            return
        else:
            action = match.legal()[0]
            self._cpu_us.append(0)
            self._wall_us.append(0)
        self._actions.append(action)
        began = self._clock.monotonic_ns()
        match.play(action)
        self._requests.note(match.take_told())
        self._timing.engine_ns += self._clock.monotonic_ns() - began

    def _ask(self, seat: Seat) -> str:
        """Send a seat its request and return its legal action; Foul for everything else."""
        clock, timing, match = self._clock, self._timing, self._match
        encoding = clock.monotonic_ns()
        seat.requests += 1
        if self._seeds_of != match.deal:
            self._draw_seeds(match.deal)
        bank_ns = seat.bank_ns
        bank_ms = bank_ns // MS if bank_ns > 0 else 0
        request = self._requests.act(
            match,
            seat.number,
            seat.requests,
            self._seeds[seat.number],
            min(self._move_ms, bank_ms),
            bank_ms,
            -(-seat.last_ns // MS),
            with_view=seat.wants_view,
        )
        asking = clock.monotonic_ns()
        timing.encode_ns += asking - encoding
        try:
            action = seat.ask(request)
        finally:
            if self._tick_ns:
                self._wait_for_tick(asking)
            spent_ns = bank_ns - seat.bank_ns
            timing.bots_ns += spent_ns
            timing.waiting_ns += clock.monotonic_ns() - asking - spent_ns
        if not match.is_legal(action):
            text = action.encode("utf-8", "surrogatepass")
            raise Foul(Verdict.ILLEGAL_ACTION, illegal_action_text(action, match.legal()), quote(text))
        timing.decisions += 1
        return action

    def _wait_for_tick(self, asked_ns: int) -> None:
        """Hold an answer, or a fault, back to the next multiple of the tick, with every bot stopped."""
        took_ns = self._clock.monotonic_ns() - asked_ns
        release = asked_ns + -(-took_ns // self._tick_ns) * self._tick_ns
        while self._clock.monotonic_ns() < release:
            self._table.pump(release)

    def _note_fault(self, seat: Seat, foul: Foul, who: str) -> None:
        seat.fault = Fault(
            seat=seat.number,
            verdict=foul.verdict,
            message=f"{who}: {foul.message}",
            quoted=foul.quoted,
            action_index=len(self._actions),
        )
        self._all_faulted = all(each.fault is not None for each in self._seats)
        seat.retire()
        match = self._match
        fallback = match.legal()[0] if match.turn == seat.number else None
        self._requests.note([fault_event(seat.number, foul.verdict, fallback)])

    def _where(self, seat: Seat) -> str:
        match = self._match
        place = f"trick {match.trick()}" if match.trick() else match.phase
        return f"deal {match.deal}, {place}, request {seat.requests}"

    def _draw_seeds(self, deal: int) -> None:
        self._seeds = [bot_seed(self._seed, deal, number) for number in range(len(self._seats))]
        self._seeds_of = deal

    def _result(self) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
        """Return termination, places and totals."""
        verdicts = [seat.fault.verdict if seat.fault else Verdict.OK for seat in self._seats]
        if self._all_faulted:
            totals = self._match.standing.total
            return ALL_FAULTED, final_places([1] * len(verdicts), verdicts), totals
        result = self._match.outcome()
        return str(result.termination), final_places(result.places, verdicts), tuple(result.totals)

    def _say_goodbye(self) -> None:
        """Tell every bot that is left how the match ended, and wait a moment for it to exit."""
        termination, places, totals = self._result()
        staying = [seat for seat in self._seats if seat.fault is None]
        for seat in staying:
            end = encode_end(
                events=msgspec.Raw(self._requests.take_events(seat.number).encode()),
                termination=termination,
                places=places,
                totals=totals,
                winner=sole_winner(places),
            )
            seat.say_goodbye(end)
        until = self._clock.monotonic_ns() + GOODBYE_NS
        while not all(seat.has_left() for seat in staying) and self._clock.monotonic_ns() < until:
            self._table.pump(until)

    def _report(self) -> MatchReport:
        termination, places, totals = self._result()
        return MatchReport(
            match=self._order.match,
            token=self._order.token,
            rules_version=RULES_VERSION,
            ruleset_digest=self._ruleset.digest,
            actions=tuple(self._actions),
            cpu_us=tuple(self._cpu_us),
            wall_us=tuple(self._wall_us),
            seats=tuple(seat.report() for seat in self._seats),
            places=places,
            totals=totals,
            termination=termination,
            sandbox=self._table.tier,
        )
