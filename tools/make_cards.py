"""Write the replay viewer's sprite, `platform/thousand/web/static/web/cards.svg`.

    python tools/make_cards.py [FILE]            # write it
    python tools/make_cards.py --check [FILE]    # fail when the stored file differs

Everything in it is drawn here, in numbers: suits on a 100 grid, ranks as stroke outlines on a 60 × 100 grid
(no font, which a reader may not have), and the viewer's own signs. A symbol holds ink only
(`currentColor`); faces, borders and themes are the style sheet's. The output is the same bytes every time.
"""

import sys
from pathlib import Path

SPRITE = Path(__file__).resolve().parents[1] / "platform/thousand/web/static/web/cards.svg"

SUITS = {
    # Two lobes, a notch 20 deep, the tip at (50, 94).
    "S": "M50 3C56 21 95 39 95 63C95 77 84 86 73 86C64 86 57 81 53 73C54 84 58 92 66 97H34C42 92 46 84 47 73"
    "C43 81 36 86 27 86C16 86 5 77 5 63C5 39 44 21 50 3Z",
    "H": "M50 94C19 65 4 48 4 30C4 15 14 6 27 6C38 6 46 13 50 26C54 13 62 6 73 6C86 6 96 15 96 30"
    "C96 48 81 65 50 94Z",
    # 76 wide and 96 high: any smaller it looks too light beside the heart. Sides slightly concave.
    "D": "M50 2Q65 29 88 50Q65 71 50 98Q35 71 12 50Q35 29 50 2Z",
    # Three circles that hardly touch, so that the gaps stay visible at 12 px; the stem holds them.
    "C": "M50 6A21 21 0 0 1 63.6 43Q58 48 57.4 51.5A21 21 0 1 1 54 66.5Q55 86 63 97H37Q45 86 46 66.5"
    "A21 21 0 1 1 42.6 51.5Q42 48 36.4 43A21 21 0 0 1 50 6Z",
}

RANKS = {
    "9": "M53 34C53 50 43 60 30 60S7 50 7 34S17 7 30 7S53 18 53 34V52C53 78 40 92 14 93",
    "10": "M7 25L23 7V93M64 7C49 7 41 24 41 50S49 93 64 93S87 76 87 50S79 7 64 7Z",
    "J": "M46 7V68C46 85 38 93 27 93S8 86 7 73",
    "Q": "M30 7C15 7 7 22 7 50S15 93 30 93S53 78 53 50S45 7 30 7ZM33 69L53 94",
    "K": "M9 7V93M52 7L9 58M24 42L53 93",
    "A": "M5 93L30 7L55 93M14 65H46",
    "Te": "M6 7H54M30 7V93",
    "Ka": "M9 7V93M52 7L9 58M24 42L53 93",
    "De": "M7 94V77H53V94M13 77C21 62 22 42 22 7H46V77",
    "Ve": "M9 7V93H31C46 93 53 83 53 70S46 48 31 48H9M9 7H28C42 7 48 15 48 27S42 48 28 48",
}
"""Te Ka De Ve are the Cyrillic ace, king, queen and jack; the wire's T is the ten, drawn as "10"."""

RANK_WIDTH = {"10": 94}

