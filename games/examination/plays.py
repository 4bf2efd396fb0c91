"""Random games, with and without a referee: a ruleset is examined with them."""

from __future__ import annotations

import itertools
import random
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import msgspec

from games.adjustments import Adjudge, Resign, Switch
from games.contract import Adjustment
from games.errors import ImpossibleError
from games.playout import playout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.contract import Effect, Move, Ruleset, State

    Options = dict[str, bool | int | str]

COMBINATIONS = 64
"""The most combinations of options that are all played. Of more, only enough for every choice of every option."""

ENDING = (Adjudge, Resign)
"""Adjustments that can end a game. They are given less often, so that games go on."""

ENDLESS = 5000
"""The number of entries that counts as a game without an end."""

ADJUSTMENT_TRIES = 12
"""How many random adjustments are tried for a possible one."""


class Transition(NamedTuple):
    """The state before a move or an adjustment, the move, its effects, and the state after it."""

    before: State
    move: Move | Adjustment
    effects: list[Effect]
    after: State


class Play(NamedTuple):
    """A random game to its end, by one of the kept revisions, played with all hidden cards visible."""

    ruleset: Ruleset
    options: Options
    seats: int
    steps: list[Transition]
    revision: int

    def opening(self) -> State:
        """The state before the first step."""
        state: State = self.ruleset.open(self.options, None, self.seats, self.revision)
        return state


def execute(state: State, move: Move | Adjustment, version: int) -> list[Effect]:
    """Apply a move, or adjust the state. Raises `ImpossibleError`."""
    return state.adjust([move], version) if isinstance(move, Adjustment) else state.apply(move, version)


def option_settings(ruleset: Ruleset) -> list[Options]:
    """Every combination of a ruleset's options, if there are not too many; else the defaults and some mixtures."""
    choices = {
        option.name: list(ruleset.examined_choices.get(option.name, option.choices)) for option in ruleset.options
    }
    combinations = 1
    for values in choices.values():
        combinations *= len(values)
    if combinations <= COMBINATIONS:
        return [dict(zip(choices, chosen, strict=True)) for chosen in itertools.product(*choices.values())]
    return [{}, *_mixtures(ruleset.name, choices)]


def _mixtures(seed: str, choices: Mapping[str, Sequence[bool | int | str]]) -> list[Options]:
    """Random settings with every choice of every option in at least one of them."""
    chance, count = random.Random(seed), max(map(len, choices.values()))
    columns = []
    for values in choices.values():
        column = list(itertools.islice(itertools.cycle(values), count))
        chance.shuffle(column)
        columns.append(column)
    return [dict(zip(choices, row, strict=True)) for row in zip(*columns, strict=True)]


class PlayBrokenError(Exception):
    """A random game has no end: an exception was raised, or it goes on for ever. `play` is the game up to there.

    The exception is its cause.
    """

    def __init__(self, play: Play, why: str) -> None:
        super().__init__(why)
        self.play = play


@contextmanager
def _going_on(play: Play) -> Iterator[None]:
    try:
        yield
    except PlayBrokenError:
        raise
    except Exception as error:
        raise PlayBrokenError(play, f"{type(error).__name__}: {error}") from error


@cache
def random_game(ruleset: Ruleset, setting: int, seed: int) -> Play:
    """A game with the `setting`-th of the ruleset's settings, always the same for a seed. Raises `PlayBrokenError`."""
    play, state, chance = _begin(ruleset, setting, f"{ruleset.name} {setting} {seed}")
    with _going_on(play):
        for move, effects in playout(state, chance):
            _note(play, state, move, effects)
    return play


@cache
def random_game_with_rulings(ruleset: Ruleset, setting: int, seed: int) -> Play:
    """As `random_game`, with random rulings: before the game, in it, and after its end.

    Raises `PlayBrokenError`.
    """
    play, state, chance = _begin(ruleset, setting, f"ruled {ruleset.name} {setting} {seed}")

    def rule(likely: float) -> None:
        if chance.random() < likely and (given := give_ruling(state, chance)):
            _note(play, state, *given)

    with _going_on(play):
        rule(0.5)
        for move, effects in playout(state, chance):
            _note(play, state, move, effects)
            rule(0.2)
        for _ in range(6):
            rule(1)
    return play


def _begin(ruleset: Ruleset, setting: int, seed: str) -> tuple[Play, State, random.Random]:
    chance = random.Random(seed)
    kept = range(ruleset.oldest_revision, ruleset.revision + 1)
    revision = kept[crc32(seed.encode()) % len(kept)]
    play = Play(ruleset, option_settings(ruleset)[setting], chance.choice(ruleset.seats), [], revision)
    return play, play.opening(), chance


def _note(play: Play, state: State, move: Move | Adjustment, effects: list[Effect]) -> None:
    if len(play.steps) == ENDLESS:
        raise PlayBrokenError(play, f"there is no end after {ENDLESS} entries")
    before = play.steps[-1].after if play.steps else play.opening()
    play.steps.append(Transition(before, move, effects, state.copy()))


def give_ruling(state: State, chance: random.Random) -> tuple[Adjustment, list[Effect]] | None:
    """Adjust `state` by the first possible one of some random adjustments; None if none is possible."""
    for _ in range(ADJUSTMENT_TRIES if state.ruleset.adjustments else 0):
        form = chance.choice(state.ruleset.adjustments)
        if form in ENDING and chance.random() < 0.8:
            continue
        adjustment = random_adjustment(state.ruleset, form, state.seats, chance)
        with suppress(ImpossibleError):
            return adjustment, state.adjust([adjustment])
    return None


def random_adjustment(ruleset: Ruleset, form: type[Adjustment], seats: int, chance: random.Random) -> Adjustment:
    """An adjustment of this kind that its type allows, possible or not."""
    if form is Adjudge:
        order = [chance.randrange(seats) for _ in range(seats)]
        return Adjudge(ranks=tuple(1 + sum(other < key for other in order) for key in order))
    if form is Switch:
        option = chance.choice(ruleset.options)
        return Switch(name=option.name, value=chance.choice(option.choices))
    fields = msgspec.inspect.type_info(form).fields  # type: ignore[attr-defined]
    return form(**{field.name: _value(field.type, seats, chance) for field in fields})


def _value(kind: msgspec.inspect.Type, seats: int, chance: random.Random) -> Any:
    match kind:
        case msgspec.inspect.UnionType():
            return _value(chance.choice(kind.types), seats, chance)
        case msgspec.inspect.NoneType():
            return None
        case msgspec.inspect.Metadata(extra_json_schema={"x-seat": True}):
            return chance.randrange(seats)
        case msgspec.inspect.LiteralType():
            return chance.choice(kind.values)
        case msgspec.inspect.BoolType():
            return chance.random() < 0.5
        case msgspec.inspect.IntType():
            low, high = -1000 if kind.ge is None else kind.ge, 1000 if kind.le is None else kind.le
            return chance.randint(max(low, -9), min(high, 9))
        case _:
            raise TypeError(kind)


def fingerprint(play: Play) -> str:
    """A checksum of a game: its moves, their effects and its states."""
    course = [[type(step.move).__name__, step.move, step.effects, step.after.dump()] for step in play.steps]
    return f"{crc32(msgspec.json.encode(course)):08x}"


def replayed(play: Play) -> Iterator[tuple[Transition, State, list[Effect]]]:
    """Play the game again: each recorded step, with the new state and effects."""
    state = play.opening()
    for step in play.steps:
        effects = execute(state, step.move, step.after.version)
        yield step, state, effects
