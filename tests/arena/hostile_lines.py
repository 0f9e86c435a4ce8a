"""Lines that a bot might write instead of its reply, without end, guided by what they draw.

Mutations of a corpus, and a line whose answer is of a new kind joins the corpus: so the fuzzer works its way
from "not JSON" into the strict decoder's every branch. Deterministic by its seed.
"""

import json
import random
import re
from collections.abc import Iterator

ID = 42
ACTION = "play QS"

CORPUS: tuple[bytes, ...] = (
    b'{"id":42,"action":"play QS"}\n',
    b'{"id": 42, "action": "play QS"}\r\n',
    b'{"action":"pass","id":42,"why":[1,2.5e3,true,null,{"a":"\\u00e9"}]}\n',
    b'{"type":"ready"}\n',
    b'{"id":42.0,"action":"pass"}\n',
    b'{"id":true,"action":"pass"}\n',
    b'{"id":"42","action":["pass"]}\n',
    b'{"id":41,"action":"pass"}\n',
    b'{"id":42}\n',
    b'{"action":"pass"}\n',
    b'{"id":42,"id":42,"action":"pass"}\n',
    b'{"id":42,"action":"pass","\\u0061ction":"bid 105"}\n',
    b'{"id":42,"action":"a","x":NaN}\n',
    b'{"id":42,"action":"a","x":-Infinity}\n',
    b'{"id":42,"action":"a","x":1e400}\n',
    b'{"id":1' + b"0" * 4400 + b',"action":"a"}\n',
    b'{"id":42,"action":"a","x":0.' + b"1" * 200 + b"}\n",
    b'{"id":42,"action":"\\ud800"}\n',
    b'{"id":42,"action":"\\ud83d\\ude00"}\n',
    b'{"id":42,"action":"a\\u0000"}\n',
    b'{"id":42,"action":"\xc3\xa9\xe2\x80\xae"}\n',
    b'{"id":42,"action":"\xff"}\n',
    b'{"id":42,"action":"\xed\xa0\x80"}\n',
    b'\xef\xbb\xbf{"id":42,"action":"pass"}\n',
    '{"id":42,"action":"pass"}\n'.encode("utf-16"),
    '{"id":42,"action":"pass"}\n'.encode("utf-32"),
    b"[" * 3000 + b"]" * 3000 + b"\n",
    b'{"a":' * 500 + b"1" + b"}" * 500 + b"\n",
    b'{"id":42,"action":"' + b"x" * 60_000 + b'"}\n',
    b'{"id":42,"action":"' + b"\\u0041" * 5000 + b'"}\n',
    b"{\n",
    b"\n\n \t\r\n",
    b"thinking...\n",
    b'"pass"\n',
    b"\0\0\0\n",
    b"\x1b[31m{}\n",
    b"error: no model file\n",
    b'{"id":42,"action":"pass"} // sure\n',
    b"{'id':42,'action':'pass'}\n",
    b'{"id":0x2a,"action":"pass"}\n',
    b'{"id":042,"action":"pass"}\n',
    b'{"id":-0,"action":"pass"}\n',
    b'{"id":42,"action":"tab\there"}\n',
)

_TOKENS = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b":", b",", b"\n", b"\r", b"\0", b"\xff", b"\xed\xa0\x80",
    b"\xe2\x80\xae", b"\\u0000", b"\\ud800", b"\\udfff", b"\\u", b"NaN", b"Infinity",
    b"1e400", b"-", b"0", b"9" * 25, b"1.5",
    b'"id":42', b'"id"', b'"action"', b'"action":"pass"', b"null", b"true", b"\xef\xbb\xbf", b"\x85",
    b"\xa0", b"\x7f",
)  # fmt: skip


class HostileLines:
    """An endless supply; `learn` what each line drew, and the next ones go deeper."""

    def __init__(self, seed: int, longest: int = 65_536) -> None:
        self._dice = random.Random(seed)
        self._longest = longest
        self._corpus = list(CORPUS)
        self._kinds: set[str] = set()

    @property
    def kinds(self) -> int:
        """How many kinds of answers have been drawn."""
        return len(self._kinds)

    def __iter__(self) -> Iterator[bytes]:
        yield from CORPUS
        while True:
            yield self._mutated()

    def learn(self, line: bytes, answer: str) -> None:
        """Keep a line that drew an answer of a new kind: numbers and quoted text make none."""
        kind = re.sub(r"`.*`|\".*?\"|0x..|\d+", "…", answer)
        if kind not in self._kinds and len(line) < 4096:
            self._kinds.add(kind)
            self._corpus.append(line)

    def _mutated(self) -> bytes:
        dice = self._dice
        if dice.random() < 0.05:
            return json.dumps(self._value(0)).encode() + b"\n"
        line = bytearray(dice.choice(self._corpus))
        for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
            at = dice.randrange(len(line) + 1)
            match dice.randrange(7):
                case 0:
                    line[at:at] = dice.choice(_TOKENS)
                case 1:
                    del line[at : at + dice.choice((1, 1, 2, 10))]
                case 2:
                    line[at : at + 1] = bytes([dice.randrange(256)])
                case 3:
                    other = dice.choice(self._corpus)
                    cut = dice.randrange(len(other) + 1)
                    line[at:] = other[cut:]
                case 4:
                    line[at:at] = line[at : at + 20] * dice.choice((1, 2, 40))
                case 5:
                    line[at : at + 4] = dice.choice(_TOKENS)
                case 6:
                    line += b"\n" * dice.randrange(3)
        return bytes(line[: self._longest])

    def _value(self, depth: int) -> object:
        """A random JSON value that is almost a reply."""
        dice = self._dice
        if depth == 0:
            reply: dict[str, object] = {"id": ID, "action": ACTION}
            for _ in range(dice.randrange(3)):
                reply[dice.choice(("id", "action", "x", "", "ID", "\0"))] = self._value(1)
            return reply
        return dice.choice(
            [
                *(None, True, 0, ID, -1, 10 ** dice.randrange(40), 1.5, float("nan"), float("inf"), ""),
                *("pass", "\ud800", "\0", "é", "x" * 200, [], {}),
                [self._value(depth + 1) for _ in range(dice.randrange(3))] if depth < 40 else 0,
            ]
        )
