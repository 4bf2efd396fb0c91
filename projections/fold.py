"""The fold: a game's state at one version, made by applying its entries in order."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from events.encoding import encode_data
from events.errors import GameUnknownError, UnreadableError
from events.event import timestamp
from events.schemas import SCHEMAS
from events.types import MOVES, GameClosed, GameOpened, GameReopened, RulingGiven, SeatChanged, Unreadable
from games.adjustments import ENDINGS
from games.contract import PUBLIC, RECORD, Adjustment, Effect, Viewpoint
from games.errors import BadMoveError, BadOpeningError, ImpossibleError, RuleBrokenError
from games.missing import MISSING, MissingState
from games.rulesets import RULESETS
from projections.errors import FoldError, RulesetMissingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from events.event import Event
    from events.schemas import Reader
    from events.types import EventData, MoveData
    from games.contract import Deciding, Move, Outcome, Ruleset, State


@cache
def reader_of(ruleset: Ruleset) -> Reader:
    """The reader of the entries of a ruleset's games, with its own moves and adjustments and their hidden parts."""
    adjustment = ruleset.adjustment_type if ruleset.adjustments else Adjustment
    return SCHEMAS.reader(ruleset.moves, adjustment, _views if ruleset.hides_information else None)


def _views(words: Move | list[Adjustment]) -> tuple[bytes, dict[int, bytes]] | None:
    """The look of a move, or of a ruling's adjustments, to everybody, and to each informed seat.

    Each as canonical JSON. None if everybody knows everything.
    """
    if isinstance(words, list):
        return _views_of_all(words)
    seen, informed = words.seen(PUBLIC), words.informed_seats()
    if not informed and seen is words:
        return None
    return encode_data(seen), {seat: encode_data(words.seen(_from_seat(seat))) for seat in informed}


def _views_of_all(words: list[Adjustment]) -> tuple[bytes, dict[int, bytes]] | None:
    seen, informed = _seen(words, PUBLIC), sorted({seat for word in words for seat in word.informed_seats()})
    if not informed and all(map(is_, seen, words)):
        return None
    return encode_data(seen), {seat: encode_data(_seen(words, _from_seat(seat))) for seat in informed}


@cache
def _from_seat(seat: int) -> Viewpoint:
    return Viewpoint("seat", seat)


def _seen(words: list[Adjustment], viewpoint: Viewpoint) -> list[Adjustment]:
    return [word.seen(viewpoint) for word in words]


for _ruleset in (MISSING, *RULESETS.values()):
    reader_of(_ruleset)  # made where there is one thread: a generic type is ready with its parameters only


class Applied(msgspec.Struct, frozen=True):
    """The result of a move or a ruling: the effects, and the rules that the move broke."""

    effects: list[Effect]
    breaches: list[RuleBrokenError] = []


class Adoption(NamedTuple):
    """The entry `version` that moved a game on to a revision of its rules."""

    version: int
    revision: int


