"""Errors of entries that do not fit a game's record."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec

if TYPE_CHECKING:
    from projections.correcting import Corrected

Choice = Literal["keep", "withdraw"]
"""The choices for an entry that no longer fits after a correction."""


class Conflict(msgspec.Struct, frozen=True):
    """A later entry that no longer fits after a correction: its version, the reason, and the broken rule, if any.

    `choices` are the ways to resolve it: `keep` it as irregular, or `withdraw` it, too. `notation` is the entry's move,
    and `legal` are moves that would be allowed in its place. Only the first conflicts have both.
    """

    version: int
    why: str
    rule: str | None
    choices: tuple[Choice, ...]
    notation: str | None = None
    legal: list[str] = []


class ProjectionError(Exception):
    """The base class of the errors of projections."""


class ViewsDamagedError(ProjectionError):
    """The read models are damaged, and must be rebuilt."""


class VersionUnknownError(ProjectionError):
    """The game has no such version."""

    def __init__(self, game: str, version: int, head: int) -> None:
        super().__init__(f"game {game} has versions 1 to {head}, not {version}")
        self.game, self.version, self.head = game, version, head


class BadCorrectionError(ProjectionError):
    """A correction points at an entry that it cannot correct."""


class IncomparableError(ProjectionError):
    """The games are of different rulesets."""


class GameClosedError(ProjectionError):
    """The record of the game is closed, and takes no further moves or corrections."""

    def __init__(self, game: str) -> None:
        super().__init__(f"game {game} is closed; reopen it to go on or to correct its record")


class ConflictError(ProjectionError):
    """A correction leaves later entries that no longer fit. Nothing was stored.

    `corrected` is the game with the correction if all entries that can be kept were kept, and the others withdrawn.
    """

    def __init__(self, conflicts: list[Conflict], corrected: Corrected) -> None:
        first = conflicts[0]
        more = f", and {len(conflicts) - 1} more" if len(conflicts) > 1 else ""
        super().__init__(f"entry {first.version} no longer fits: {first.why}{more}")
        self.conflicts, self.corrected = conflicts, corrected


class FoldError(ProjectionError):
    """A stored entry cannot be folded: the rules cannot carry it out.

    `why` is for those who may know all that is in the record; the sentence itself is for everybody.
    """

    correctable: ClassVar[bool] = True
    """Whether a correction of the entry heals the record."""

    def __init__(self, game: str, version: int, why: str) -> None:
        super().__init__(f"game {game}: entry {version} cannot be replayed")
        self.game, self.version, self.why = game, version, why


class RulesetMissingError(FoldError):
    """The game was opened with a ruleset that is not installed here, or with a newer revision of one that is.

    The game cannot be replayed until it is; all entries are safe.
    """

    correctable = False

    def __init__(self, game: str, ruleset: str, revision: int, known: int | None) -> None:
        here = "is not installed here" if known is None else f"is installed here in revision {known}"
        super().__init__(game, 1, f"its ruleset {ruleset}, revision {revision}, {here}")
        self.args = (f"game {game} cannot be read: {self.why}",)
        self.ruleset, self.revision = ruleset, revision