SIGNS = {
    # On a 16 grid, like the site's icons; meaning lies in the outline, never in colour alone.
    "barrel": "M4.5 2H11.5C13 6 13 10 11.5 14H4.5C3 10 3 6 4.5 2ZM3.6 5.2H12.4M3.6 10.8H12.4",
    "truck": "M1 4L8.5 2.5V9.5H1ZM8.5 5.5H12L15 8.5V11.5H1V9.5"
    "M4 11.5A1.6 1.6 0 1 0 4 14.7A1.6 1.6 0 1 0 4 11.5M12 11.5A1.6 1.6 0 1 0 12 14.7A1.6 1.6 0 1 0 12 11.5",
    "fault": "M5.2 1.5H10.8L14.5 5.2V10.8L10.8 14.5H5.2L1.5 10.8V5.2ZM5.5 5.5L10.5 10.5M10.5 5.5L5.5 10.5",
    "fall": "M8 2V13M3.5 8.5L8 13.5L12.5 8.5",
    "flag": "M4 15V1.5M4 2H13L10.5 5.5L13 9H4",
    "bolt": "M2.5 8H13.5",
    "crown": "M2 12.5V4.5L5.5 8L8 3L10.5 8L14 4.5V12.5Z",
    "star": "M8 1.5L9.9 6L14.7 6.3L11 9.4L12.2 14.1L8 11.5L3.8 14.1L5 9.4L1.3 6.3L6.1 6Z",
    "turn": "M2 8H12.5M8.5 3.5L13 8L8.5 12.5",
    "tick": "M2.5 8.5L6.3 12.5L13.5 3.5",
    "cross": "M3.5 3.5L12.5 12.5M12.5 3.5L3.5 12.5",
    "first": "M3.5 3V13M13 3L6 8L13 13Z",
    "last": "M12.5 3V13M3 3L10 8L3 13Z",
    "back": "M11.5 2.5L4 8L11.5 13.5Z",
    "on": "M4.5 2.5L12 8L4.5 13.5Z",
    "play": "M4 2L13.5 8L4 14Z",
    "pause": "M4.5 2.5V13.5M11.5 2.5V13.5",
    "again": "M13 8A5 5 0 1 1 11 4M11.5 1V4.5H8",
    "link": "M6.5 9.5L9.5 6.5M7 4.5L9 2.5A3.2 3.2 0 0 1 13.5 7L11.5 9"
    "M9 11.5L7 13.5A3.2 3.2 0 0 1 2.5 9L4.5 7",
    "seat-0": "M8 1A7 7 0 1 0 8 15A7 7 0 1 0 8 1Z",
    "seat-1": "M1.5 1.5H14.5V14.5H1.5Z",
    "seat-2": "M8 .8L15.4 14.5H.6Z",
    "seat-3": "M4.2 1.2H11.8L15.5 8L11.8 14.8H4.2L.5 8Z",
}
FILLED = {"first", "last", "back", "on", "play"}


def sprite() -> str:
    """Return the whole SVG file."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg">']
    for suit, path in SUITS.items():
        lines.append(
            f'<symbol id="s-{suit}" viewBox="0 0 100 100" fill="currentColor"><path d="{path}"/></symbol>'
        )
    for rank, path in RANKS.items():
        box = f"0 0 {RANK_WIDTH.get(rank, 60)} 100"
        lines.append(stroked(f"r-{rank}", box, 14, path))
    for name, path in SIGNS.items():
        lines.append(stroked(f"g-{name}", "0 0 16 16", 1.6, path, filled=name in FILLED))
    lines.append(back())
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def stroked(symbol: str, box: str, width: float, path: str, *, filled: bool = False) -> str:
    """Return one outline symbol, round at ends and corners."""
    fill = "currentColor" if filled else "none"
    return (
        f'<symbol id="{symbol}" viewBox="{box}" fill="{fill}" stroke="currentColor" stroke-width="{width:g}" '
        f'stroke-linecap="round" stroke-linejoin="round"><path d="{path}"/></symbol>'
    )


def back() -> str:
    """Return the back's ink: a double inset frame and the number 1000 between two rules; nothing busier."""
    one = "M8 8L12 4V24"
    zero = "M4 8C4 5 6 4 8 4S12 5 12 8V20C12 23 10 24 8 24S4 23 4 20Z"
    digits = "".join(
        f'<path transform="translate({8 + 12 * place} 36)" d="{one if place == 0 else zero}"/>'
        for place in range(4)
    )
    return (
        '<symbol id="g-reverse" viewBox="0 0 72 100" fill="none" stroke="currentColor" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round" preserveAspectRatio="none">'
        '<rect x="5" y="5" width="62" height="90" rx="4"/><rect x="9" y="9" width="54" height="82" rx="2"/>'
        f'<path d="M16 32H56M16 68H56"/>{digits}</symbol>'
    )


def main(arguments: list[str]) -> int:
    """Write the sprite, or with `--check` compare it with the file; return the exit code."""
    text = sprite()
    names = [argument for argument in arguments if argument != "--check"]
    file = Path(names[0]) if names else SPRITE
    if "--check" in arguments:
        stored = file.read_text(encoding="utf-8") if file.exists() else ""
        if stored != text:
            print(f"{file.name} is not what tools/make_cards.py draws: run it again", file=sys.stderr)
            return 1
        return 0
    file.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {file.name}, {len(text.encode())} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
