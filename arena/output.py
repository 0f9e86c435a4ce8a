"""What a bot wrote to standard error: its beginning and its end, never all of it."""

KEPT_BYTES = 65_536
"""Head and tail are kept up to this many bytes each."""

# Line ends and tabs stay; other control characters, and the invisible ones that turn text around, do not.
_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\t"), ord("\n"), ord("\r")}
_TURNING = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_HARMLESS = dict.fromkeys(_CONTROLS | _TURNING, "\ufffd")


class OutputLog:
    """Head, tail and total of a stream of bytes."""

    __slots__ = ("_head", "_tail", "total")

    def __init__(self) -> None:
        self.total = 0
        """Bytes written so far, kept or not."""
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self.total += len(data)
        room = KEPT_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data
            if len(self._tail) > 2 * KEPT_BYTES:
                del self._tail[:-KEPT_BYTES]

    @property
    def truncated(self) -> bool:
        """Whether bytes between head and tail were dropped."""
        return self.total > len(self._head) + KEPT_BYTES

    def head_text(self) -> str:
        """Return the first 64 KiB, safe to store and to show."""
        return harmless_text(bytes(self._head))

    def tail_text(self) -> str:
        """Return the last 64 KiB that are not in the head; begins with a mark if bytes were dropped."""
        tail = harmless_text(bytes(self._tail[-KEPT_BYTES:]))
        if not self.truncated:
            return tail
        dropped = self.total - len(self._head) - KEPT_BYTES
        return f"[… {dropped} bytes truncated …]\n{tail}"

    def ending(self, most: int = 4096) -> str:
        """Return the last `most` bytes as text: what there is to explain an end."""
        return harmless_text(bytes(self._head[-most:] + self._tail[-most:])[-most:])

    def last_lines(self, count: int) -> str:
        """Return the last non-empty lines, for messages that explain an end."""
        recent = self.ending()
        lines = [line for line in recent.splitlines() if line.strip()]
        return "\n".join(lines[-count:])


def harmless_text(data: bytes) -> str:
    """Decode a bot's bytes; what is not UTF-8, and every control character, becomes U+FFFD."""
    return data.decode("utf-8", "replace").translate(_HARMLESS)