class Fold:
    """A game's state at `version`; the entry there has `hash`.

    `adopted` is the entry that moved the game to its revision, if it was not the opening. `irregular` maps entries to
    the ids of the rules that they broke. `hidden_irregular` has those that not everybody sees alike, with the rules
    that each seat and, after these, the public can see broken. `players` sit in the seats now, and `all_players` are
    all who ever did. `started_at` is when the opening was recorded, and `played_at` when it happened, by the clock of
    the table if that is known; `day` is its date there, or in UTC. `closed` says how the record was closed, if it is.
    `read` reads any entry of the game. If the fold is `blocked_by` an error, it stands before an entry that cannot be
    applied. The fold of a game with a missing ruleset is blocked from its opening on.
    """

    __slots__ = (
        "adopted",
        "all_players",
        "blocked_by",
        "closed",
        "day",
        "game",
        "hash",
        "hidden_irregular",
        "irregular",
        "opened",
        "played_at",
        "players",
        "read",
        "recorded_at",
        "ruleset",
        "sealed",
        "started_at",
        "state",
        "version",
    )

    def __init__(
        self, game: str, opened: GameOpened, state: State, started_at: int, adopted: Adoption | None = None
    ) -> None:
        self.game, self.opened, self.state, self.started_at = game, opened, state, started_at
        self.adopted = adopted
        self.ruleset: Ruleset = ruleset_of(opened, adopted)
        self.read: Callable[[Event], Any] = reader_of(self.ruleset).read
        self.version, self.hash, self.recorded_at, self.played_at = 1, "", started_at, started_at
        self.sealed, self.day = True, ""
        self.irregular: dict[int, tuple[str, ...]] = {}
        self.hidden_irregular: dict[int, tuple[tuple[str, ...], ...]] = {}
        self.players = [seat.player for seat in opened.seats]
        self.all_players = {player for player in self.players if player}
        self.closed: str | None = None
        self.blocked_by: FoldError | None = _missing(self) if self.ruleset is MISSING else None

    @classmethod
    def start(cls, event: Event, adopted: Adoption | None = None) -> Fold:
        """The fold of a `game.opened` alone, by its own or its adopted revision. Raises `FoldError`."""
        opened = SCHEMAS.read(event)
        if not isinstance(opened, GameOpened):
            raise GameUnknownError(event.game)
        try:
            state = open_state(opened, adopted)
        except BadOpeningError as error:
            raise FoldError(event.game, event.version, str(error)) from error
        fold = cls(event.game, opened, state, event.recorded_at, adopted)
        fold.day = (event.happened_at or timestamp(fold.started_at))[:10]
        if event.happened_at:
            fold.played_at = _played_at(event)
        fold.sealed = event.schema >= SCHEMAS.first_sealed_schema(event.type)
        fold.advance(event)
        return fold

    def copy(self) -> Fold:
        """An independent fold at the same version."""
        return self._with(self.state.copy())

    def seen_from(self, viewpoint: Viewpoint) -> Fold:
        """An independent fold, seen from a viewpoint."""
        return self._with(self.state.view(viewpoint))

    def _with(self, state: State) -> Fold:
        twin = Fold.__new__(Fold)
        twin.game, twin.opened, twin.ruleset, twin.started_at = self.game, self.opened, self.ruleset, self.started_at
        twin.version, twin.hash, twin.recorded_at = self.version, self.hash, self.recorded_at
        twin.played_at, twin.day = self.played_at, self.day
        twin.sealed, twin.adopted = self.sealed, self.adopted
        twin.state, twin.irregular, twin.hidden_irregular = state, self.irregular.copy(), self.hidden_irregular.copy()
        twin.read = self.read
        twin.players, twin.all_players, twin.closed = self.players.copy(), self.all_players, self.closed
        twin.blocked_by = self.blocked_by
        return twin

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.players)

    @property
    def pinned_revision(self) -> int:
        """The revision of the rules in the record: that of the opening, or the last adopted one."""
        return revision_of_record(self.opened, self.adopted)

    @property
    def revision(self) -> int:
        """The effective revision of the rules: the pinned one, or the oldest one that still exists."""
        return self.state.revision

    def advance(self, event: Event) -> None:
        """Advance to `event` without a change of the state."""
        self.version, self.hash, self.recorded_at = event.version, event.hash, event.recorded_at

    def play(self, version: int, move: Move) -> Applied:
        """Apply `move` as entry `version`, legal or not. Raises `ImpossibleError` and is unchanged then."""
        return self.play_judged(version, move, list(self.state.breaches(move)))

    def follow(self, version: int, move: Move) -> Applied:
        """As `play`, without the effects. The fold cannot be used any longer if it raises `ImpossibleError`."""
        if self.hidden_irregular:
            return Applied([], self.play(version, move).breaches)
        found = list[RuleBrokenError]()

        def flag(move: Move, breaches: list[RuleBrokenError]) -> None:
            found.extend(breaches)
            self._note(version, move, breaches)

        self.state.replay(move, version, flag)
        self._seat_newcomers()
        return Applied([], found)

    def play_judged(self, version: int, move: Move, breaches: list[RuleBrokenError]) -> Applied:
        """As `play`, for a move with known breaches at this state."""
        if breaches or self.hidden_irregular:
            self._note(version, move, breaches)
        try:
            effects = self.state.apply(move, version)
        except ImpossibleError:
            self.irregular.pop(version, None)
            self.hidden_irregular.pop(version, None)
            raise
        self._seat_newcomers()
        return Applied(effects, breaches)

    def apply_ruling(self, version: int, adjustments: Sequence[Adjustment]) -> Applied:
        """Apply the adjustments of a ruling, as entry `version`. Raises `ImpossibleError` and is unchanged then."""
        state = self.state.copy()
        effects = state.adjust(adjustments, version)
        self.state = state
        if any(adjustment.seen(PUBLIC) is not adjustment for adjustment in adjustments):
            self.hidden_irregular[version] = ((),) * (self.seats + 1)
        return Applied(effects)

    def apply_entry(self, event: Event, content: Event) -> Applied | None:
        """Apply a stored, counting entry with the move of `content`: the entry itself, or its replacement.

        Returns the effects of a move or a ruling. Raises `FoldError` if it cannot be carried out.
        """
        try:
            data: EventData = self.read(content)
            if event.type in MOVES:
                return self.play(event.version, move_in(data))
            if isinstance(data, RulingGiven):
                return self.apply_ruling(event.version, adjustments_in(data))
            self.observe(data)
        except (UnreadableError, BadMoveError, ImpossibleError) as error:
            raise FoldError(event.game, event.version, str(error)) from error
        return None

    def replay(self, entries: Iterable[tuple[Event, Event]]) -> None:
        """Apply counting entries one after the other, each with its content, without returning effects.

        Raises `FoldError`; then the fold cannot be used any longer.
        """
        if self.blocked_by:
            raise self.blocked_by
        read, replay, flag = self.read, self.state.replay, self._flag
        for event, content in entries:
            if event.type not in MOVES or self.hidden_irregular:
                self.apply_entry(event, content)
                replay = self.state.replay
                continue
            try:
                move = read(content).move
                if type(move) is Unreadable:
                    raise _bad_move(move)
                replay(move, event.version, flag)
            except (UnreadableError, BadMoveError, ImpossibleError) as error:
                raise FoldError(event.game, event.version, str(error)) from error
        self._seat_newcomers()

    def _seat_newcomers(self) -> None:
        """Add the seats that moves have added. Nobody known sits there yet."""
        if self.state.seats > len(self.players):
            self.players += [None] * (self.state.seats - len(self.players))

    def observe(self, data: EventData) -> None:
        """Apply the changes of an entry outside of the game itself. Raises `ImpossibleError`."""
        match data:
            case SeatChanged(seat=seat, player=player):
                self._seat_newcomers()
                if seat >= self.seats:
                    raise ImpossibleError(f"there is no seat {seat}")
                self.players[seat] = player
                if player:
                    self.all_players = self.all_players | {player}
            case GameClosed(how=how):
                self.closed = how
            case GameReopened():
                self.closed = None

    def _flag(self, move: Move, breaches: list[RuleBrokenError]) -> None:
        self._note(self.state.version, move, breaches)

    def _note(self, version: int, move: Move, breaches: list[RuleBrokenError]) -> None:
        """Note the rules that the next move breaks, and who can see that.

        Hidden cards that were noted against the rules, or moved by a ruling, stand in the record. So a card can fit to
        them that contradicts what others saw. From then on each move is judged from every viewpoint.
        """
        state, rules = self.state, _ids(breaches)
        if rules:
            self.irregular[version] = rules
        if not self.ruleset.hides_information:
            return
        viewpoints = (*(Viewpoint("seat", seat) for seat in range(self.seats)), PUBLIC)
        seen = tuple(_ids(state.view(viewpoint).breaches(move.seen(viewpoint))) for viewpoint in viewpoints)
        if set(seen) != {rules}:
            self.hidden_irregular[version] = seen

    @property
    def hashes_public(self) -> bool:
        """Whether the hashes are public: hidden facts are sealed, or there are none.

        With the hash of an entry that is not sealed, a dozen guesses find the card in it.
        """
        return self.sealed or not (self.ruleset.hides_information or self.ruleset is MISSING)

    def hash_from(self, viewpoint: Viewpoint) -> str | None:
        """The hash of the fold's last entry, if `viewpoint` may know it."""
        return self.hash if viewpoint == RECORD or self.hashes_public else None

    def irregular_from(self, viewpoint: Viewpoint) -> dict[int, tuple[str, ...]]:
        """The irregular entries that `viewpoint` may know, with the rules that they broke."""
        if viewpoint == RECORD or not self.hidden_irregular:
            return self.irregular
        at = -1 if viewpoint.seat is None else viewpoint.seat
        seen = self.irregular | {version: rules[at] for version, rules in self.hidden_irregular.items()}
        return {version: rules for version, rules in sorted(seen.items()) if rules}

    def move_of(self, event: Event) -> Move:
        """The typed move of a stored entry that holds one. Raises `BadMoveError`."""
        return move_in(self.read(event))

    def totals(self) -> list[int]:
        """The score of every seat."""
        return self.state.totals()

    def deciding(self) -> Deciding | None:
        """The values that rank the seats instead of their scores, or beside them."""
        return self.state.deciding()

    @property
    def status(self) -> str:
        """The status of the game: one of `STATUSES`."""
        outcome = self.outcome()
        if outcome is None:
            return "abandoned" if self.closed else "playing"
        return "adjudicated" if outcome.reason in ENDINGS else "finished"

    @property
    def ending(self) -> str:
        """How the record can be closed as it stands now."""
        status = self.status
        return "abandoned" if status == "playing" else status

    def outcome(self) -> Outcome | None:
        """The outcome of the game, or None while it goes on."""
        outcome: Outcome | None = self.state.outcome()
        return outcome

    def dump(self) -> bytes:
        """The fold as JSON, for a checkpoint."""
        saved = {
            "opened": self.opened,
            "adopted": self.adopted,
            "state": self.state.dump(),
            "irregular": self.irregular,
            "secret": self.hidden_irregular,
            "players": self.players,
            "sat": sorted(self.all_players),
            "closed": self.closed,
            "started_at": self.started_at,
            "played_at": self.played_at,
            "day": self.day,
            "sealed": self.sealed,
            "recorded_at": self.recorded_at,
        }
        return msgspec.json.encode(saved)

    @classmethod
    def load(cls, game: str, version: int, hash_: str, data: bytes) -> Fold:
        """The fold that `dump` wrote."""
        saved = _saved.decode(data)
        state = ruleset_of(saved.opened, saved.adopted).state.load(saved.state)
        fold = cls(game, saved.opened, state, saved.started_at, saved.adopted)
        fold.version, fold.hash, fold.recorded_at = version, hash_, saved.recorded_at
        fold.played_at, fold.day = saved.played_at, saved.day
        fold.irregular, fold.hidden_irregular, fold.closed = saved.irregular, saved.secret, saved.closed
        fold.players, fold.all_players, fold.sealed = saved.players, saved.sat, saved.sealed
        return fold


