"""The dump truck: group N of the agreements (Rules, agreements table)."""

from engine.agreements.model import Agreement, Flag

DUMP_TRUCK = (
    Agreement(
        id="dump_truck_plus",
        type=Flag(),
        default=True,
        effect="A total of exactly 555 after a deal becomes zero.",
        sources="S1-S5",
    ),
    Agreement(
        id="dump_truck_minus",
        type=Flag(),
        default=True,
        effect="A total of exactly -555 after a deal becomes zero.",
        sources="S1, S2, S3, S5",
    ),
)
