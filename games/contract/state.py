"""The contract of a ruleset: moves that own their rules, a state that is the game, and a record of facts.

Dice, draws and deals are facts in the moves, so folding the same moves always gives the same state. `breaches` (is it
allowed?) and `apply` (what does it do?) are separate on purpose: a move at the table may have been against the rules,
and is then applied and flagged.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, TypeVar, Union, get_args

import msgspec

from games import words
from games.copying import deep_copy
from games.errors import BadMoveError, BadOpeningError, ImpossibleError, RuleBrokenError
from games.rulebook import Rulebook
from games.sketch import sketch_of
from games.tables import tables_of
from games.words import first_few

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.sketch import Sketch
    from games.tables import Table

JSON = dict[str, Any]

_TRANSLATION = re.compile(r"RULES\.([A-Za-z0-9-]+)\.md")
Choices = Mapping[str, bool | int | str]
"""The values of options by the options' names."""


class Title(msgspec.Struct, frozen=True):
    """A name in English and in Japanese."""

    en: str
    ja: str

    def __str__(self) -> str:
        return self.en


class Addition(Title, frozen=True):
    """The name of a word that can be added to a choice; at most one word of each `group`."""

    group: str | None = None


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A switch of a ruleset, set when a game is opened.

    `choices` are all its values, and `default` is the value if nothing is chosen. At any other value, the rules with
    the ids `adds` are added, and those with the ids `replaces` are replaced. A ruling can change a `switchable` option
    during the game. `names` are the names of the choices. `additions` are words that can be added to a choice, each
    after a `+`.
    """

    name: str
    title: Title
    choices: tuple[bool | int | str, ...]
    default: bool | int | str
    adds: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    switchable: bool = False
    names: tuple[str, ...] = ()
    additions: Mapping[str, Mapping[str, Addition]] = {}

    def allows(self, value: object) -> bool:
        """Whether the value is one of the choices, perhaps with some of its additions, each at most once."""
        choice, words = self.parts(value)
        if not any(choice == known and type(choice) is type(known) for known in self.choices):
            return False
        return set(words) <= self.additions.get(str(choice), {}).keys() and len(set(words)) == len(words)

    def parts(self, value: object) -> tuple[object, list[str]]:
        """A value split into one of the choices and the words added to it."""
        if self.additions and isinstance(value, str):
            choice, *words = value.split("+")
            return choice, words
        return value, []

    def choice_name(self, choice: bool | int | str) -> str:
        """The name of one of the choices: on, off, a number, words."""
        base, words = self.parts(choice)
        if words and self.allows(choice):
            return " + ".join([self.choice_name(str(base)), *(self.additions[str(base)][word].en for word in words)])
        if choice in self.choices[: len(self.names)]:
            return self.names[self.choices.index(choice)]
        if isinstance(choice, bool):
            return "on" if choice else "off"
        return str(choice).replace("_", " ")


def as_json(struct: msgspec.Struct) -> JSON:
    """A struct as plain JSON: only plain types, with lists for tuples."""
    data: JSON = msgspec.json.decode(msgspec.json.encode(struct))
    return data


def option_text(value: bool | int | str) -> str:
    """An option's value as people type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refused(option: Option, value: object) -> BadOpeningError:
    """The error for a value of an option that is not allowed."""
    field = f"options.{option.name}"
    name, words = option.parts(value)
    if not words or not option.allows(name):
        said = first_few(choice_texts(option.choices))
        return BadOpeningError(field, f"{value!r} is not one of {said}")
    known = option.additions.get(str(name), {})
    if known.keys() >= set(words):
        name = next(word for word in words if words.count(word) > 1)
        return BadOpeningError(field, f"{name} stands here twice")
    names = ", ".join(known) or "none"
    return BadOpeningError(field, f"{name} has no such option; it has {names}")


def choice_texts(choices: Sequence[bool | int | str]) -> list[str]:
    """An option's choices for people: each as it is typed, but a long run of numbers as `4 to 40`."""
    return [f"{choices[0]} to {choices[-1]}"] if is_long_run(choices) else list(map(option_text, choices))


