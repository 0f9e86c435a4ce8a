"""The requests of one match, encoded as it goes on: what is equal for all seats once, what stands only once.

The line is that of `arena.protocol.encode_act`, byte by byte: a test compares the two at every decision.
"""

from collections.abc import Iterable, Sequence

import msgspec

from engine import Event, MatchState
from engine.sight import Sight


class Requests:
    """What the seats of a match have yet to be told, and the lines that tell them."""

    def __init__(self, players: int) -> None:
        self._sight = Sight()
        self._encoder = msgspec.json.Encoder()
        self._waiting: list[list[str]] = [[] for _ in range(players)]
        """Events since each seat's last request, as JSON."""

    def note(self, events: Iterable[Event]) -> None:
        """Keep events for every seat's next request; one without hidden values is encoded once for all."""
        for event in events:
            if event.see:
                for seat, waiting in enumerate(self._waiting):
                    waiting.append(self._encoder.encode(event.seen_by(seat)).decode())
                continue
            text = self._encoder.encode(event.public()).decode()
            for waiting in self._waiting:
                waiting.append(text)

    def take_events(self, seat: int) -> str:
        """Return what happened since the seat's last request as a JSON array; it is told only once."""
        waiting = self._waiting[seat]
        text = f"[{','.join(waiting)}]"
        waiting.clear()
        return text

    def act(
        self,
        state: MatchState,
        seat: int,
        *,
        request_id: int,
        seed: str,
        move_ms: int,
        bank_ms: int,
        last_ms: int,
    ) -> bytes:
        """Return the next request of the seat on turn; times are CPU milliseconds."""
        return (
            f'{{"type":"act","id":{request_id},"deal":{state.deal},"seed":"{seed}",'
            f'"phase":"{state.phase}","view":{self._sight.view(state, seat)},'
            f'"events":{self.take_events(seat)},"legal":{_actions(state.legal)},'
            f'"time":{{"move_ms":{move_ms},"bank_ms":{bank_ms},"last_ms":{last_ms}}}}}\n'
        ).encode("ascii")


def _actions(legal: Sequence[str]) -> str:
    """Write actions, which are plain ASCII without quotes or backslashes, as a JSON array."""
    return '["' + '","'.join(legal) + '"]' if legal else "[]"
