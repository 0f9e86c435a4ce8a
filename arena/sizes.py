"""Sizes of files as a person reads them, the same in every report and on every page."""

KB = 1024
MIB = 1024 * KB


def size_text(size: int) -> str:
    """Return a number of bytes: `1 byte`, `133 bytes`, `48 kB` of 1024 bytes, `1.2 MiB`."""
    if size < KB:
        return f"{size} byte" if size == 1 else f"{size} bytes"
    if size < MIB:
        return f"{size / KB:.0f} kB"
    return f"{size / MIB:.1f}".removesuffix(".0") + " MiB"
