"""The fold: one game's state at one version, made by applying its entries one after the other."""

from __future__ import annotations

from functools import cache
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from events.encoding import encode_data
from events.errors import UnreadableError
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
    from events.types import EventData, Playing
    from games.contract import Deciding, Move, Outcome, Ruleset, State


@cache
def reader_of(ruleset: Ruleset) -> Reader:
    """What reads the entries of games of a ruleset, with its own moves and adjustments, and knows what they hide."""
    adjustment = ruleset.adjustment_type if ruleset.adjustments else Adjustment
    return SCHEMAS.reader(ruleset.moves, adjustment, _views if ruleset.hides else None)


def _views(words: Move | list[Adjustment]) -> tuple[bytes, dict[int, bytes]] | None:
    """How a move, or the adjustments of a ruling, look to everybody, and to each seat that may know more of them.

    Each as canonical JSON. None for what everybody knows.
    """
    if isinstance(words, list):
        return _views_of_all(words)
    seen, keepers = words.seen(PUBLIC), words.keepers()
    if not keepers and seen is words:
        return None
    return encode_data(seen), {seat: encode_data(words.seen(_from_seat(seat))) for seat in keepers}


def _views_of_all(words: list[Adjustment]) -> tuple[bytes, dict[int, bytes]] | None:
    seen, keepers = _seen(words, PUBLIC), sorted({seat for word in words for seat in word.keepers()})
    if not keepers and all(map(is_, seen, words)):
        return None
    return encode_data(seen), {seat: encode_data(_seen(words, _from_seat(seat))) for seat in keepers}


@cache
def _from_seat(seat: int) -> Viewpoint:
    return Viewpoint("seat", seat)


def _seen(words: list[Adjustment], viewpoint: Viewpoint) -> list[Adjustment]:
    return [word.seen(viewpoint) for word in words]


for _ruleset in (MISSING, *RULESETS.values()):
    reader_of(_ruleset)  # made where there is one thread: a generic type is ready with its parameters only


class Applied(msgspec.Struct, frozen=True):
    """What a move or a ruling did: the effects, and the rules that the move broke."""

    effects: list[Effect]
    breaches: list[RuleBrokenError] = []


class Adoption(NamedTuple):
    """The entry `version` by which a game was moved on to a revision of its rules."""

    version: int
    revision: int


