"""Games: in lists, whole, and at any version."""

from __future__ import annotations

from typing import Any

import msgspec

from games.contract import Blank, Deciding, Outcome, ScoreLine, SeatMarker, Title
from games.rulebook import Rule
from games.tables import Table
from projections.audit import Audit
from projections.claims import ClaimCompared
from projections.timeline import Entry
from projections.undoing import Reversal
from service.live.analysis_info import AnalysisInfo


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat: its name in the ruleset, the person there, and their name unless it was erased."""

    seat: int
    label: Title
    player: str | None
    name: str | None


class OriginInfo(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The origin of a fork: the game, its version and hash there, and after which entry, if one."""

    game: str
    version: int
    hash: str | None
    after: int | None = None


class Unreplayable(msgspec.Struct, frozen=True):
    """The entry of a record that cannot be carried out. Withdraw or replace it. Only the owner gets the reason."""

    entry: int
    why: str | None


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game now. `to_move` is the seat that moves next, `origin` the place where a fork begins.

    `revision` is that of its rules, `adopted_by` the entry that moved it on to that one. `status` is `playing`,
    `finished`, `adjudicated` (ended by a ruling) or `abandoned`. `closed` says how the record was closed, if it is. A
    game is `unreadable` if an entry of it cannot be carried out: `unreplayable` says which and why. Then `to_move`,
    `scores`, `outcome` and `irregular` are those before it. Without its ruleset, that is the opening.
    `undo` takes back what was done last. `redo` brings back what undo took last, if nothing was done since. Both are
    entries to be appended as they are; there are none while the record is closed. `deciding` is what ranks the seats
    where the scores do not, with the value of each seat. `played_at` is when the opening happened, and `opened_at` when
    it was recorded. Only the owner gets hashes.
    """

    game: str
    ruleset: str
    revision: int
    adopted_by: int | None
    title: str
    place: str
    options: dict[str, bool | int | str]
    seats: list[SeatInfo]
    played_at: str
    opened_at: str
    last_at: str
    version: int
    hash: str | None
    status: str
    closed: str | None
    origin: OriginInfo | None
    to_move: int | None
    scores: list[int]
    deciding: Deciding | None
    markers: tuple[SeatMarker, ...]
    outcome: Outcome | None
    irregular: dict[int, tuple[str, ...]]
    unreplayable: Unreplayable | None
    undo: Reversal | None
    redo: Reversal | None


class GameListed(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a list. `status` may also be `unreadable`, and `reason` then says why.

    `game_name` is what was played where the ruleset does not say it. `played_at` is when the opening happened, `day`
    its date by the clock of the table. `ranks` are empty without an outcome. `together` says that all won or lost as
    one.
    """

    game: str
    ruleset: str
    title: str
    place: str
    game_name: Title | None
    played_at: str
    day: str
    seats: list[SeatInfo]
    opened_at: str
    last_at: str
    version: int
    status: str
    reason: str | None
    winners: list[int]
    scores: list[int]
    ranks: list[int]
    together: bool
    deciding: Deciding | None
    markers: tuple[SeatMarker, ...]
    irregular: int
    origin: str | None


class GameList(msgspec.Struct, frozen=True):
    """Games, the last recorded first; `next` is the cursor of the next page."""

    games: list[GameListed]
    next: str | None


class GamesBehind(msgspec.Struct, frozen=True):
    """The games behind a figure, `n` in all."""

    games: list[GameListed]
    next: str | None
    n: int


class StateInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a game at a version, seen from `viewpoint` (`record`, `public` or `seat-N`).

    Only the record itself has the `hash` of its entry. `markers` go round the table: who deals, who begins.
    """

    game: str
    version: int
    hash: str | None
    ruleset: str
    viewpoint: str
    to_move: int | None
    scores: list[int]
    deciding: Deciding | None
    markers: tuple[SeatMarker, ...]
    outcome: Outcome | None
    state: dict[str, Any]
    tables: list[Table]


class LegalMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that the rules allow, as data and in notation.

    `blanks` are facts that it leaves open, each a `{}` in the `template`. As long as none is filled in, the notation
    says it; else a blank that is not filled in is `?`, or nothing if it is optional.
    """

    move: dict[str, Any]
    notation: str
    blanks: tuple[Blank, ...] = ()
    template: str | None = None


class OffTurnMove(msgspec.Struct, frozen=True):
    """An entry beside the play, complete once its blanks are filled in: a noted hand, shown cards, a trade.

    Each of the `blanks` is a `{}` in the `template`.
    """

    type: str
    seat: int | None
    template: str
    blanks: tuple[Blank, ...]


class LegalMoves(msgspec.Struct, frozen=True):
    """All moves that the rules allow now, as known from the viewpoint, and the entries beside the play.

    `irregular` are moves that break a rule and can be made all the same, where they are asked for: an entry of one has
    an `override`. Of a kind with very many of them not all are told.
    """

    game: str
    version: int
    to_move: int | None
    moves: list[LegalMove]
    asides: list[OffTurnMove]
    irregular: list[LegalMove] = []


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The score audit of a game at a version: every point, its entry, and its rule, with the text in `rules`.

    `irregular` are the entries that are known to break rules. Only the record itself has the `hash` of its entry.
    """

    game: str
    version: int
    hash: str | None
    ruleset: str
    revision: int
    scores: list[int]
    lines: list[ScoreLine]
    outcome: Outcome | None
    irregular: dict[int, tuple[str, ...]]
    rules: list[Rule]


class SnapshotInfo(msgspec.Struct, frozen=True):
    """A scoring snapshot: the audit of a game at a version under a revision of its rules, stored once by a worker.

    The public sees only what the public may know.
    """

    version: int
    revision: int
    hash: str | None
    created_at: str
    audit: Audit


class Snapshots(msgspec.Struct, frozen=True):
    """A game's scoring snapshots, the newest first; `next` is the `before` of the next page."""

    game: str
    snapshots: list[SnapshotInfo]
    next: int | None


class Analyses(msgspec.Struct, frozen=True):
    """A game's analyses without their results, the last requested first; `next` is the `cursor` of the next page."""

    game: str
    analyses: list[AnalysisInfo]
    next: str | None


class Timeline(msgspec.Struct, frozen=True):
    """Entries of a game with their effects; `next` is the `after` of the next page.

    `people` are the names, by id, of people who sat down, took a seat or ruled in these entries. A caller who may
    know people also gets the people and programs that recorded them.
    """

    game: str
    version: int
    entries: list[Entry]
    people: dict[str, str]
    next: int | None


class Claims(msgspec.Struct, frozen=True):
    """The claims of the table's own score, each beside the audit of the same moment."""

    game: str
    version: int
    claims: list[ClaimCompared]
