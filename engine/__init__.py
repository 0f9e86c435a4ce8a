"""The rules of Thousand: deterministic, immutable at its face, standard library only.

Start a match, ask for legal actions, move on, look at what a seat may know:

    import engine

    ruleset = engine.Ruleset.from_preset("tournament_default")
    step = engine.start(ruleset, engine.parse_seed("7"))
    while not engine.is_terminal(step.state):
        view = engine.observation(step.state, step.state.turn)
        step = engine.step(step.state, engine.legal_actions(step.state)[0])
    print(engine.outcome(step.state))

How the game is played, and how every deal follows from the seed, is told in docs/rules.md.
"""

from engine.compiled import COMPILED  # isort: skip - decides how every other module is imported
from engine.actions import Action, parse_action
from engine.agreements import AGREEMENTS, DEFAULTS, GROUPS, Agreement
from engine.auction import bid_cap
from engine.cards import (
    CARD_POINTS,
    CARD_TEXTS,
    DECK_POINTS,
    DECK_SIZE,
    RANKS,
    SUITS,
    Card,
    card_text,
    card_texts,
    cards_of,
    mask_of,
    parse_card,
    points_of,
)
from engine.dealing import bot_seed, first_dealer, parse_seed, seed_commitment, seed_from_int
from engine.errors import EngineError, IllegalActionError, InvalidActionError, RecordError, RulesetError
from engine.events import Event
from engine.match import (
    DEAL_CAP,
    Step,
    apply,
    initial_state,
    is_terminal,
    legal_actions,
    outcome,
    start,
    step,
)
from engine.observation import Observation, observation
from engine.outcome import Outcome, Termination
from engine.presets import PLAYABLE_PRESETS, PRESETS, Preset
from engine.record import MatchRecord, replay_record
from engine.ruleset import RULES_VERSION, STANDARD_MARRIAGES, Ruleset, ruleset_schema
from engine.scoring import score_deal
from engine.standing import CAUSES, DealResult, DealScore, Entry, Standing
from engine.state import MatchState, Phase

MARRIAGE_VALUES = dict(zip(SUITS, STANDARD_MARRIAGES, strict=True))
"""Standard value of a marriage by suit letter; a ruleset's own: `Ruleset.marriage_points`."""

__all__ = [
    "AGREEMENTS",
    "CARD_POINTS",
    "CARD_TEXTS",
    "CAUSES",
    "COMPILED",
    "DEAL_CAP",
    "DECK_POINTS",
    "DECK_SIZE",
    "DEFAULTS",
    "GROUPS",
    "MARRIAGE_VALUES",
    "PLAYABLE_PRESETS",
    "PRESETS",
    "RANKS",
    "RULES_VERSION",
    "STANDARD_MARRIAGES",
    "SUITS",
    "Action",
    "Agreement",
    "Card",
    "DealResult",
    "DealScore",
    "EngineError",
    "Entry",
    "Event",
    "IllegalActionError",
    "InvalidActionError",
    "MatchRecord",
    "MatchState",
    "Observation",
    "Outcome",
    "Phase",
    "Preset",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "Standing",
    "Step",
    "Termination",
    "apply",
    "bid_cap",
    "bot_seed",
    "card_text",
    "card_texts",
    "cards_of",
    "first_dealer",
    "initial_state",
    "is_terminal",
    "legal_actions",
    "mask_of",
    "observation",
    "outcome",
    "parse_action",
    "parse_card",
    "parse_seed",
    "points_of",
    "replay_record",
    "ruleset_schema",
    "score_deal",
    "seed_commitment",
    "seed_from_int",
    "start",
    "step",
]
