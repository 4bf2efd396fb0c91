"""The fold: one game's state at one version, made by applying its entries one after the other."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from events.types import GameOpened, MoveMade
from games.contract import Effect, Move
from games.errors import BadMoveError, BadOpeningError, ImpossibleError, RuleBrokenError
from games.rulesets import RULESETS
from projections.errors import FoldError, RulesetUnknownError

if TYPE_CHECKING:
    from events.event import Event
    from games.contract import Outcome, Ruleset, State

M = TypeVar("M", bound=Move)

_opened = msgspec.json.Decoder(GameOpened)


class _Made(msgspec.Struct, Generic[M]):
    """`MoveMade` with the move as the ruleset has it: each byte is decoded once."""

    move: M


@cache
def _decoder(ruleset: Ruleset[Any, M]) -> msgspec.json.Decoder[_Made[M]]:
    return msgspec.json.Decoder(_Made[ruleset.moves])  # type: ignore[name-defined]


class Step(msgspec.Struct, frozen=True):
    """What one move did: its effects, and the rules that it broke, if it stands against them."""

    move: Move
    effects: list[Effect]
    breaches: list[RuleBrokenError]


class Fold:
    """A game's state at `version`, whose entry has `hash`. `irregular` maps entries to the rule ids they broke."""

    __slots__ = ("game", "hash", "irregular", "opened", "recorded_at", "ruleset", "started_at", "state", "version")

    def __init__(self, game: str, opened: GameOpened, state: State, started_at: int) -> None:
        self.game, self.opened, self.state, self.started_at = game, opened, state, started_at
        self.ruleset: Ruleset[Any, Any] = ruleset_of(opened)
        self.version, self.hash, self.recorded_at = 1, "", started_at
        self.irregular: dict[int, tuple[str, ...]] = {}

    @classmethod
    def start(cls, event: Event) -> Fold:
        """The fold of a `game.opened` alone. Raises `RulesetUnknownError`, `FoldError`."""
        opened = _opened.decode(event.body)
        try:
            state = open_state(opened)
        except BadOpeningError as error:
            raise FoldError(event.game, event.version, str(error)) from error
        fold = cls(event.game, opened, state, event.recorded_at)
        fold.reach(event)
        return fold

    def copy(self) -> Fold:
        """An independent fold at the same version."""
        twin = Fold.__new__(Fold)
        twin.game, twin.opened, twin.ruleset, twin.started_at = self.game, self.opened, self.ruleset, self.started_at
        twin.version, twin.hash, twin.recorded_at = self.version, self.hash, self.recorded_at
        twin.state, twin.irregular = self.ruleset.copy(self.state), self.irregular.copy()
        return twin

    def reach(self, event: Event) -> None:
        """Stand at `event`, whatever it did to the state."""
        self.version, self.hash, self.recorded_at = event.version, event.hash, event.recorded_at

    def play(self, version: int, move: Move) -> Step:
        """Apply `move` as entry `version`, legal or not. Raises `ImpossibleError` and is unchanged then."""
        state, ruleset = self.state, self.ruleset
        breaches = list(ruleset.breaches(state, move))
        before, state.version = state.version, version
        try:
            effects = ruleset.apply(state, move)
        except ImpossibleError:
            state.version = before
            raise
        if breaches:
            self.irregular[version] = tuple(dict.fromkeys(breach.rule for breach in breaches))
        return Step(move, effects, breaches)

    def take(self, event: Event) -> Step:
        """Apply a stored `move.made`. Raises `FoldError` for what cannot be carried out."""
        try:
            return self.play(event.version, self.move_of(event))
        except (BadMoveError, ImpossibleError) as error:
            raise FoldError(event.game, event.version, str(error)) from error

    def move_of(self, event: Event) -> Move:
        """The typed move of a stored `move.made`. Raises `BadMoveError`."""
        try:
            move: Move = _decoder(self.ruleset).decode(event.body).move
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise BadMoveError.of(error) from None
        return move

    def totals(self) -> list[int]:
        """The score of every seat."""
        return self.ruleset.totals(self.state, len(self.opened.seats))

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        outcome: Outcome | None = self.ruleset.outcome(self.state)
        return outcome

    def dump(self) -> bytes:
        """The fold as JSON, for a checkpoint."""
        saved = {
            "opened": self.opened,
            "state": self.ruleset.dump(self.state),
            "irregular": self.irregular,
            "started_at": self.started_at,
            "recorded_at": self.recorded_at,
        }
        return msgspec.json.encode(saved)

    @classmethod
    def load(cls, game: str, version: int, hash_: str, data: bytes) -> Fold:
        """The fold that `dump` wrote."""
        saved = _saved.decode(data)
        fold = cls(game, saved.opened, ruleset_of(saved.opened).load(saved.state), saved.started_at)
        fold.version, fold.hash, fold.recorded_at = version, hash_, saved.recorded_at
        fold.irregular = saved.irregular
        return fold


class _Saved(msgspec.Struct):
    opened: GameOpened
    state: dict[str, Any]
    irregular: dict[int, tuple[str, ...]]
    started_at: int
    recorded_at: int


_saved = msgspec.json.Decoder(_Saved)


def ruleset_of(opened: GameOpened) -> Ruleset[Any, Any]:
    """The ruleset that a game was opened with. Raises `RulesetUnknownError`."""
    ruleset = RULESETS.get(opened.ruleset)
    if ruleset is None:
        raise RulesetUnknownError(opened.ruleset, f"unknown; there are {', '.join(RULESETS)}")
    if opened.revision > ruleset.revision:
        raise RulesetUnknownError(
            opened.ruleset, f"revision {opened.revision} is newer than {ruleset.revision}, which this release knows"
        )
    return ruleset


def open_state(opened: GameOpened) -> State:
    """The state before the first move. Raises `RulesetUnknownError`, `BadOpeningError`."""
    state: State = ruleset_of(opened).open(opened.options, opened.components, len(opened.seats))
    return state


def override_of(event: Event) -> str | None:
    """Why a stored move stands against the rules, in the recorder's words."""
    made = msgspec.json.decode(event.body, type=MoveMade)
    return made.override.reason if made.override else None