_FIRST, _LAST = -62_135_596_800_000, 253_402_300_799_999
"""The milliseconds that have a date in UTC: the years 1 to 9999."""


def _played_at(event: Event) -> int:
    """When a game was played, in milliseconds. Older releases took times of the years 0 and 10000 in UTC, too.

    Raises `FoldError` for an invalid time, as a file can hold anything.
    """
    try:
        played = datetime.fromisoformat(event.happened_at or "")
    except ValueError as error:
        raise FoldError(event.game, event.version, f"happened_at: {error}") from error
    return min(max(int(played.timestamp() * 1000), _FIRST), _LAST)


STATUSES = ("playing", "finished", "adjudicated", "abandoned")
"""Going on; ended by the rules; ended by a ruling; closed without an end."""


def move_in(data: EventData) -> Move:
    """The typed move of an entry. Raises `BadMoveError` if its ruleset cannot read it."""
    move = cast("MoveData", data).move
    if isinstance(move, Unreadable):
        raise _bad_move(move)
    return cast("Move", move)


def adjustments_in(data: RulingGiven[Any]) -> Sequence[Adjustment]:
    """The typed adjustments of a ruling. Raises `BadMoveError` if its ruleset cannot read them."""
    for adjustment in data.adjustments:
        if isinstance(adjustment, Unreadable):
            raise _bad_move(adjustment)
    return data.adjustments


