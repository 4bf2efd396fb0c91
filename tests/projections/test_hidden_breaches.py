"""An entry breaks the rules from a viewpoint just if its move, as seen from there, breaks those of the view."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec
import pytest

from events.types import GameOpened
from games.contract import PUBLIC, RECORD, Viewpoint
from games.errors import ImpossibleError
from games.examination.plays import give_ruling, option_settings
from games.rulesets import RULESETS
from projections.fold import Fold, open_state
from projections.statistics.digests import digest_of
from tests.choosing import soak_except
from tests.games.misrecording import legal_or_odd_move
from tests.service.twins import CARDS

if TYPE_CHECKING:
    from games.errors import RuleBrokenError
    from tests.projections.conftest import Recorder

RULED = 0.03
"""How often a ruling is given."""
TELLING = (14, 36)
"""Games of Verräter in which a move breaks a rule from some views alone."""
NOTED = 31
"""A game of Verräter in which a secret note breaks a rule."""


def opened(name: str, chance: random.Random) -> Fold:
    ruleset = RULESETS[name]
    data = {"ruleset": name, "revision": ruleset.revision, "seats": [{}] * chance.choice(ruleset.seats)}
    opening = msgspec.convert(data | {"options": chance.choice(option_settings(ruleset))}, GameOpened)
    return Fold("a game", opening, open_state(opening), 0)


def rules(breaches: list[RuleBrokenError]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(breach.rule for breach in breaches))


def played(name: str, seed: int, moves: int) -> tuple[Fold, dict[Viewpoint, dict[int, tuple[str, ...]]]]:
    """A game in which much is noted against the rules, and what each view of it broke, judged by itself."""
    chance = random.Random(f"{name} {seed}")
    fold = opened(name, chance)
    viewpoints = [*(Viewpoint("seat", seat) for seat in range(fold.seats)), PUBLIC, RECORD]
    broken: dict[Viewpoint, dict[int, tuple[str, ...]]] = {viewpoint: {} for viewpoint in viewpoints}
    for version in range(2, moves):
        if chance.random() < RULED and (ruling := give_ruling(fold.state.copy(), chance)):
            fold.apply_ruling(version, ruling[:1])
            continue
        if (move := legal_or_odd_move(fold.state, chance)) is None:
            break
        seen = {each: rules(list(fold.state.view(each).breaches(move.seen(each)))) for each in viewpoints}
        try:
            fold.play(version, move)
        except ImpossibleError:
            continue
        for each, found in seen.items():
            broken[each] |= {version: found} if found else {}
    return fold, broken


@pytest.mark.parametrize("seed", soak_except(range(60), *range(3), *TELLING))
@pytest.mark.parametrize("name", CARDS)
def test_each_view_breaks_the_rules_that_its_own_moves_break(name: str, seed: int) -> None:
    fold, broken = played(name, seed, 130)
    for viewpoint, found in broken.items():
        assert fold.irregular_from(viewpoint) == found, viewpoint.name
    loaded = Fold.load(fold.game, fold.version, fold.hash, fold.dump())
    assert loaded.irregular_from(PUBLIC) == broken[PUBLIC]


def test_secret_notes_let_later_moves_break_rules_from_some_views_alone() -> None:
    """Else the test above would prove nothing."""
    found = [played("verraeter", seed, 130)[0] for seed in TELLING]
    assert any(
        any(seen) for fold in found for entry, seen in fold.hidden_irregular.items() if entry not in fold.irregular
    )


def test_statistics_count_the_broken_rules_that_everybody_knows(table: Recorder) -> None:
    """A secret note breaks a rule in the record, and nobody else sees it."""
    chance = random.Random(NOTED)
    fold = opened("verraeter", chance)
    game = table.open(**msgspec.to_builtins(fold.opened) | {"happened_at": None})
    version = 1
    while version < 40 and (move := legal_or_odd_move(fold.state, chance)):
        with suppress(ImpossibleError):
            fold.play(version + 1, move)
            told = {"move": fold.ruleset.move_data(move), "override": {"reason": "it happened"}}
            version = table.add(game, "move.made", told).version
    digest = digest_of(table.archive.folds, game, version)
    counted = sum(map(Counter, (digest.irregular, *(seat.irregular for seat in digest.seats))), Counter())
    public, whole = (Counter(chain(*fold.irregular_from(each).values())) for each in (PUBLIC, RECORD))
    assert counted == public != whole


@pytest.mark.parametrize("seed", soak_except(range(40), 0, 2, 3, 9))
@pytest.mark.parametrize("name", ["verraeter", "manapani"])
def test_no_legal_move_breaks_a_rule_after_secret_notes_against_the_rules(name: str, seed: int) -> None:
    """Seeds 2, 3 and 9 of Verräter listed cards that the hand cannot hold by what everybody saw."""
    chance = random.Random(seed)
    state = RULESETS[name].open({}, None, 3)
    for version in range(2, 110):
        move = legal_or_odd_move(state, chance)
        if move is None:
            break
        with suppress(ImpossibleError):
            state.apply(move, version)
        for listed in islice(state.legal_moves(), 20) if state.looks_back else ():
            assert not list(state.breaches(listed)), (version, listed)
