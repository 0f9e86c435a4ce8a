"""Every agreement of the rule book, declared once: id, type, default, effect, interactions, source."""

from types import MappingProxyType

from engine.agreements.auction import AUCTION
from engine.agreements.barrel import BARREL
from engine.agreements.blind import BLIND
from engine.agreements.bolts import BOLTS
from engine.agreements.concession import CONCESSION
from engine.agreements.conduct import CONDUCT
from engine.agreements.deal import DEAL
from engine.agreements.dump_truck import DUMP_TRUCK
from engine.agreements.exchange import EXCHANGE
from engine.agreements.golden import GOLDEN
from engine.agreements.mariage import MARIAGE
from engine.agreements.marriages import MARRIAGES
from engine.agreements.model import Agreement, Value
from engine.agreements.redeal import REDEAL
from engine.agreements.scoring import SCORING
from engine.agreements.table import TABLE
from engine.agreements.tricks import TRICKS

GROUPS = MappingProxyType(
    {
        "Table, target and session": TABLE,
        "The deal and the cutting ritual": DEAL,
        "Redeal rights": REDEAL,
        "The auction": AUCTION,
        "Widow, pass and contract": EXCHANGE,
        "Concession (роспись)": CONCESSION,
        "Golden deals (золотой кон)": GOLDEN,
        "Blind games (втёмную)": BLIND,
        "Marriages, trumps and leading": MARRIAGES,
        "Trick play": TRICKS,
        "Scoring of a deal": SCORING,
        "Bolts": BOLTS,
        "The barrel": BARREL,
        "The dump truck": DUMP_TRUCK,
        "Conduct and matters named without rules": CONDUCT,
        "The old game Mariage with chips": MARIAGE,
    }
)
"""Agreements by group, in the order of the rule book."""

AGREEMENTS = MappingProxyType({row.id: row for rows in GROUPS.values() for row in rows})
"""All agreements by id, in the order of the rule book."""

DEFAULTS = MappingProxyType({row.id: row.default for row in AGREEMENTS.values()})
"""The engine default of every agreement."""

__all__ = ["AGREEMENTS", "DEFAULTS", "GROUPS", "Agreement", "Value"]