def _bad_move(unread: Unreadable) -> BadMoveError:
    return BadMoveError(unread.path, unread.why)


class _Saved(msgspec.Struct):
    opened: GameOpened
    state: dict[str, Any]
    irregular: dict[int, tuple[str, ...]]
    secret: dict[int, tuple[tuple[str, ...], ...]]
    players: list[str | None]
    sat: set[str]
    closed: str | None
    started_at: int
    played_at: int
    day: str
    recorded_at: int
    sealed: bool = False
    adopted: Adoption | None = None


_saved = msgspec.json.Decoder(_Saved)


def _ids(breaches: Iterable[RuleBrokenError]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(breach.rule for breach in breaches))


def revision_of_record(opened: GameOpened, adopted: Adoption | None) -> int:
    """The revision of the rules in a record."""
    return adopted.revision if adopted else opened.revision


def ruleset_of(opened: GameOpened, adopted: Adoption | None = None) -> Ruleset:
    """The ruleset of a game; `MISSING` if it is not installed, or only in an older revision."""
    ruleset = RULESETS.get(opened.ruleset)
    return ruleset if ruleset and revision_of_record(opened, adopted) <= ruleset.revision else MISSING


def _missing(fold: Fold) -> RulesetMissingError:
    known = RULESETS.get(fold.opened.ruleset)
    return RulesetMissingError(fold.game, fold.opened.ruleset, fold.pinned_revision, known.revision if known else None)


def open_state(opened: GameOpened, adopted: Adoption | None = None) -> State:
    """The state before the first move. Raises `BadOpeningError`."""
    ruleset, revision = ruleset_of(opened, adopted), revision_of_record(opened, adopted)
    if ruleset is MISSING:
        return MissingState(players=len(opened.seats), revision=revision)
    state: State = ruleset.open(opened.options, opened.components, len(opened.seats), revision)
    return state
