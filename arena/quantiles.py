"""Quantiles for 95 % intervals of a mean of blocks. Pure."""

NORMAL_975 = 1.959964
T_975 = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604,
    2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.093, 2.086, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555,
    2.0518, 2.0484, 2.0452, 2.0423, 2.0395, 2.0369, 2.0345, 2.0322, 2.0301, 2.0281, 2.0262, 2.0244,
)  # fmt: skip
"""97.5 % quantiles of Student's t for 1, 2, 3 … degrees of freedom; blocks less one, below 40 blocks."""


def quantile_975(blocks: int) -> float:
    """Return the quantile for a 95 % interval from so many blocks: Student's t below 40."""
    return T_975[max(0, blocks - 2)] if blocks < 40 else NORMAL_975
