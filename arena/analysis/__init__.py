"""An explanation of a match: what each decision was worth, how bids stood to the cards, luck and play apart.

Pure and deterministic: the same replay gives the same analysis. `analyse` in `arena.analysis.match` does it
all; docs/analysis.md says what every number means.
"""

ANALYSIS_VERSION = 2
"""Raised by every change after which the same replay would be analysed to other numbers."""
