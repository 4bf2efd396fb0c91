"""States: a game at one moment, seen from a point of view."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import msgspec

from games.contract.scoring import Outcome
from games.copying import deep_copy
from games.errors import ImpossibleError, RuleBrokenError
from games.sketch import sketch_of
from games.tables import tables_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from games.contract.chance import Chance
    from games.contract.moves import JSON, Adjustment, Blank, Effect, Move
    from games.contract.options import Choices
    from games.contract.ruleset import Ruleset
    from games.contract.scoring import Deciding, ScoreLine, SeatMarker
    from games.sketch import Sketch
    from games.tables import Table
    from games.words import Title


class Viewpoint(msgspec.Struct, frozen=True):
    """The point of view on a game: the whole record, one seat, or the public that sees no hidden card."""

    kind: Literal["record", "seat", "public"]
    seat: int | None = None

    @property
    def name(self) -> str:
        """`record`, `public` or `seat-N`."""
        return self.kind if self.seat is None else f"{self.kind}-{self.seat}"

    def sees(self, seat: int | None) -> bool:
        """Whether the hidden cards of `seat` are known from here."""
        return self.kind == "record" or (seat is not None and self.seat == seat)


RECORD = Viewpoint("record")
PUBLIC = Viewpoint("public")


class State(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A game at one moment: the base of every ruleset's state.

    `revision` is the revision of the game's rules: a rule of revision 3 checks for 3 or more, and keeps the old form
    for less. `version` is the version of the last applied entry. `round` is the current round, from 1 (0 before the
    first one, and in games without rounds). `ending` is the outcome of a finished game. `resigned` are the seats that
    gave up by a ruling, in that order. Every ruleset calls the seat on turn `active`, and the next step `due`. A state
    is a struct, so states compare by their content, and `msgspec` writes and reads them whole.
    """

    if TYPE_CHECKING:  # msgspec would look for the name, which is made later
        ruleset: ClassVar[Ruleset]
        """The ruleset of the game."""

    revision: int = 0
    version: int = 0
    round: int = 0
    ending: Outcome | None = None
    resigned: tuple[int, ...] = ()

    @classmethod
    def begin(cls, options: Choices, components: JSON | None, seats: int) -> Self:  # noqa: ARG003
        """The table before the first move. Every option has a value, and the number of seats is valid.

        It is the same in all revisions: `revision` is set afterwards. Raises `BadOpeningError` with the field, for
        invalid components.
        """
        return cls()

    @classmethod
    def load(cls, data: JSON) -> Self:
        """Load a state from the output of `dump`."""
        return msgspec.convert(data, cls, str_keys=True)

    @property
    def seats(self) -> int:
        """The number of seats; by default the smallest number that the ruleset allows."""
        return self.ruleset.seats[0]

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat; empty where each seat plays for itself."""
        return ()

    def seat_name(self, seat: int) -> str:
        """The name of a seat in sentences; by default the ruleset's name."""
        return self.ruleset.spoken_names[seat]

    @property
    def is_even(self) -> bool:
        """Whether the points of all seats can be compared now: no seat is ahead of others in what was written down."""
        return True

    @property
    def wins(self) -> Literal["highest", "lowest", "cooperative"]:
        """Which points win; or `cooperative`, if all players win or lose together by a value of their own."""
        return "highest"

    # The course of the game

    @property
    def due(self) -> Any:
        """The next step; None in a game without steps."""
        return None

    def to_move(self) -> int | None:
        """The seat on turn; None if the table acts next (deal) or the game is over."""
        raise NotImplementedError

    def legal_moves(self) -> Iterator[Move]:
        """Every move that the rules and the known cards allow now.

        Facts of chance that the recorder may not know (a drawn card, a new card in the row) stay open.

        >>> from games.rulesets import RULESETS
        >>> state = RULESETS["kahuna"].open({}, None, 2)
        >>> [state.notation(move) for move in state.legal_moves()]
        ['deal black', 'deal white']
        """
        for kind in self.legal_kinds():
            yield from kind.legal(self)

    def legal_kinds(self) -> tuple[type[Move], ...]:
        """The kinds of moves that can be legal at the due step, in the order of listing."""
        return _kinds_at(self.ruleset, self.due)

    def game_over_breach(self) -> RuleBrokenError | None:
        """The breach of any move after the end of the game; None while the game goes on."""
        return RuleBrokenError(self.ending.rule, "the game is over") if self.ending else None

    def breaches(self, move: Move) -> Iterable[RuleBrokenError]:
        """Every rule that the move would break, the most important first; none for a legal move.

        It never raises for an impossible move: `apply` does.

        >>> from games.rulesets import RULESETS
        >>> state = RULESETS["kahuna"].open({}, None, 2)
        >>> effects = state.apply(state.parse("deal black BARI COCO DUDA"))
        >>> list(state.breaches(state.parse("a-h")))
        []
        >>> [str(breach) for breach in state.breaches(state.parse("white: d-a"))]
        ["it is black's turn, not white's (kahuna:SET-2)"]
        """
        return move.breaches(self)

    def verify(self, move: Move) -> None:
        """Raise the first `RuleBrokenError` of the move, if it breaks a rule."""
        for breach in move.breaches(self):
            raise breach

    def apply(self, move: Move, version: int | None = None) -> list[Effect]:
        """Apply the move, legal or not, and return its effects. It becomes entry `version`, by default the next one.

        Raises `ImpossibleError` for a physically impossible move, before anything changes.

        >>> from games.rulesets import RULESETS
        >>> state = RULESETS["kahuna"].open({}, None, 2)
        >>> effects = state.apply(state.parse("deal black BARI COCO DUDA"))
        >>> for effect in state.apply(state.parse("a-h")):
        ...     print(effect.kind, *effect.at)
        cards.played ALOA
        bridge.built ALOA-HUNA
        >>> state.version, state.to_move()
        (2, 0)
        """
        before = self.version
        self.version = before + 1 if version is None else version
        try:
            return move.apply(self)
        except ImpossibleError:
            self.version = before
            raise

    def replay(self, move: Move, version: int, flag: Callable[[Move, list[RuleBrokenError]], None]) -> None:
        """Carry a recorded move out as `apply` does, without its effects.

        If the move breaks rules, `flag` gets it and its `breaches` first. Callers that need only the state use this, so
        a ruleset can skip the texts. Raises `ImpossibleError`.
        """
        before, self.version = self.version, version
        try:
            move.replay(self, flag)
        except ImpossibleError:
            self.version = before
            raise

    def adjust(self, adjustments: Iterable[Adjustment], version: int | None = None) -> list[Effect]:
        """Apply the adjustments of a ruling in their order, and return the effects.

        It becomes entry `version`, by default the next one. Raises `ImpossibleError` for an adjustment beyond its
        limits, before that one changes anything.
        """
        before = self.version
        self.version = before + 1 if version is None else version
        try:
            return [effect for adjustment in adjustments for effect in adjustment.apply(self)]
        except ImpossibleError:
            self.version = before
            raise

    def sample_chance(self, move: Move, chance: Chance) -> Move:
        """The move with every open fact decided by chance, as by dice and a shuffled deck.

        It is for random play and for guesses at hidden cards. The result is never recorded.
        """
        return move.sample_chance(self, chance)

    def decide_hidden(self, chance: Chance) -> None:
        """Fill unknown hands by chance with possible cards.

        So a game can be played on from what is known of it. The result is never recorded.
        """

    # Scores and outcome

    def scores(self) -> list[ScoreLine]:
        """The audit: a line for all points so far."""
        raise NotImplementedError

    def totals(self) -> list[int]:
        """The score of every seat: the sums of the audit's lines."""
        points = [0] * self.seats
        for line in self.scores():
            points[line.seat] += line.points
        return points

    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat by the scores so far: 1 leads, equal ranks share."""
        points = self.totals()
        return tuple(1 + sum(other > own for other in points) for own in points)

    def outcome(self) -> Outcome | None:
        """The outcome of the game, or None while it goes on."""
        return self.ending

    def deciding(self) -> Deciding | None:
        """The value that ranks the seats instead of the scores, or breaks ties; None if the scores alone decide."""
        return None

    def markers(self) -> tuple[SeatMarker, ...]:
        """The markers that go round the table: who deals, who begins."""
        return ()

    def game_name(self) -> Title | None:
        """The name of the game if the ruleset does not name it: the name of a score sheet's template."""
        return None

    # Rulings in every game. Each method returns the effects, and raises `ImpossibleError` for an impossible change.

    def award(self, line: ScoreLine) -> list[Effect]:
        """Add points that a referee gave or took."""
        raise NotImplementedError

    def give_turn(self, seat: int) -> list[Effect]:
        """Begin a seat's turn, even if another seat was on turn."""
        raise NotImplementedError

    def end(self, ending: Outcome) -> list[Effect]:
        """End the game with this outcome, or replace its outcome."""
        self.ending = ending
        return []

    def resign(self, seat: int) -> list[Effect]:
        """Take a seat that gave up out of the game. The game ends if only one seat is left."""
        if seat in self.resigned:
            raise ImpossibleError("seat {number} has given up already", self.ruleset.ruling, number=seat + 1)
        self.resigned = (*self.resigned, seat)
        if len(self.resigned) < self.seats - 1:
            return self.retire(seat)
        ranks = [1] * self.seats
        for place, gone in enumerate(self.resigned):
            ranks[gone] = self.seats - place
        return self.end(Outcome.of(ranks, "resigned", self.ruleset.ruling))

    def retire(self, seat: int) -> list[Effect]:  # noqa: ARG002
        """Go on without a seat that gave up."""
        return []

    def switch(self, option: str, value: bool | int | str) -> list[Effect]:
        """Give an option another value from here on; the value is one of its choices."""
        raise NotImplementedError

    # Viewpoints and texts

    def view(self, viewpoint: Viewpoint) -> Self:  # noqa: ARG002
        """A copy with only the facts that may be known from `viewpoint`: hidden cards become unknown."""
        return self.copy()

    def translated(self, language: str, said: Mapping[str, str]) -> Self:  # noqa: ARG002
        """The state with the game's own names, such as columns, in a language.

        `said` maps English words to the ruleset's translations.
        """
        return self

    def copy(self) -> Self:
        """An independent copy, cheap to make."""
        return deep_copy(self)

    def describe(self) -> JSON:
        """The state for people and programs: every piece in its place, the seat on turn, the known cards of hands."""
        return self.ruleset.describe(self)

    def dump(self) -> JSON:
        """The whole state as JSON, for checkpoints. `load` makes an equal state from it."""
        data: JSON = msgspec.to_builtins(self, str_keys=True)
        return data

    def picture(self) -> str:
        """The table as one self-contained SVG document, with presentation attributes instead of styles.

        A part that moves or effects can name has that name as `data-at`, so that it can be tapped and marked. A place
        for a player's name has the seat as `data-seat`, and the width for the name as `data-room`.
        """
        return self.ruleset.draw(self)

    def sketch(self) -> Sketch:
        """The table as a drawing for a terminal, at most 80 characters wide. By default it is made from `describe`."""
        sketch = self.ruleset.sketch
        return sketch(self) if sketch else sketch_of(self.describe())

    def tables(self) -> list[Table]:
        """The table in rows and columns, for screen readers. By default it is made from `describe`."""
        tables = self.ruleset.tables
        return [table.by(self.ruleset.name) for table in (tables(self) if tables else tables_of(self.describe()))]

    # Notation

    def notation(self, move: Move) -> str:
        """The move as one line of text, in this state; `parse` reads it back. It holds no `!` and no `;`."""
        return self.ruleset.write(self, move)

    def parse(self, text: str) -> Move:
        """Read a move that a person typed, in this state.

        Raises `NotationError` with the place of the error and what is expected there.

        >>> from games.rulesets import RULESETS
        >>> state = RULESETS["kahuna"].open({}, None, 2)
        >>> state.notation(state.parse("deal black b c d"))
        'deal black BARI COCO DUDA'
        >>> state.parse("deal black NARA")
        Traceback (most recent call last):
        games.errors.NotationError: ...
        """
        move: Move = self.ruleset.parse(self, text)
        return move

    def blanks(self, move: Move) -> tuple[Blank, ...]:
        """The blanks of a legal move, so that an entry screen can have a field for each.

        None if a move is better picked or typed as a whole.
        """
        return move.blanks(self)

    def notation_template(self, move: Move) -> str:
        """The notation of a move with `GAP` in the place of each of its blanks.

        Without blanks it is the notation itself. While all blanks are empty, the move has only facts that nobody noted.
        """
        return move.notation_template(self)

    def off_turn_moves(self) -> Iterator[Move]:
        """Further possible entries beside the legal moves, with gaps: notes of hands, shown cards, agreements."""
        for kind in self.ruleset.move_types:
            yield from kind.off_turn_moves(self)


@cache
def _kinds_at(ruleset: Ruleset, due: Any) -> tuple[type[Any], ...]:
    """The kinds of moves that can be legal at a step, in the order in which legal moves are listed."""
    return tuple(kind for kind in ruleset.move_types if kind.steps is None or due in kind.steps)
