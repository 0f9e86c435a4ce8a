"""The requests of one match, encoded as it goes on: what is equal for all seats once, what stands only once.

The line is that of `docs/protocol.md`, byte by byte what encoding every part anew would write: a test
compares the two at every decision.
"""

from collections.abc import Iterable

import msgspec

from engine import Event
from engine.live import LiveMatch

_encode = msgspec.json.Encoder().encode


class Requests:
    """What the seats of a match have yet to be told, and the lines that tell them."""

    def __init__(self, players: int) -> None:
        self._waiting: list[list[str]] = [[] for _ in range(players)]
        """Events since each seat's last request, as JSON."""

    def note(self, events: Iterable[Event | str]) -> None:
        """Keep events, or their JSON, for every seat's next request; what all may read is encoded once."""
        for event in events:
            if isinstance(event, str):
                text = event
            elif event.see:
                for seat, waiting in enumerate(self._waiting):
                    waiting.append(_encode(event.seen_by(seat)).decode())
                continue
            else:
                text = _encode(event.public()).decode()
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
        match: LiveMatch,
        seat: int,
        request_id: int,
        seed: str,
        move_ms: int,
        bank_ms: int,
        last_ms: int,
        *,
        with_view: bool = True,
    ) -> bytes:
        """Return the next request of the seat on turn; times are CPU milliseconds."""
        waiting = self._waiting[seat]
        view = f'"view":{match.view(seat)},' if with_view else ""
        line = (
            f'{{"type":"act","id":{request_id},"deal":{match.deal},"seed":"{seed}","phase":"{match.phase}",'
            f'{view}"events":[{",".join(waiting)}],"legal":{match.legal_json()},'
            f'"time":{{"move_ms":{move_ms},"bank_ms":{bank_ms},"last_ms":{last_ms}}}}}\n'
        ).encode("ascii")
        waiting.clear()
        return line