def is_long_run(choices: Sequence[bool | int | str]) -> bool:
    """Whether the choices are consecutive numbers, too many to name each."""
    first, last = choices[0], choices[-1]
    run = range(first, last + 1) if isinstance(first, int) and isinstance(last, int) else ()
    return len(choices) > FEW and tuple(choices) == tuple(run)


FEW = 5
"""The most consecutive numbers that are named one by one."""


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


class ScoreLine(msgspec.Struct, frozen=True, gc=False):
    """One line of the score audit: `points` for `seat`, with the rule and the entry of the record behind them.

    `category` is a short stable word (`round-1`), `version` the entry that brought the points, `note` what was counted.
    A seat's score is the sum of its lines.
    """

    seat: int
    points: int
    category: str
    rule: str
    version: int
    note: str = ""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The end of a game: a rank for each seat (1 is best, equal ranks share), the winning seats, and the rule.

    `reason` is one of the ruleset's `endings`. In a draw all first-ranked seats are winners. If the winners are
    `together` (a team, or all against the game), they have won. Nobody is first if the game itself has won.
    """

    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    rule: str
    together: bool = False

    @property
    def is_draw(self) -> bool:
        """Whether all seats share the first rank, and do not play together."""
        return 1 < len(self.winners) == len(self.ranks) and not self.together

    @classmethod
    def by_points(cls, points: Sequence[int], reason: str, rule: str) -> Self:
        """The outcome by points: most points win, and equal points share the rank."""
        return cls.of([1 + sum(1 for others in points if others > own) for own in points], reason, rule)

    @classmethod
    def of(cls, ranks: Sequence[int], reason: str, rule: str) -> Self:
        """The outcome with these ranks: all seats of rank 1 have won."""
        return cls(tuple(ranks), tuple(seat for seat, rank in enumerate(ranks) if rank == 1), reason, rule)


class Deciding(msgspec.Struct, frozen=True):
    """A value that ranks the seats instead of their points, or breaks ties: its name, and each seat's value."""

    title: Title
    values: tuple[str, ...]

    def replaces(self, scores: Sequence[int]) -> bool:
        """Whether it ranks the seats instead of points: it has values, and nobody has points."""
        return any(self.values) and not any(scores)


class SeatMarker(msgspec.Struct, frozen=True):
    """A thing that goes round the table, such as the deal, and the seats that have it now."""

    title: Title
    seats: tuple[int, ...]


