"""Moves, which own their rules, and what they do: effects. Rulings change the table without a move."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from games.contract.chance import Chance
    from games.contract.state import Viewpoint
    from games.errors import RuleBrokenError

JSON = dict[str, Any]

GAP = "{}"
"""The mark of a blank in a template."""
_OPEN = re.compile(r"(?<!\S)\?(?!\S)")


class Move(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
    tag_field="type",
    gc=False,
):
    """The smallest thing a recorder enters. Every move of a ruleset is a subclass with a `tag`, and owns its rules.

    `seat` made it; None is the table (a deal, a new row). Each kind has its `legal`, `check` and `execute`. Rules that
    many kinds share, such as the order of turns, stand in a common base class, in `breaches` and `apply`.
    """

    unknown_fields: ClassVar[tuple[str, ...]] = ()
    """The fields with facts that can be left open and revealed later: None, or a missing card, was not noted."""
    steps: ClassVar[tuple[Any, ...] | None] = None
    """The `due` steps that list such a move: None for all, `()` for a kind that is never listed."""
    decision: ClassVar[str | None] = "play"
    """The decision that such a move is: a review holds it against moves with the same one. None notes what chance did.

    A decision of its own is one that a player makes beside the others of a turn, such as a card that is chosen hidden.
    """

    seat: int | None = None

    @classmethod
    def legal(cls, state: Any) -> Iterator[Self]:  # noqa: ARG003
        """Every move of this kind that the rules allow now, with facts of chance left open.

        It is only called at its `steps`.
        """
        return iter(())

    @classmethod
    def legal_at_random(cls, state: Any, chance: Chance) -> Self | None:
        """A legal move of this kind, each with the same odds; None without one.

        A kind overrides it where the list takes long, and one move of it does not.
        """
        moves = list(cls.legal(state))
        return chance.choice(moves) if moves else None

    def breaches(self, state: Any) -> Iterable[RuleBrokenError]:
        """Every rule that the move would break, the most important first. Never raises."""
        over = state.game_over_breach()
        return (over, *self.check(state)) if over else self.check(state)

    def check(self, state: Any) -> Iterable[RuleBrokenError]:  # noqa: ARG002
        """The rules of this kind of move that it would break."""
        return ()

    def apply(self, state: Any) -> list[Effect]:
        """Carry the move out on `state`, legal or not, and return its effects.

        Raises `ImpossibleError` for a physically impossible move, before anything changes.
        """
        return self.execute(state)

    def execute(self, state: Any) -> list[Effect]:
        """Carry out a possible move, and return its effects."""
        raise NotImplementedError

    def replay(self, state: Any, flag: Callable[[Move, list[RuleBrokenError]], None]) -> None:
        """Carry the recorded move out as `apply` does, without its effects.

        If it breaks rules, `flag` gets the move and its `breaches` first. Callers that need only the state use this, so
        a ruleset can skip the texts.
        """
        if breaches := list(self.breaches(state)):
            flag(self, breaches)
        self.apply(state)

    def seen(self, viewpoint: Viewpoint) -> Self:  # noqa: ARG002
        """The move seen from `viewpoint`: a card drawn unseen is unknown."""
        return self

    def informed_seats(self) -> tuple[int, ...]:
        """The seats that may know more of the move than the public. The move's public view gives the same seats."""
        return ()

    def sample_chance(self, state: Any, chance: Chance) -> Self:  # noqa: ARG002
        """The move with every open fact decided by chance, as by dice and a shuffled deck."""
        return self

    def blanks(self, state: Any) -> tuple[Blank, ...]:  # noqa: ARG002
        """The blanks of a legal move, in the order of the gaps in `notation_template`.

        None if the move is better picked or typed as a whole.
        """
        return ()

    def with_gaps(self, state: Any) -> Self:  # noqa: ARG002
        """The move with `GAP` in the place of every blank that its notation would not show as `?`."""
        return self

    def notation_template(self, state: Any) -> str:
        """The notation of a legal move with `GAP` in the place of each of its blanks."""
        written: str = state.notation(self.with_gaps(state))
        return _OPEN.sub(GAP, written) if self.blanks(state) else state.notation(self)

    @classmethod
    def off_turn_moves(cls, state: Any) -> Iterator[Self]:  # noqa: ARG003
        """The moves of this kind that can be entered now although they are no part of the play, with gaps.

        They are never listed as legal: a note of a hand, shown cards. Each has `blanks` for all of its values.
        """
        return iter(())


class Adjustment(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
    tag_field="type",
):
    """One change of the table by a ruling, regardless of the rules. Each kind is a subclass with a `tag`.

    The kinds of all games are in `games.adjustments`.
    """

    def apply(self, state: Any) -> list[Effect]:
        """Change `state` by the ruling, and return the effects.

        Raises `ImpossibleError` for what lies beyond the limits of the adjustment, before anything is changed.
        """
        raise NotImplementedError

    def seen(self, viewpoint: Viewpoint) -> Self:  # noqa: ARG002
        """The adjustment seen from `viewpoint`: a card moved unseen is unknown."""
        return self

    def informed_seats(self) -> tuple[int, ...]:
        """The seats that may know more of the adjustment than the public. Its public view gives the same seats."""
        return ()


class Blank(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open value of a move: its seat (None for the table), and its possible words, if they are known.

    An empty `optional` blank is left out of the line; any other empty blank stays `?`. With `once` each word fits only
    one blank of the move. `stands` is the recorded value, which stays if the blank is left empty.
    """

    seat: int | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False
    once: bool = False
    stands: str = ""


class Effect(msgspec.Struct, frozen=True, gc=False):
    """A consequence of a move by the rules: never stored in the log, always recomputed.

    `kind` is a noun and a past participle (`bridge.removed`), and `rule` the id of the rule behind it. `seat` is the
    affected seat, and `at` names the places, cards or pieces. `count` is a number of points or cards, if there is one.
    """

    kind: str
    rule: str
    seat: int | None = None
    at: tuple[str, ...] = ()
    count: int | None = None


def as_json(struct: msgspec.Struct) -> JSON:
    """A struct as plain JSON: only plain types, with lists for tuples."""
    data: JSON = msgspec.json.decode(msgspec.json.encode(struct))
    return data
