"""All agreements of the rule book are declared, each once."""

import engine
from engine.agreements.model import Always
from engine.ruleset import ruleset_schema


def test_all_180_agreements_are_declared() -> None:
    assert len(engine.AGREEMENTS) == 180
    assert sum(len(rows) for rows in engine.GROUPS.values()) == 180
    assert len(engine.GROUPS) == 16


def test_every_agreement_says_what_it_does_and_where_it_comes_from() -> None:
    for row in engine.AGREEMENTS.values():
        assert len(row.effect) > 15, row.id
        assert row.effect.endswith("."), row.id
        assert row.sources, row.id
        assert row.type.expected(), row.id


def test_every_default_is_legal_and_what_is_played_is_legal() -> None:
    for row in engine.AGREEMENTS.values():
        assert row.type.accepts(row.default), row.id
        for value in row.played or ():
            assert row.type.accepts(value), (row.id, value)


def test_what_an_agreement_interacts_with_exists() -> None:
    ids = set(engine.AGREEMENTS)
    for row in engine.AGREEMENTS.values():
        for other in filter(None, row.interactions.split(", ")):
            stem = other.removesuffix("*")
            known = other in ids or (stem != other and any(name.startswith(stem) for name in ids))
            assert known or other == "the flag declare of play", (row.id, other)


def test_only_rules_can_be_unplayed_or_aids_that_break_hidden_information() -> None:
    unplayed = {row.id for row in engine.AGREEMENTS.values() if row.played is not None and not row.is_rule}
    assert unplayed == {"bonus_show_cards", "bonus_show_widow_suits", "bonus_show_widow_card"}


def test_types_are_strict() -> None:
    barrel, step = engine.AGREEMENTS["barrel"].type, engine.AGREEMENTS["bid_step"].type
    assert barrel.accepts(True)
    assert not barrel.accepts(1)
    assert step.accepts(1)
    assert not step.accepts(True)
    assert not step.accepts(5.0)
    assert not step.accepts("5")


def test_marriage_values_need_all_four_suits() -> None:
    values = engine.AGREEMENTS["marriage_values_map"].type
    assert values.accepts({})
    assert values.accepts({"S": 40, "C": 60, "D": 80, "H": 100})
    assert not values.accepts({"S": 40})
    assert not values.accepts({"S": 40, "C": 60, "D": 80, "H": -1})
    assert not values.accepts({"S": 40, "C": 60, "D": 80, "X": 100})


def test_the_json_schema_lists_every_agreement_with_its_values() -> None:
    schema = ruleset_schema()
    properties = schema["properties"]["agreements"]["properties"]
    assert list(properties) == list(engine.AGREEMENTS)
    assert properties["deal_limit"]["minimum"] == 0
    assert properties["barrel_need"]["type"] == ["integer", "null"]
    fixed = [row for row in engine.AGREEMENTS.values() if isinstance(row.type, Always)]
    assert all(properties[row.id]["const"] == row.default for row in fixed)
