"""The engine as the second opinion asks it: two plain functions."""

from typing import Any

from engine import cases


def engine_score(
    preset: str, overrides: dict[str, Any], before: dict[str, Any], deal: dict[str, Any]
) -> dict[str, Any]:
    return cases.score_case({"preset": preset, "overrides": overrides, "before": before, "deal": deal})


def engine_legal(position: dict[str, Any]) -> dict[str, Any]:
    return cases.legal_case(position)