class Fold:
    """A game's state at `version`, whose entry has `hash`.

    `adopted` is how it came to the revision that it goes by, if not by its opening. `irregular` maps entries to the
    rule ids they broke; `secret` has those of them that not everybody can know to be irregular, with the rules that
    each seat and, after these, the public can see broken. `players` are those who sit in the seats now and `sat` all
    who ever did, and `closed` is how the record was closed, if it is. `read` reads an entry of the game, whatever it
    holds. A fold that is `stuck` stands before an entry that cannot be carried out; that of a game whose ruleset is not
    here is so from its opening on.
    """

    __slots__ = (
        "adopted",
        "closed",
        "game",
        "hash",
        "irregular",
        "opened",
        "players",
        "read",
        "recorded_at",
        "ruleset",
        "sat",
        "sealed",
        "secret",
        "started_at",
        "state",
        "stuck",
        "version",
    )

    def __init__(
        self, game: str, opened: GameOpened, state: State, started_at: int, adopted: Adoption | None = None
    ) -> None:
        self.game, self.opened, self.state, self.started_at = game, opened, state, started_at
        self.adopted = adopted
        self.ruleset: Ruleset = ruleset_of(opened, adopted)
        self.read: Callable[[Event], Any] = reader_of(self.ruleset).read
        self.version, self.hash, self.recorded_at = 1, "", started_at
        self.sealed = True
        self.irregular: dict[int, tuple[str, ...]] = {}
        self.secret: dict[int, tuple[tuple[str, ...], ...]] = {}
        self.players = [seat.player for seat in opened.seats]
        self.sat = {player for player in self.players if player}
        self.closed: str | None = None
        self.stuck: FoldError | None = _missing(self) if self.ruleset is MISSING else None

    @classmethod
    def start(cls, event: Event, adopted: Adoption | None = None) -> Fold:
        """The fold of a `game.opened` alone, by its own revision or by the one that was adopted. Raises `FoldError`."""
        opened = cast("GameOpened", SCHEMAS.read(event))
        try:
            state = open_state(opened, adopted)
        except BadOpeningError as error:
            raise FoldError(event.game, event.version, str(error)) from error
        fold = cls(event.game, opened, state, event.recorded_at, adopted)
        fold.sealed = event.schema >= SCHEMAS.sealing(event.type)
        fold.reach(event)
        return fold

    def copy(self) -> Fold:
        """An independent fold at the same version."""
        return self._with(self.state.copy())

    def seen_from(self, viewpoint: Viewpoint) -> Fold:
        """An independent fold of what can be known from there."""
        return self._with(self.state.view(viewpoint))

    def _with(self, state: State) -> Fold:
        twin = Fold.__new__(Fold)
        twin.game, twin.opened, twin.ruleset, twin.started_at = self.game, self.opened, self.ruleset, self.started_at
        twin.version, twin.hash, twin.recorded_at = self.version, self.hash, self.recorded_at
        twin.sealed, twin.adopted = self.sealed, self.adopted
        twin.state, twin.irregular, twin.secret = state, self.irregular.copy(), self.secret.copy()
        twin.read = self.read
        twin.players, twin.sat, twin.closed = self.players.copy(), self.sat, self.closed
        twin.stuck = self.stuck
        return twin

    @property
    def seats(self) -> int:
        """How many seats the game has."""
        return len(self.players)

    @property
    def pinned(self) -> int:
        """The revision of the rules that the record says: its opening, or what was adopted since."""
        return pinned(self.opened, self.adopted)

    @property
    def revision(self) -> int:
        """The revision of the rules that the game goes by: the pinned one, or the oldest one that is still kept."""
        return self.state.revision

    def reach(self, event: Event) -> None:
        """Stand at `event`, whatever it did to the state."""
        self.version, self.hash, self.recorded_at = event.version, event.hash, event.recorded_at

    def play(self, version: int, move: Move) -> Applied:
        """Apply `move` as entry `version`, legal or not. Raises `ImpossibleError` and is unchanged then."""
        return self.play_judged(version, move, list(self.state.breaches(move)))

    def play_judged(self, version: int, move: Move, breaches: list[RuleBrokenError]) -> Applied:
        """As `play`, for a move whose breaches at this state are known."""
        if breaches:
            self._note(version, move, breaches)
        try:
            effects = self.state.apply(move, version)
        except ImpossibleError:
            self.irregular.pop(version, None)
            self.secret.pop(version, None)
            raise
        return Applied(effects, breaches)

    def rule(self, version: int, adjustments: Sequence[Adjustment]) -> Applied:
        """Apply what a ruling changes, as entry `version`. Raises `ImpossibleError` and is unchanged then."""
        state = self.state.copy()
        effects = state.adjust(adjustments, version)
        self.state = state
        return Applied(effects)

    def take(self, event: Event, content: Event) -> Applied | None:
        """Apply a stored entry that counts, with the move of `content`: itself, or one that stands for it.

        Says what a move or a ruling did. Raises `FoldError` for what cannot be carried out.
        """
        try:
            data: EventData = self.read(content)
            if event.type in MOVES:
                return self.play(event.version, move_in(data))
            if isinstance(data, RulingGiven):
                return self.rule(event.version, adjustments_in(data))
            self.attend(data)
        except (UnreadableError, BadMoveError, ImpossibleError) as error:
            raise FoldError(event.game, event.version, str(error)) from error
        return None

    def replay(self, entries: Iterable[tuple[Event, Event]]) -> None:
        """Take entries that count one after the other, each with its content, without saying what they did.

        Raises `FoldError`, and is of no more use then.
        """
        if self.stuck:
            raise self.stuck
        read, replay, flag = self.read, self.state.replay, self._flag
        for event, content in entries:
            if event.type not in MOVES:
                self.take(event, content)
                replay = self.state.replay
                continue
            try:
                move = read(content).move
                if type(move) is Unreadable:
                    raise _bad(move)
                replay(move, event.version, flag)
            except (UnreadableError, BadMoveError, ImpossibleError) as error:
                raise FoldError(event.game, event.version, str(error)) from error

    def attend(self, data: EventData) -> None:
        """Take what an entry changes beside the game itself. Raises `ImpossibleError`."""
        match data:
            case SeatChanged(seat=seat, player=player):
                if seat >= self.seats:
                    raise ImpossibleError(f"there is no seat {seat}")
                self.players[seat] = player
                if player:
                    self.sat = self.sat | {player}
            case GameClosed(how=how):
                self.closed = how
            case GameReopened():
                self.closed = None

    def _flag(self, move: Move, breaches: list[RuleBrokenError]) -> None:
        self._note(self.state.version, move, breaches)

    def _note(self, version: int, move: Move, breaches: list[RuleBrokenError]) -> None:
        """Note what the move breaks that is about to be applied, and who can see that it does."""
        state = self.state
        rules = self.irregular[version] = _ids(breaches)
        if not self.ruleset.hides:
            return
        viewpoints = (*(Viewpoint("seat", seat) for seat in range(self.seats)), PUBLIC)
        seen = tuple(_ids(state.view(viewpoint).breaches(move.seen(viewpoint))) for viewpoint in viewpoints)
        if set(seen) != {rules}:
            self.secret[version] = seen

    @property
    def provable(self) -> bool:
        """Whether everybody may know the hashes: what the game hides is sealed, or it hides nothing.

        With the hash of an entry that is not sealed, a dozen guesses find the card in it.
        """
        return self.sealed or not (self.ruleset.hides or self.ruleset is MISSING)

    def hash_from(self, viewpoint: Viewpoint) -> str | None:
        """The hash of the entry that the fold stands at, if it may be known from `viewpoint`."""
        return self.hash if viewpoint == RECORD or self.provable else None

    def irregular_from(self, viewpoint: Viewpoint) -> dict[int, tuple[str, ...]]:
        """The entries that can be known to be irregular from `viewpoint`, with the rules that they broke."""
        if viewpoint == RECORD or not self.secret:
            return self.irregular
        at = -1 if viewpoint.seat is None else viewpoint.seat
        seen = {
            version: self.secret[version][at] if version in self.secret else rules
            for version, rules in self.irregular.items()
        }
        return {version: rules for version, rules in seen.items() if rules}

    def move_of(self, event: Event) -> Move:
        """The typed move of a stored entry that holds one. Raises `BadMoveError`."""
        return move_in(self.read(event))

    def totals(self) -> list[int]:
        """The score of every seat."""
        return self.state.totals()

    def deciding(self) -> Deciding | None:
        """What ranks the seats in place of their scores, or beside them."""
        return self.state.deciding()

    @property
    def status(self) -> str:
        """How far the game is: one of `STATUSES`."""
        outcome = self.outcome()
        if outcome is None:
            return "abandoned" if self.closed else "playing"
        return "adjudicated" if outcome.reason in ENDINGS else "finished"

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        outcome: Outcome | None = self.state.outcome()
        return outcome

    def dump(self) -> bytes:
        """The fold as JSON, for a checkpoint."""
        saved = {
            "opened": self.opened,
            "adopted": self.adopted,
            "state": self.state.dump(),
            "irregular": self.irregular,
            "secret": self.secret,
            "players": self.players,
            "sat": sorted(self.sat),
            "closed": self.closed,
            "started_at": self.started_at,
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
        fold.irregular, fold.secret, fold.closed = saved.irregular, saved.secret, saved.closed
        fold.players, fold.sat, fold.sealed = saved.players, saved.sat, saved.sealed
        return fold


STATUSES = ("playing", "finished", "adjudicated", "abandoned")
"""Going on; ended by the rules; ended by a ruling; closed without an end."""


def move_in(data: EventData) -> Move:
    """The typed move that an entry holds. Raises `BadMoveError` for one that its ruleset cannot read."""
    move = cast("Playing", data).move
    if isinstance(move, Unreadable):
        raise _bad(move)
    return cast("Move", move)


def adjustments_in(data: RulingGiven[Any]) -> Sequence[Adjustment]:
    """The typed adjustments of a ruling. Raises `BadMoveError` for those that its ruleset cannot read."""
    for adjustment in data.adjustments:
        if isinstance(adjustment, Unreadable):
            raise _bad(adjustment)
    return data.adjustments


def _bad(unread: Unreadable) -> BadMoveError:
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
    recorded_at: int
    sealed: bool = False
    adopted: Adoption | None = None


_saved = msgspec.json.Decoder(_Saved)


def _ids(breaches: Iterable[RuleBrokenError]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(breach.rule for breach in breaches))


def pinned(opened: GameOpened, adopted: Adoption | None) -> int:
    """The revision of the rules that a record says."""
    return adopted.revision if adopted else opened.revision


def ruleset_of(opened: GameOpened, adopted: Adoption | None = None) -> Ruleset:
    """The ruleset that a game goes by; `MISSING` where it is not here, or only an older revision of it is."""
    ruleset = RULESETS.get(opened.ruleset)
    return ruleset if ruleset and pinned(opened, adopted) <= ruleset.revision else MISSING


def _missing(fold: Fold) -> RulesetMissingError:
    known = RULESETS.get(fold.opened.ruleset)
    return RulesetMissingError(fold.game, fold.opened.ruleset, fold.pinned, known.revision if known else None)


def open_state(opened: GameOpened, adopted: Adoption | None = None) -> State:
    """The state before the first move. Raises `BadOpeningError`."""
    ruleset, revision = ruleset_of(opened, adopted), pinned(opened, adopted)
    if ruleset is MISSING:
        return MissingState(players=len(opened.seats), revision=revision)
    state: State = ruleset.open(opened.options, opened.components, len(opened.seats), revision)
    return state
