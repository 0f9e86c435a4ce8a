"""A match that moves on in place: what a referee plays.

    match = LiveMatch(ruleset, seed)
    while match.turn != NOBODY:
        match.play(match.legal()[0])
    match.outcome()

It plays what `engine.match` plays, on the same integers, but makes no state for every step and tells what
happened as text where everybody may read it. `state` writes a moment down.
"""

from typing import Final

from engine.actions import DECLARE_TEXTS, PLAY_TEXTS, parse_action
from engine.cards import CHEAPEST_FIRST
from engine.choices import legal_codes
from engine.codes import code_of, text_of
from engine.course import Course
from engine.deal import OUTCOMES, PHASES, PLAYING, UNFINISHED, Deal
from engine.errors import IllegalActionError
from engine.events import Event
from engine.finish import score_sheet
from engine.ints import i64
from engine.leads import ANNOUNCED
from engine.match import DEAL_CAP, first_frame, outcome
from engine.opening import begin
from engine.outcome import Outcome, Termination
from engine.ruleset import Ruleset
from engine.sight import Sight
from engine.standing import Standing
from engine.state import NOBODY, DealState, Frame, MatchState, Phase
from engine.turns import apply_code

_ACTIONS: Final = [*PLAY_TEXTS, *DECLARE_TEXTS]
_QUOTED: Final = [f'"{text}"' for text in _ACTIONS]
_CODES: Final = {text: code for code, text in enumerate(_ACTIONS)}
_ORDER: Final = [*CHEAPEST_FIRST, *[card + ANNOUNCED for card in CHEAPEST_FIRST]]
"""Plays as they are listed: the cheapest first, silent leads before announced ones."""


class LiveMatch:
    """A match in progress; ValueError for a seed that is not 32 bytes or a deal cap below 1."""

    def __init__(self, ruleset: Ruleset, seed: bytes, deal_cap: int = DEAL_CAP) -> None:
        frame, dealer = first_frame(ruleset, seed, deal_cap)
        self.ruleset = ruleset
        self.seed = seed
        self.deal_cap = deal_cap
        self.deal = 0
        """Number of the deal being played."""
        self.standing: Standing = frame.standing
        """Totals before this deal; final ones when the match is over."""
        self.turn: i64 = NOBODY
        """Seat to act; NOBODY when the match is over."""
        self.phase = ""
        self.termination: Termination | None = None
        self.winner: int | None = None
        self._told: list[Event | str] = []
        self._log: list[Event] = []
        self._sight = Sight()
        self._plays: i64 = 0
        """What may be played, as bits, while cards are played."""
        self._legal: tuple[str, ...] | None = None
        self._last: DealState | None = None
        self._deal = Deal(ruleset, frame.standing)
        self._course = Course(self._deal, self._told)
        self._begin(dealer)

    def legal(self) -> tuple[str, ...]:
        """Everything the seat on turn may do, mildest first; empty when the match is over."""
        if self._legal is None:
            if self._plays:
                self._legal = tuple([_ACTIONS[code] for code in _ORDER if self._plays >> code & 1])
            elif self.turn == NOBODY:
                self._legal = ()
            else:
                self._legal = tuple([text_of(code) for code in legal_codes(self._deal)])
        return self._legal

    def legal_json(self) -> str:
        """The same as a JSON array."""
        if self._plays:
            plays = self._plays
            return f"[{','.join([_QUOTED[code] for code in _ORDER if plays >> code & 1])}]"
        legal = self.legal()
        return '["' + '","'.join(legal) + '"]' if legal else "[]"

    def is_legal(self, action: str) -> bool:
        """Say whether the seat on turn may do this."""
        if self._plays:
            code: i64 = _CODES.get(action, -1)
            return code >= 0 and self._plays >> code & 1 != 0
        return action in self.legal()

    def play(self, action: str) -> None:
        """Play a legal action of the seat on turn; IllegalActionError, and nothing happens, if it is not."""
        if not self.is_legal(action):
            seat = None if self.turn == NOBODY else int(self.turn)
            raise IllegalActionError(
                action, seat, self.phase, self.legal(), "not_legal", "it is not legal now"
            )
        deal = self._deal
        self._legal = None
        if self._plays:
            self._course.play(_CODES[action])
        else:
            apply_code(deal, code_of(parse_action(action)))
            self._told.extend(self._log)
            self._log.clear()
        if deal.outcome == UNFINISHED:
            self._ask()
        else:
            self._finish()

    def take_told(self) -> list[Event | str]:
        """Return what happened since the last call: events, or their JSON where nothing in them is hidden."""
        told = self._told[:]
        self._told.clear()
        return told

    def view(self, seat: int) -> str:
        """Return `observation(state, seat)` as JSON without blanks; not after the end."""
        return self._sight.view(self._deal, self._course, seat)

    def trick(self) -> int:
        """Number of the trick being played, 1-based; 0 while no cards are played."""
        return int(self._course.tricks) + 1 if self._plays else 0

    def state(self) -> MatchState:
        """Write the moment down as the readable face has it."""
        over = self.turn == NOBODY
        return MatchState(
            self.ruleset,
            self.seed,
            self.deal_cap,
            self.deal,
            self.standing,
            self._course.freeze() if self._last is None else self._last,
            Phase.OVER if over else PHASES[self._deal.phase],
            None if over else int(self.turn),
            self.legal(),
            self.termination,
            self.winner,
        )

    def outcome(self) -> Outcome:
        """Result of a finished match; ValueError while it is still being played."""
        return outcome(self.state())

    def _begin(self, dealer: i64) -> None:
        """Shuffle, cut and deal."""
        deal = Deal(self.ruleset, self.standing)
        deal.seed = self.seed
        deal.number = self.deal
        deal.log = self._log
        begin(deal, dealer, NOBODY)
        self._told.extend(self._log)
        self._log.clear()
        self._deal = deal
        self._course = Course(deal, self._told)
        self._ask()

    def _ask(self) -> None:
        deal = self._deal
        self.turn = deal.turn
        self.phase = PHASES[deal.phase].value
        self._plays = deal.table.legal() if deal.phase == PLAYING else 0

    def _finish(self) -> None:
        """Score the deal; deal the next one, or end the match."""
        deal = self._deal
        frame = Frame(self.ruleset, self.seed, self.deal_cap, self.deal, self.standing)
        ended = self._course.freeze()
        sheet = score_sheet(frame, ended, OUTCOMES[deal.outcome])
        self._told.append(sheet.event)
        self.standing = sheet.score.after
        if sheet.termination is None:
            self.deal += 1
            self._begin(sheet.next_dealer)
            return
        self._last = ended
        self._plays = 0
        self._legal = None
        self.turn = NOBODY
        self.phase = Phase.OVER.value
        self.termination = sheet.termination
        self.winner = sheet.score.winner
