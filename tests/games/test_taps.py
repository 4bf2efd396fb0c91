"""What a picture says about taps is true: a place means moves of its ruleset, and finds those that are legal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from games import transcript
from games.rulesets import RULESETS
from tests import goldens
from tests.choosing import short_or_soak

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Ruleset, State

TAPPED = {
    "kahuna": {"take", "draw", "discard"},
    "verraeter": {"put", "turn"},
    "manapani": {"gain", "put", "claim", "drain_magic", "leave"},
    "catan_cards": {"draw", "return", "event"},
    "scoresheet": {"line"},
}
"""The moves of each ruleset that a picture has a place for, beside those that name one."""
EVERY = short_or_soak(15, 5)
"""Of how many moments one is looked at."""


def states(ruleset: Ruleset) -> Iterator[State]:
    for game in [*goldens.games(ruleset).values()][:: short_or_soak(2, 1)]:
        for number, step in enumerate(transcript.replay(ruleset, game)):
            if number % EVERY == 0:
                yield step.state


def lots_of(state: State) -> set[str]:
    return {lot for lots in re.findall(r'data-means="([^"]+)"', state.picture()) for lot in lots.split("|")}


def fields_by_type(ruleset: Ruleset) -> dict[str, set[str]]:
    schema = msgspec.json.schema(ruleset.moves)["$defs"].values()
    moves = [part["properties"] for part in schema if "type" in part.get("properties", ())]
    return {fields["type"]["enum"][0]: set(fields) for fields in moves}


def is_meant(move: dict[str, Any], lot: str) -> bool:
    def has(name: str, value: str) -> bool:
        found = move.get(name)
        return value in {str(part) for part in (found if isinstance(found, list) else [found])}

    return all(has(*field.split("=")) for field in lot.split(" "))


@pytest.mark.parametrize("name", sorted(TAPPED))
@pytest.mark.slow
def test_what_a_place_means_are_fields_of_moves_and_legal_ones_are_found_by_it(name: str) -> None:
    ruleset = RULESETS[name]
    fields, found, result = fields_by_type(ruleset), set(), set()
    for state in states(ruleset):
        lots = lots_of(state)
        result |= lots
        legal = [ruleset.move_data(move) for move in state.legal_moves()]
        found |= {move["type"] for move in legal if any(is_meant(move, lot) for lot in lots)}
    for lot in result:
        named = dict(field.split("=") for field in lot.split(" "))
        kinds = [named["type"]] if "type" in named else list(fields)
        assert any(set(named) <= fields[kind] for kind in kinds), lot
    assert found >= TAPPED[name]