class State(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A game at one moment: the base of every ruleset's state.

    `revision` is the revision of the game's rules: a rule of revision 3 checks for 3 or more, and keeps the old form
    for less. `version` is the version of the last applied entry. `round` is the current round, from 1 (0 before the
    first one, and in games without rounds). `ending` is the outcome of a finished game. `resigned` are the seats that
    gave up by a ruling, in that order. Every ruleset calls the seat on turn `active`, and the next step `due`. A state
    is a struct, so states compare by their content, and `msgspec` writes and reads them whole.
    """

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

T = TypeVar("T")


class Chance(Protocol):
    """A source of random choices in place of dice and shuffled cards, such as a `random.Random`."""

    def choice(self, seq: Sequence[T]) -> T:
        """An element of the sequence, which is not empty."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """`k` different elements of the population, in any order."""


def _no_complaint(options: Choices) -> None:  # noqa: ARG001
    return None


class ChanceEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event of chance: a die, a card from a deck.

    `kind` is one of the ruleset's `chance_kinds`. It happened to `seat`, or to the table (None). `odds` are the weights
    of all possible outcomes, from what can be known beforehand. `outcome` is the actual one, None if it is not known.
    `gains` has the gain of each seat for each outcome, if it can be counted. `with_outcome` makes the move with another
    outcome. Later events of the move may then need new outcomes, by their new odds. It is None if the move does not
    hold the outcome. A `dependent` event follows from earlier ones of the same move. With a `sample` the odds are near
    the true ones: they come from this number of drawn arrangements.
    """

    kind: str
    odds: Mapping[str, int]
    outcome: str | None
    seat: int | None = None
    gains: Mapping[str, tuple[int, ...]] = {}
    with_outcome: Callable[[str], Move] | None = None
    dependent: bool = False
    sample: int = 0


class Watch(Protocol):
    """Follows a game from a viewpoint, step by step, and knows exactly what can be known of hidden things there.

    It is only made for analyses. Moves, states and adjustments are passed as seen from the viewpoint.
    """

    def follow(self, before: Any, move: Any, after: Any) -> Sequence[ChanceEvent]:
        """The events of chance in a move, with their exact odds. An event has no odds if they are unknown."""

    def follow_ruling(self, before: Any, adjustments: Sequence[Adjustment]) -> Sequence[ChanceEvent]:
        """Follow the adjustments of a ruling, and return the events of chance that became known."""

    def remaining_events(self) -> Sequence[ChanceEvent]:
        """At the end of the game: the events that waited for an outcome and never got one."""


def _no_chance(state: Any, move: Any, effects: Sequence[Effect]) -> Iterable[ChanceEvent]:  # noqa: ARG001
    return ()


class Policy(msgspec.Struct, frozen=True):
    """An automatic player: cheap, and better than random. `revision` grows with every change of its play.

    `choose` picks a legal move for the seat on turn, in a state with all hands known; None if there is no legal move.
    `blunders` of 100 moves are random instead, because people at a table make mistakes.
    """

    name: str
    revision: int
    choose: Callable[[Any, Chance], Move | None]
    blunders: int = 0


@cache
def _kinds_at(ruleset: Ruleset, due: Any) -> tuple[type[Any], ...]:
    """The kinds of moves that can be legal at a step, in the order in which legal moves are listed."""
    return tuple(kind for kind in ruleset.move_types if kind.steps is None or due in kind.steps)


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruleset:
    """The facts of one game system, apart from its moves and states. `games.rulesets` has one for each.

    `open` makes the state of a game, which answers everything about it.
    """

    name: str
    """The ruleset's stable name, and the prefix of its rule ids: `kahuna`."""
    title: Title
    revision: int
    """Grows with every change that could fold a recorded game differently. Each game keeps its own until it adopts a
    newer one.
    """
    oldest_revision: int = 1
    """The oldest revision with rules that are still kept. Games of older revisions use it."""
    changes: tuple[str, ...]
    """The changes of each revision, from the first to the newest."""
    seats: range
    """The possible numbers of seats of a game."""
    adding_a_seat: str = ""
    """The move that adds a seat during the game, with `{number}` for the seat's; empty if the seats stay as opened."""
    seat_names: tuple[Title, ...]
    """The names of the seats, if the players' names are unknown: Black, White."""
    options: tuple[Option, ...] = ()
    chance_kinds: Mapping[str, Title] = field(default_factory=dict)
    """Every kind of event that chance decides, by its name."""
    chances: Callable[[Any, Any, Sequence[Effect]], Iterable[ChanceEvent]] = _no_chance
    """Finds the events of chance in a move, from the state before it and its effects, if they are known there."""
    watch: Callable[[], Watch] | None = None
    """Makes a watch: it finds exact odds if `chances` cannot, after shuffles and unseen discards."""
    policy: Policy | None = None
    """The automatic player for simulated games."""
    endings: tuple[str, ...]
    """Every reason that an outcome can have. A test demands a recorded game for each."""
    hides_information: bool = True
    """Whether the game has hidden information."""
    effect_sentences: Mapping[str, str]
    """Every kind of effect, with its sentence: `bridge.removed` → "{seat} lost the bridge {at}"."""
    terms: tuple[str, ...] = ()
    """Names of things, alone and in short phrases (`2 red`, `land {number}`), to translate in sentences, notes and
    pictures. A place in braces stands for a number.
    """
    quotes_people: bool = False
    """Whether notes and effects have people's own words in them: terms are not translated there."""

    state: type[State]
    """The class of the ruleset's states."""
    moves: Any
    """The union of the ruleset's move classes, in the order in which legal moves are listed; or the only one."""
    partly_listed: Mapping[type[Move], tuple[str, ...] | None] = field(default_factory=dict)
    """Kinds with more legal moves than `legal_moves` lists. A tuple names the fields that allow other values, too; None
    is a kind that is never listed. A payment is listed in one way and can be made in another. The examination expects
    all other unlisted moves to break a rule.
    """
    adjustments: tuple[type[Adjustment], ...] = ()
    """The adjustments of rulings. RULES.md describes each, with its limits, under `RULING`."""

    components: Callable[[Choices], JSON | None] = _no_complaint
    """The components for `game.opened` if none are given, so that the game keeps them for ever; all options are named.
    None if the rules themselves hold all printed facts.
    """
    read_components: Callable[[JSON], object] | None = None
    """Reads entered components. Raises `BadOpeningError` with the field. None if every box is the same."""
    components_help: str = ""
    """The components that can be entered for a box, in words; empty if every box is the same."""
    sample_components: Mapping[str, JSON] = field(default_factory=dict)
    """Made-up components to try things out with, by name."""
    examined_choices: Mapping[str, tuple[bool | int | str, ...]] = field(default_factory=dict)
    """By option, the choices for random games, if not all of them are worth playing or bring such a game to its end."""

    notation_help: str
    """The notation of moves: a few lines for the command line and the page."""
    write: Callable[[Any, Any], str]
    """The function behind `State.notation`."""
    parse: Callable[[Any, str], Any]
    """The function behind `State.parse`."""
    read_name: Callable[[str, Sequence[str]], str] | None = None
    """Finds one of some names as moves read it, for rulings. Raises `NotationError`. None if only the beginnings of
    names are read.
    """
    describe: Callable[[Any], JSON]
    """The function behind `State.describe`."""
    draw: Callable[[Any], str]
    """The function behind `State.picture`."""
    sketch: Callable[[Any], Sketch] | None = None
    """The function behind `State.sketch`."""
    tables: Callable[[Any], list[Table]] | None = None
    """The function behind `State.tables`."""
    score_categories: tuple[str, ...] = ()
    """The categories of score lines, without those of rulings: the lines of a blank sheet on paper."""

    def __post_init__(self) -> None:
        if "ruleset" in vars(self.state):
            raise TypeError(f"{self.state.__name__} is the state of {self.state.ruleset.name}")
        self.state.ruleset = self

    def open(self, options: Choices, components: JSON | None, seats: int, revision: int | None = None) -> Any:
        """The state before the first move, by the newest revision of the rules or a given one.

        Missing options get their default. Raises `BadOpeningError` with the field.

        >>> from games.rulesets import RULESETS
        >>> state = RULESETS["kahuna"].open({}, None, 2)
        >>> state.seats, state.totals(), state.outcome()
        (2, [0, 0], None)
        """
        if revision is not None and revision > self.revision:
            raise BadOpeningError("revision", f"{self.name} is here in revision {self.revision}, not in {revision}")
        chosen = self.check_options(options)
        if components is None:
            components = self.components(chosen)
        elif self.read_components is None:  # otherwise they are read when the game begins
            self.check_components(components)
        self.check_seats(seats)
        state = self.state.begin(chosen, components, seats)
        state.revision = self.effective_revision(self.revision if revision is None else revision)
        return state

    def check_seats(self, seats: int) -> None:
        """Check that so many can play. Raises `BadOpeningError`."""
        if seats not in self.seats:
            raise BadOpeningError("seats", f"{self.name} is for {words.numbers(self.seats)} players, not {seats}")

    def effective_revision(self, pinned: int) -> int:
        """The effective revision of a game with `pinned` in its record."""
        return max(pinned, self.oldest_revision)

    @property
    def ruling(self) -> str:
        """The id of the rule for rulings."""
        return f"{self.name}:RULING"

    @cached_property
    def spoken_names(self) -> tuple[str, ...]:
        """The names of the seats in sentences."""
        return tuple(name.en.lower() for name in self.seat_names)

    @property
    def package(self) -> str:
        """The package of the ruleset, with its RULES.md."""
        return str(sys.modules[self.state.__module__].__package__)

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rules by id, read from the ruleset's RULES.md."""
        return Rulebook.parse(self.name, (files(self.package) / "RULES.md").read_text(encoding="utf-8"))

    @cached_property
    def translations(self) -> Mapping[str, Rulebook]:
        """The rulebooks of the package in other languages, by language tag: `RULES.ja.md` under `ja`."""
        found = {}
        for file in files(self.package).iterdir():
            if named := _TRANSLATION.fullmatch(file.name):
                text = file.read_text(encoding="utf-8")
                found[named[1]] = self.rulebook.translated(self.name, text, named[1])
        return found

    def rulebook_in(self, language: str) -> Rulebook:
        """The rules by id in a language; in English if the translation is missing or incomplete."""
        found = self.translations.get(language, self.rulebook)
        return found if list(found) == list(self.rulebook) else self.rulebook

    def check_options(self, options: Choices) -> dict[str, bool | int | str]:
        """The value of every option: the given values, checked, and the defaults. Raises `BadOpeningError`."""
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            if name not in known:
                names = ", ".join(known) or "none"
                raise BadOpeningError(f"options.{name}", f"{self.name} has no such option; it has {names}")
            if not known[name].allows(value):
                raise _refused(known[name], value)
        return {name: options.get(name, option.default) for name, option in known.items()}

    @cached_property
    def move_types(self) -> tuple[type[Any], ...]:
        """The classes of the moves, in the order in which legal ones are listed."""
        return get_args(self.moves) or (self.moves,)

    @cached_property
    def unknown_fields(self) -> Mapping[type[Move], tuple[str, ...]]:
        """The fields of moves with facts that can be left open and revealed later."""
        return {kind: kind.unknown_fields for kind in self.move_types}

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.moves)

    def read_move(self, data: bytes | JSON) -> Any:
        """Make a move from its JSON, as bytes or decoded. Raises `BadMoveError` with the field."""
        try:
            return self._decoder.decode(data if type(data) is bytes else msgspec.json.encode(data))
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise BadMoveError.of(error) from None

    def move_data(self, move: Move) -> JSON:
        """The move as plain JSON: what `read_move` reads."""
        return as_json(move)

    def adjustment_data(self, adjustment: Adjustment) -> JSON:
        """The adjustment as plain JSON: what `read_adjustment` reads."""
        return as_json(adjustment)

    @cached_property
    def adjustment_type(self) -> Any:
        """The union of the ruleset's adjustments, as a type for `msgspec`."""
        return Union[self.adjustments]  # noqa: UP007  made of a tuple

    def read_adjustment(self, data: JSON) -> Adjustment:
        """Make an adjustment from its JSON. Raises `BadMoveError` with the field."""
        if not self.adjustments:
            raise BadMoveError("", f"{self.name} knows no rulings that change anything")
        try:
            adjustment: Adjustment = msgspec.convert(data, self.adjustment_type)
        except msgspec.ValidationError as error:
            raise BadMoveError.of(error) from None
        return adjustment

    def check_components(self, components: JSON) -> None:
        """Make sure that games can be opened with these components. Raises `BadOpeningError` with the field."""
        if self.read_components is None:
            raise BadOpeningError("components", f"every box of {self.name} is the same: leave them out")
        self.read_components(components)

    def seat_tag(self, seat: int) -> str:
        """The word for a seat in headers and rulings: its name in the ruleset, without blanks."""
        return self.seat_names[seat].en.replace(" ", "") if seat < len(self.seat_names) else f"Seat{seat}"
