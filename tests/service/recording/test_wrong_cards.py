"""A dry run of an entry with a wrong card says what the rules say, and names the entries that show it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.choosing import soak_except
from tests.games.recorded import Noise, Table
from tests.games.test_evidence import ABOUT_CARDS, after, named, said

if TYPE_CHECKING:
    from tests.games.recorded import Made
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

NAMES = ("kahuna", "verraeter", "manapani", "catan_cards")
EVERY = [(name, seed) for name in NAMES for seed in range(6)]
WRONG = 12
"""The wrong entries that are tried at the end of a record."""


def recorded(api: Api, table: Table, record: list[Made]) -> str:
    """The record of a game over the API: each entry has the same version there."""
    components = {} if table.components is None else {"components": msgspec.to_builtins(table.components)}
    opening = {"ruleset": table.ruleset.name, "options": table.options, "seats": [{}] * table.seats}
    game = api.open(**opening, **components)
    for made in record:
        answer = api.record(game, msgspec.to_builtins(made.entry))
        assert answer.status_code == 201, answer.text
    return game


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), soak_except(EVERY, *[(name, 0) for name in NAMES]))
def test_a_dry_run_says_of_a_wrong_card_what_the_rules_say(api: Api, name: str, seed: int) -> None:
    table, chance, count = Table(name, seed), random.Random(seed), 0
    table.play(24, slips=0, rulings=0)
    noise = Noise(table, seed, 1.0)
    record = [made._replace(version=number) for number, made in enumerate(table.made, 2)]
    game, state = recorded(api, table, record), after(table, record)
    for _ in range(WRONG):
        made = chance.choice(record)
        wrong = made._replace(entry=noise.mistaken(made.entry), version=len(record) + 2)
        expected = [*said(state, wrong)]
        told = answered(api, game, wrong.entry)
        assert {text for text in expected if named(text)} <= told, (wrong, told)
        count += len(expected)
    assert count or seed


def answered(api: Api, game: str, move: Any) -> set[str]:
    """What a dry run says about cards."""
    answer = api.record(game, msgspec.to_builtins(move), query="?dry_run=true").get_json()
    texts = [
        answer.get("detail", ""),
        answer.get("impossible", ""),
        *[breach["detail"] for breach in answer.get("breaches", ())],
    ]
    return {text for text in texts if ABOUT_CARDS.search(text)}
