"""Templates: the printed sheet of a game as data. A game embeds the one that it is opened with."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from bisect import bisect_right
from fractions import Fraction
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import msgspec.inspect

from games.adjustments import SEATS
from games.contract import Title
from games.errors import BadMoveError, BadOpeningError
from games.reader import DASHES, to_ascii, unified
from games.scoresheet.formulas import WORDS, Formula, FormulaError, Kind, read_formula
from games.words import LABELLED, Sentence, Typed, comma_list, counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from games.contract import JSON

NAME = "scoresheet"
"""The ruleset. Its words translate the sentences of templates."""
MOST = 10**9
"""The most that a value on a sheet can be, up or down."""
Number = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)] | Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
"""A value on a sheet: whole, or with up to three decimals."""
DECIMALS = 3

ID, LABEL, WORD = 30, 60, 20
"""The most characters of a column's id, of what it is called, and of a label for a value."""
_ONE_LINE = r"^[^\x00-\x1f\x7f]*$(?!\n)"
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=ID)]
"""An id: letters and digits of any script, as in formulas."""
Label = Annotated[str, msgspec.Meta(min_length=1, max_length=LABEL, pattern=_ONE_LINE)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=WORD, pattern=_ONE_LINE)]

TEXT = 400
"""The most characters of what a template says about itself."""
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT, pattern=_ONE_LINE)]
ALIASES = 20
"""The most other names of a game."""

COLUMNS = 60
ROUNDS = 999
"""The most columns and rounds of a sheet; the seats are those of any game."""
SIZE = 60_000
"""The most bytes of a template as JSON: it has to fit into the entry that opens a game."""
WORK = 300_000
"""The most parts of formulas on a whole sheet, so that every look at it is over in a moment."""
_LOOK = 4
"""How many parts it counts for that a value is looked up at all."""
CHECK_WORK = 5_000
"""The most parts of the checks of a round, with all that they are computed from: every entry is held against them."""
CHECKS, STOPS, CHOICES, SOURCES, MARKERS = 40, 12, 12, 12, 6
"""The most checks, other ends, options, sources and markers of a template."""

OUT, IN, END, WON, LOST = "out", "in", "end", "won", "lost"
EARLY, NOBODY = "early", "nobody"
"""What follows `end` where a game is stopped by its standing, and so that nobody wins."""
_NOTATION = {OUT, IN, END, WON, LOST, "r"}
"""The words of the notation that are no column; `r` is the round that is due."""
_RESERVED = WORDS | _NOTATION | {"round", "rounds", "sides", "total"}


Condition = Name | Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=CHOICES)]
"""The option that puts something on a sheet, or keeps it away. Of several options one is enough."""

Missed = Literal["nothing", "zero", "average", "lowest", "highest"]
"""What somebody who comes late gets for what was missed: no points, or as many as bring them to these of the others."""


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A column of the sheet: entered, or computed if it has a `formula`.

    It holds a value for each side `per` game or per round, or one for all if it is `shared`. The values of a column
    that `counts` are points. Entered ones lie between `least` and `most`; where there are `labels` they are one of
    these, and can be written by the label. `default` is what an empty cell becomes when the game is finished.

    `ja` is what it is called in Japanese.

    What is computed goes through `ranges` (`[[0, -1], [2, 1]]`: -1 from 0 on, 1 from 2 on), and `round` makes it whole.
    `check` is a formula that holds for every value that can stand there. The column is on the sheet `when` an option is
    chosen, or `unless` it is.
    """

    id: Name
    name: Label | None = None
    ja: Label | None = None
    per: Literal["game", "round"] = "game"
    shared: bool = False
    counts: bool = True
    least: Number | None = None
    most: Number | None = None
    labels: Annotated[dict[Word, Number], msgspec.Meta(max_length=40)] = {}
    default: Number | None = None
    formula: str | None = None
    ranges: Annotated[tuple[tuple[Number, Number], ...], msgspec.Meta(max_length=100)] = ()
    round: Literal["up", "down", "half"] | None = None
    check: str | None = None
    when: Condition | None = None
    unless: Condition | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The labels, that of the highest value first: canonical JSON keeps no other order."""
        return tuple(sorted(self.labels, key=lambda word: -self.labels[word]))

    @property
    def title(self) -> str:
        """What the column is called."""
        return self.name or self.id.replace("_", " ")

    @property
    def titles(self) -> Title:
        """What the column is called, in both languages."""
        return Title(self.title, self.ja or self.title)

    @property
    def said(self) -> Title:
        """The column in a sentence: as one types it; in Japanese by its name."""
        return Title(self.id, self.ja or self.id)

    @property
    def typed(self) -> Title:
        """The column as one types it; in Japanese with its name."""
        return _typed(self.id, self.ja)

    @property
    def choices(self) -> str:
        """The labels as one types them, one after the other."""
        return comma_list([Typed(typed(word)) for word in self.words])


def _typed(word: str, meaning: str | None) -> Title:
    return Title(word, f"{word}（{meaning}）" if meaning else word)


TOTAL_BEFORE, TARGET = "total_before", "target"
"""What formulas call the points that a side had before the round, and the target of the sheet."""

_UNSAID = Column(id="unsaid")
_NAME = re.compile(r"[^\s.,+*/%<>=!()-]++(?!\s*\()")
"""A name in a formula that is no function, or a number."""


class Team(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A side of several seats; without any named, the teams take turns around the table."""

    name: Label
    seats: tuple[Annotated[int, msgspec.Meta(ge=0, lt=SEATS)], ...] = ()


class TieBreaker(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What decides among sides that are level: the column whose highest or lowest value is better."""

    column: Name
    wins: Literal["highest", "lowest"] = "highest"
    when: Condition | None = None
    unless: Condition | None = None


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A formula that should hold on the sheet, in each round or once, and what is said if it does not.

    It is one of each side if it looks at what a side has of its own, else one for all. `{value}` in the sentence stands
    for what the formula `value` gives.
    """

    holds: str
    says: Text
    ja: Text | None = None
    value: str | None = None
    per: Literal["game", "round"] = "round"
    when: Condition | None = None
    unless: Condition | None = None


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Another end of the game than the usual one, such as a time limit; if it is after `rounds`, then after these."""

    id: Name
    name: Label
    ja: Label | None = None
    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS)] | None = None

    @property
    def typed(self) -> Title:
        """The end as one types it; in Japanese with its name."""
        return _typed(self.id, self.ja)


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The public rules that a template was held against."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=120, pattern=_ONE_LINE)]
    year: Annotated[int, msgspec.Meta(ge=1000, le=2999)] | None = None
    url: Annotated[str, msgspec.Meta(max_length=300, pattern=r'^https?://[^\s<>"]+$(?!\n)')] | None = None


class Marker(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What goes round the table beside the points: who deals, who begins, who has had the solo.

    `moves` says how it goes on with each round: to the `next` seat, or to the `winner` or the `loser` of
    the round before. By `hand` one seat has it until another one gets it, and with `each` every seat can have it.
    """

    id: Name
    name: Label
    ja: Label | None = None
    moves: Literal["next", "winner", "loser", "hand", "each"] = "next"
    when: Condition | None = None
    unless: Condition | None = None

    @property
    def goes_by_itself(self) -> bool:
        """Whether it goes on with the rounds."""
        return self.moves in {"next", "winner", "loser"}

    @property
    def said(self) -> Title:
        """The marker in a sentence: as one types it; in Japanese by its name."""
        return Title(self.id, self.ja or self.id)

    @property
    def typed(self) -> Title:
        """The marker as one types it; in Japanese with its name."""
        return _typed(self.id, self.ja)


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What an option changes of the template beside the columns."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS)] | msgspec.UnsetType | None = msgspec.UNSET
    target: Annotated[int, msgspec.Meta(ge=1, le=10**9)] | msgspec.UnsetType | None = msgspec.UNSET
    wins: Literal["highest", "lowest", "cooperative"] | msgspec.UnsetType = msgspec.UNSET
    by: Name | msgspec.UnsetType | None = msgspec.UNSET
    ends: str | msgspec.UnsetType | None = msgspec.UNSET
    loses: str | msgspec.UnsetType | None = msgspec.UNSET
    first_wins: Literal["entry", "seats"] | msgspec.UnsetType | None = msgspec.UNSET
    late: Missed | msgspec.UnsetType = msgspec.UNSET


class Beside(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What an option `sets` where the other `option` is chosen, too."""

    option: Name
    sets: Settings


class TemplateOption(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A house rule or an expansion that can be chosen when a game is opened: what it `sets` of the template.

    Of the options of a `group` one at most is chosen, such as one map. `beside` others it sets something else.
    """

    id: Name
    name: Label
    ja: Label | None = None
    group: Name | None = None
    sets: Settings = Settings()
    beside: Annotated[tuple[Beside, ...], msgspec.Meta(max_length=CHOICES)] = ()


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, dict=True):
    """A whole sheet: its columns, how long it goes on, and who wins.

    It is found by its `name`, by `ja`, its Japanese one, and by its `aliases`. `about` is what the person who fills
    it in has to know, `checked` what its figures were held against: nothing, if that is not said.

    `rounds` is the number of the last round, if it is fixed. `wins` says whose total is best, or that all win or lose
    together; `by` names a column that decides in place of the total. With a `target` the game goes on until a total
    reaches it, or until the formula `ends` is true for a side; `first_wins` says that who came to the target first has
    won, by the order of entry, or of the seats in a round. `ties` break ties, in their order; with `tie_round` one more
    round is played while the first are level, and with `last_turn` who comes to the target gives each other side one
    more turn. A side loses if the formula `loses` is true for it, with any points.
    `stops` are other ends that the game knows. `late` is what somebody who comes late gets for what was missed, if the
    table says nothing else.

    `round_names` are what the rounds are called. `checks` are formulas that should hold. `markers` go round the table.
    `options` can be `chosen`: columns, tie-breakers, checks and markers are there `when` one is, or `unless` it is.
    `sources` are the public rules that the sheet was held against.
    """

    name: Label
    ja: Label | None = None
    aliases: Annotated[tuple[Label, ...], msgspec.Meta(max_length=ALIASES)] = ()
    about: Text | None = None
    checked: Text | None = None
    sources: Annotated[tuple[Source, ...], msgspec.Meta(max_length=SOURCES)] = ()
    bgg: Annotated[int, msgspec.Meta(ge=1, le=2**53)] | None = None
    columns: Annotated[tuple[Column, ...], msgspec.Meta(min_length=1, max_length=COLUMNS)]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS)] | None = None
    teams: Annotated[tuple[Team, ...], msgspec.Meta(max_length=SEATS)] = ()
    wins: Literal["highest", "lowest", "cooperative"] = "highest"
    by: Name | None = None
    target: Annotated[int, msgspec.Meta(ge=1, le=10**9)] | None = None
    ties: Annotated[tuple[TieBreaker, ...], msgspec.Meta(max_length=COLUMNS)] = ()
    tie_round: bool = False
    last_turn: bool = False
    loses: str | None = None
    ends: str | None = None
    first_wins: Literal["entry", "seats"] | None = None
    late: Missed = "nothing"
    stops: Annotated[tuple[Stop, ...], msgspec.Meta(max_length=STOPS)] = ()
    round_names: Annotated[tuple[Label, ...], msgspec.Meta(max_length=ROUNDS)] = ()
    round_names_ja: Annotated[tuple[Label, ...], msgspec.Meta(max_length=ROUNDS)] = ()
    checks: Annotated[tuple[Check, ...], msgspec.Meta(max_length=CHECKS)] = ()
    markers: Annotated[tuple[Marker, ...], msgspec.Meta(max_length=MARKERS)] = ()
    options: Annotated[tuple[TemplateOption, ...], msgspec.Meta(max_length=CHOICES)] = ()
    chosen: Annotated[tuple[Name, ...], msgspec.Meta(max_length=CHOICES)] = ()

    def called(self, language: str, words: Mapping[str, str]) -> Template:
        """The template in a language: its labels and teams by these `words`, and by its own names in Japanese."""
        if language not in self._called:
            self._called[language] = self._in(language, words) if words else self
        return self._called[language]

    @cached_property
    def _called(self) -> dict[str, Template]:
        return {}

    def _in(self, language: str, words: Mapping[str, str]) -> Template:
        ours = language == "ja"
        columns = tuple(
            msgspec.structs.replace(
                column,
                name=(ours and column.ja) or column.name,
                labels={
                    words.get(LABELLED + word.replace("_", " "), word): column.labels[word] for word in column.labels
                },
            )
            for column in self.columns
        )
        teams = tuple(msgspec.structs.replace(team, name=words.get(team.name, team.name)) for team in self.teams)
        rounds = (ours and self.round_names_ja) or self.round_names
        stops = tuple(msgspec.structs.replace(stop, name=(ours and stop.ja) or stop.name) for stop in self.stops)
        markers = tuple(
            msgspec.structs.replace(marker, name=(ours and marker.ja) or marker.name) for marker in self.markers
        )
        name = (ours and self.ja) or self.name
        parts = {"columns": columns, "teams": teams, "round_names": rounds, "stops": stops, "markers": markers}
        return msgspec.structs.replace(self, name=name, **parts)

    @cached_property
    def by_id(self) -> dict[str, Column]:
        """The columns by id."""
        return {column.id: column for column in self.columns}

    @cached_property
    def typed_columns(self) -> dict[str, Column]:
        """The columns that are entered, by their ids as the reader of notation has them."""
        return {as_read(column.id): column for column in self.entered}

    @cached_property
    def typed_labels(self) -> dict[str, dict[str, Number]]:
        """By column, the values of its labels as the reader of notation has these."""
        return {
            column.id: {as_read(typed(word)): value for word, value in column.labels.items()} for column in self.columns
        }

    @cached_property
    def typed_rounds(self) -> dict[str, int]:
        """The numbers of the rounds that have names, by these as the reader of notation has them."""
        names = (*self.round_names, *self.round_names_ja)
        numbers = (*range(1, len(self.round_names) + 1), *range(1, len(self.round_names_ja) + 1))
        return {as_read(typed(name)): number for name, number in zip(names, numbers, strict=True)}

    @cached_property
    def typed_markers(self) -> dict[str, Marker]:
        """The markers by their ids as the reader of notation has them."""
        return {as_read(marker.id): marker for marker in self.markers}

    def marker(self, name: str) -> Marker | None:
        """The marker with this id."""
        return next((marker for marker in self.markers if marker.id == name), None)

    def round_title(self, number: int) -> str:
        """What a round is called; nothing if it has no name."""
        return self.round_names[number - 1] if 0 < number <= len(self.round_names) else ""

    @cached_property
    def plain(self) -> dict[str, Column]:
        """By id, the columns into which any number can be entered, for one side."""
        return {
            column.id: column
            for column in self.entered
            if not (self.last_turn and column.per == "round")
            if not (column.shared or column.labels) and column.least is column.most is None
            if column.id not in self.checked_columns
        }

    @cached_property
    def entered(self) -> tuple[Column, ...]:
        """The columns that are entered."""
        return tuple(column for column in self.columns if column.formula is None)

    @cached_property
    def usual(self) -> Column | None:
        """The column that is meant where none is named: the first that each side fills in, in rounds if there are."""
        own = [column for column in self.entered if not column.shared]
        return next((column for column in own if column.per == "round"), own[0] if own else None)

    @cached_property
    def in_rounds(self) -> bool:
        """Whether there are rounds: they come with what is entered in them."""
        return any(column.per == "round" for column in self.entered)

    def names_in(self, per: str) -> dict[str, Kind]:
        """The names that a formula of a round, or of the whole game, can use."""
        words = ["sides", "rounds"] if per == "game" else ["sides", "round", "rounds", TOTAL_BEFORE]
        known: dict[str, Kind] = dict.fromkeys([*words, *([TARGET] if self.target else [])], "number")
        if per == "game":
            return known | {column.id: "list" if column.per == "round" else "number" for column in self.columns}
        return known | {column.id: "number" for column in self.columns if column.per == "round"}

    @cached_property
    def formulas(self) -> dict[str, Formula]:
        """The formulas of the columns by their ids. Raises `BadOpeningError` with the place of the error."""
        found = {}
        for index, column in enumerate(self.columns):
            if column.formula is not None:
                names = self.names_in(column.per)
                found[column.id] = _formula(f"columns[{index}].formula", column.formula, names)
        return found

    @cached_property
    def formulas_called(self) -> dict[str, Title]:
        """The formulas as they are typed; in Japanese with what their columns are called."""
        called = {column.id: column.ja or column.title for column in self.columns}
        return {
            column.id: Title(
                column.formula, _NAME.sub(lambda name: called.get(name[0], name[0]), self.formulas[column.id].text)
            )
            for column in self.columns
            if column.formula is not None
        }

    @cached_property
    def counted(self) -> tuple[Column, ...]:
        """The formula columns that give points."""
        return tuple(column for column in self.columns if column.formula is not None and column.counts)

    @cached_property
    def losing(self) -> Formula | None:
        """The formula `loses`. Raises `BadOpeningError`."""
        return self._of_total("loses", self.loses)

    @cached_property
    def ending(self) -> Formula | None:
        """The formula `ends`. Raises `BadOpeningError`."""
        return self._of_total("ends", self.ends)

    @cached_property
    def ends_by_rounds(self) -> bool:
        """Whether the formula `ends` looks at rounds, or at how many there are, directly or through other columns."""
        found = self.ending.needs(0) if self.ending else set[str]()
        while more := {name for used in found & self.formulas.keys() for name in self.formulas[used].needs(0)} - found:
            found |= more
        return "rounds" in found or any(self.by_id[name].per == "round" for name in found & self.by_id.keys())

    @property
    def has_end(self) -> bool:
        """Whether something on the sheet ends the game: a target, or a formula."""
        return self.target is not None or self.ends is not None

    def _of_total(self, field: str, text: str | None) -> Formula | None:
        return None if text is None else _formula(field, text, {**self.names_in("game"), "total": "number"})

    @cached_property
    def known_checks(self) -> tuple[KnownCheck, ...]:
        """The checks with their formulas: those of columns first. Raises `BadOpeningError`."""
        return _known_checks(self)

    @cached_property
    def checked_columns(self) -> frozenset[str]:
        """The columns that a check looks at, directly or through what is computed."""
        return frozenset(name for check in self.known_checks for name in check.columns)

    @cached_property
    def looking(self) -> dict[str, int]:
        """The computed columns for which others have to be computed first: of earlier rounds (-1), or of later (1)."""
        found = {}
        for name, formula in self.formulas.items():
            for way in (-1, 1):
                needed = self.needs(formula, way)
                if needed & self.formulas.keys():
                    found[name] = way
        return found

    def needs(self, formula: Formula, direction: int) -> set[str]:
        """The columns that a formula needs of this round (0), of earlier ones (-1), or of later ones (1)."""
        found = formula.needs(direction) & self.by_id.keys()
        if direction < 0 and TOTAL_BEFORE in formula.needs(0) - self.by_id.keys():
            found |= {column.id for column in self.points_of_rounds}
        return found

    @cached_property
    def points_of_rounds(self) -> tuple[Column, ...]:
        """The columns that give points in every round."""
        return tuple(column for column in self.columns if column.per == "round" and column.counts)

    @cached_property
    def _last_rounds(self) -> dict[int, int]:
        return {}

    def last_round(self, sides: int) -> int:
        """The last round that there can be: the fixed one, or the one up to which the formulas are not too many.

        Raises `BadOpeningError` if the template asks for more than can be computed for so many sides.
        """
        if sides not in self._last_rounds:
            self._last_rounds[sides] = self._find_last_round(sides)
        return self._last_rounds[sides]

    def most_rounds(self, sides: int) -> int:
        """As `last_round`, and -1 if there is too much to compute for so many sides."""
        try:
            return self.last_round(sides)
        except BadOpeningError:
            return -1

    def _find_last_round(self, sides: int) -> int:
        least = self.rounds or int(self.in_rounds)
        if self._work(sides, least) > WORK:
            where = f"{counted(least, 'round')} and " if least else ""
            why = f"there is too much to compute for {where}{counted(sides, 'side')}: use fewer or shorter formulas"
            raise _bad("columns", why)
        if self._work_of_checks(sides) > CHECK_WORK:
            raise _bad(
                "checks", f"there is too much to check for {counted(sides, 'side')}: use fewer or shorter checks"
            )
        return self.rounds or bisect_right(range(ROUNDS), WORK, key=lambda last: self._work(sides, last + 1))

    def _work(self, sides: int, rounds: int) -> int:
        """How many parts are computed in so many rounds; of a list each value is one.

        Who has one more turn is asked for each column that is entered, and takes the whole sheet.
        """
        in_rounds = {column.id for column in self.columns if column.per == "round"}
        parts = sum(formula.parts for formula in (self.losing, self.ending) if formula)
        for name, formula in self.formulas.items():
            once = formula.parts * (1 + len(formula.lazy)) + sides * len(formula.compared)
            if name in in_rounds:
                lists = sum(used.kind in ("before", "after") for used in formula.uses)
                parts += rounds * (_LOOK + once) + lists * rounds * (rounds - 1) // 2
            else:
                lists = sum(used.column in in_rounds for used in formula.uses)
                parts += _LOOK + once + rounds * lists
        looks = 1 + len(in_rounds - self.formulas.keys()) if self.last_turn else 1
        return sides * parts * looks

    def _work_of_checks(self, sides: int) -> int:
        """How many parts are computed to hold a round against its checks."""
        parts = 0
        for check in self.known_checks:
            parts += check.holds.parts + (check.value.parts if check.value else 0) + sides * len(check.holds.compared)
            for name in check.columns & self.formulas.keys():
                formula = self.formulas[name]
                parts += _LOOK + formula.parts * (1 + len(formula.lazy)) + sides * len(formula.compared)
        return sides * parts

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """The seats of each side: every seat alone, or the teams. Raises `BadOpeningError`."""
        if not self.teams:
            return tuple((seat,) for seat in range(seats))
        if not any(team.seats for team in self.teams):
            sides = tuple(tuple(range(number, seats, len(self.teams))) for number in range(len(self.teams)))
        else:
            sides = tuple(team.seats for team in self.teams)
        taken = sorted(seat for side in sides for seat in side)
        if taken != list(range(seats)) or not all(sides):
            raise _bad("teams", f"each of the {seats} seats belongs to one team, and each team has a seat")
        return sides


_SHOWN = 400
"""The most characters of a formula that an error carries: longer ones are refused for their length."""


def _formula(field: str, text: str, names: Mapping[str, Kind]) -> Formula:
    try:
        return read_formula(text, names)
    except FormulaError as error:
        why = f"{error.why}, at character {error.at + 1} of {text[:80]!r}"
        raise _bad(field, why, text=text[:_SHOWN], at=error.at) from None


# Reading


def read_template(data: JSON) -> Template:
    """The template that some JSON is. Raises `BadOpeningError` with the field, and the place in a formula.

    Games of the same template share it, and what was made of its formulas.
    """
    return _read(msgspec.json.encode(data))


@lru_cache(maxsize=256)
def _read(data: bytes) -> Template:
    if len(data) > SIZE:
        raise _bad("", f"a template has {SIZE:,} bytes of JSON at most, and this has {len(data):,}")
    try:
        whole = msgspec.json.decode(data, type=Template)
    except msgspec.ValidationError as error:
        found = BadMoveError.of(error)
        raise _bad(found.path, _with_choices(found)) from None
    _check_options(whole)
    template = _with_options(whole)
    _check_columns(template)
    _check_markers(template)
    _check_teams(template)
    _check_formulas(template)
    _check_end(template)
    return template


def _with_choices(error: BadMoveError) -> str:
    """What is wrong with a field; if it takes one of several words alone, with these."""
    given = _NO_CHOICE.fullmatch(error.why)
    choices = _choices(error.path) if given else ()
    return _none_of(given[1], ", ".join(choices)) if given and choices else error.why


_NO_CHOICE = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
_BETWEEN = re.compile(r"(?:\[\d+\])?\.|\[\d+\]$")
"""What parts the names of fields: `columns[0].per`."""


def _choices(path: str) -> tuple[str, ...]:
    """The words that a field of a template can hold, if they are known."""
    kinds: list[msgspec.inspect.Type] = [msgspec.inspect.type_info(Template)]
    for name in filter(None, _BETWEEN.split(path)):
        fields = [field for kind in kinds if isinstance(kind, msgspec.inspect.StructType) for field in kind.fields]
        kinds = [part for field in fields if field.encode_name == name for part in _parts(field.type)]
    words = [word for kind in kinds if isinstance(kind, msgspec.inspect.LiteralType) for word in kind.values]
    return tuple(map(str, words))


def _parts(kind: msgspec.inspect.Type) -> Iterator[msgspec.inspect.Type]:
    """The types that a value of a field, or each of its values, can have."""
    match kind:
        case msgspec.inspect.UnionType(types=types):
            for one in types:
                yield from _parts(one)
        case msgspec.inspect.Metadata(type=inner) | msgspec.inspect.VarTupleType(item_type=inner):
            yield from _parts(inner)
        case _:
            yield kind


def read_for_keeping(data: JSON) -> Template:
    """As `read_template`, of a template that opens a game with any choice of options.

    Each option is tried alone, and with all that can be chosen beside it.
    """
    template = read_template(data)
    _check_parting(template)
    for option in template.options:
        for chosen in ([option.id], most_beside(option, template.options)):
            read_template({**data, "chosen": chosen})
    return template


def _check_parting(template: Template) -> None:
    """See that no word would be read as two. Older games can have one: it was never typed there."""
    words = {f"columns[{index}].labels": tuple(column.labels) for index, column in enumerate(template.columns)}
    words |= {"round_names": template.round_names, "round_names_ja": template.round_names_ja}
    for field, word in ((field, word) for field, found in words.items() for word in found):
        if _PARTING.search(as_read(typed(word))):
            raise _bad(field, f"{word!r} has signs in it that part words: leave them out")


_PARTING = re.compile("[,、]")


def most_beside(option: TemplateOption, options: tuple[TemplateOption, ...]) -> list[str]:
    """The options with one of them: of each group but its own the first."""
    groups: dict[str, TemplateOption] = {}
    for each in (option, *options):
        groups.setdefault(each.group or f"+{each.id}", each)
    return [each.id for each in options if each in groups.values()]


def clash(options: Sequence[TemplateOption], chosen: Sequence[str]) -> tuple[str, str] | None:
    """Two of the chosen options that are of one group; None if there are none."""
    taken: dict[str, str] = {}
    for option in options:
        if option.group and option.id in chosen:
            if option.group in taken:
                return taken[option.group], option.id
            taken[option.group] = option.id
    return None


def _check_options(template: Template) -> None:
    names = [option.id for option in template.options]
    _check_names(names, "options[{}].id")
    for index, name in enumerate(names):
        if why := _id_fault(name):
            raise _bad(f"options[{index}].id", why)
        for place, other in enumerate(template.options[index].beside):
            if other.option == name or other.option not in names:
                raise _bad(f"options[{index}].beside[{place}].option", f"there is no other option {other.option}")
    for index, name in enumerate(template.chosen):
        if name not in names:
            raise _bad(f"chosen[{index}]", f"there is no option {name}; there are {', '.join(names) or 'none'}")
    if found := clash(template.options, template.chosen):
        raise _bad("chosen", f"{found[0]} and {found[1]} cannot both be chosen")
    _check_conditions(template, names)


def _check_conditions(template: Template, names: Sequence[str]) -> None:
    """See that what depends on options names such as there are."""
    for field in ("columns", "ties", "checks", "markers"):
        for index, part in enumerate(getattr(template, field)):
            for condition in ("when", "unless"):
                for name in _named(getattr(part, condition)):
                    if name not in names:
                        raise _bad(f"{field}[{index}].{condition}", f"there is no option {name}")


def _named(condition: Condition | None) -> tuple[str, ...]:
    """The options that a condition names."""
    return (condition,) if isinstance(condition, str) else condition or ()


def _with_options(template: Template) -> Template:
    """The template with what is on the sheet for the options that are chosen."""
    if not template.options:
        return template
    chosen = set(template.chosen)

    def there(part: Column | TieBreaker | Check | Marker) -> bool:
        wanted = part.when is None or not chosen.isdisjoint(_named(part.when))
        return wanted and chosen.isdisjoint(_named(part.unless))

    parts: dict[str, Any] = {
        "columns": tuple(filter(there, template.columns)),
        "ties": tuple(filter(there, template.ties)),
        "checks": tuple(filter(there, template.checks)),
        "markers": tuple(filter(there, template.markers)),
    }
    for option in template.options:
        if option.id in chosen:
            for settings in (option.sets, *(other.sets for other in option.beside if other.option in chosen)):
                parts |= {
                    field: value
                    for field, value in msgspec.structs.asdict(settings).items()
                    if value is not msgspec.UNSET
                }
    return msgspec.structs.replace(template, **parts)


def _check_columns(template: Template) -> None:
    if not template.columns:
        raise _bad("columns", "one column at least is entered")
    for index, column in enumerate(template.columns):
        field = f"columns[{index}]"
        _check_words(template, field, column)
        if column.formula is None:
            _check_entered(field, column)
        elif column.per == "round" and not template.in_rounds:
            raise _bad(f"{field}.per", "no column is entered in rounds")
        else:
            _check_computed(field, column)
    _check_names([as_read(column.id) for column in template.columns], "columns[{}].id")
    if not template.entered:
        raise _bad("columns", "one column at least is entered")
    if (template.rounds is not None or template.round_names) and not template.in_rounds:
        raise _bad("rounds" if template.rounds else "round_names", "no column is entered in rounds")
    for field in ("round_names", "round_names_ja"):
        _check_round_names(template, field)


def _check_round_names(template: Template, field: str) -> None:
    names = [as_read(typed(name)) for name in getattr(template, field)]
    for index, name in enumerate(names):
        known = {
            *_NOTATION,
            *template.typed_columns,
            *(word for words in template.typed_labels.values() for word in words),
        }
        if name in known:
            raise _bad(f"{field}[{index}]", f"{name} has a meaning of its own")
        if why := _word_fault(name):
            raise _bad(f"{field}[{index}]", why)
    _check_names(names, f"{field}[{{}}]")


def _check_markers(template: Template) -> None:
    """See that what is typed for a marker can be read as nothing else, and that there are rounds if it goes by them."""
    known = {*template.typed_columns, *template.typed_rounds}
    for index, marker in enumerate(template.markers):
        if why := _id_fault(marker.id):
            raise _bad(f"markers[{index}].id", why)
        if as_read(name := marker.id) in known:
            raise _bad(f"markers[{index}].id", f"{name} has a meaning of its own: choose another id")
        if marker.goes_by_itself and not template.in_rounds:
            raise _bad(
                f"markers[{index}].moves", "no column is entered in rounds: it can go by hand, or each can have it"
            )
    _check_names([as_read(marker.id) for marker in template.markers], "markers[{}].id")


def _check_teams(template: Template) -> None:
    """See that the teams can be told apart, and that there is a number of seats for them if they name any."""
    _check_names([team.name for team in template.teams], "teams[{}].name")
    taken = [seat for team in template.teams for seat in team.seats]
    for index, team in enumerate(template.teams):
        if taken and not team.seats:
            raise _bad(f"teams[{index}].seats", "either all teams name their seats, or none does")
    if sorted(taken) != list(range(len(taken))):
        raise _bad("teams", f"the seats of all teams together are 0 to {len(taken) - 1}, each of them once")


def _check_words(template: Template, field: str, column: Column) -> None:
    """See that what is written for the column, and for its values, can be read as nothing else."""
    if why := _id_fault(column.id):
        raise _bad(f"{field}.id", why)
    known = {as_read(name) for name in (*_NOTATION, *template.by_id)}
    if taken := sorted(word for word in column.labels if as_read(typed(word)) in known):
        raise _bad(f"{field}.labels", f"{', '.join(taken)} has a meaning of its own")
    for word in column.labels:
        if why := _word_fault(word):
            raise _bad(f"{field}.labels", why)
    _check_names([as_read(typed(word)) for word in column.labels], f"{field}.labels")


def _id_fault(name: str) -> str:
    """Why nothing can have this id; nothing if it can."""
    common = unicodedata.normalize("NFKC", name)
    if not name.isidentifier() or name.startswith("_"):
        return "an id is made of letters, digits and _, and begins with a letter"
    if common != name:
        return f"write {common!r}: there are signs in it that look the same"
    if as_read(name) in _RESERVED or (name[0] in "prtPRT" and name[1:].isdecimal()):
        return f"{name} has a meaning of its own: choose another id"
    return ""


def _word_fault(word: str) -> str:
    """Why a word for a value, or the name of a round, could not be read where it is typed; nothing if it could."""
    text = as_read(typed(word))
    if _SIGNS.search(word) or word != word.strip():
        return f"{word!r} has signs in it that part words: leave them out"
    if not all(sign.isprintable() or sign in _JOINERS for sign in typed(word)):
        return f"{word!r} has signs in it that nobody sees: leave them out"
    if _OTHERWISE.fullmatch(text):
        return f"{word!r} would be read as something else"
    return ""


_SIGNS = re.compile(r"[,、，!;\"]|  ")
_JOINERS = "\u200c\u200d"
"""What parts or joins the letters of some scripts, and the parts of a picture."""
_OTHERWISE = re.compile(r"[+-]?[0-9.]+|\?|[prt][0-9]*:?")


def typed(word: str) -> str:
    """A word for a value, or the name of a round, as it is typed: without blanks of any width."""
    return _BLANK.sub("_", word)


_BLANK = re.compile(r"\s")


def as_read(word: str) -> str:
    """A word as the reader of notation has it: full-width signs as the common ones, and in small letters."""
    return unified("".join(to_ascii(letter, DASHES) for letter in word)).lower()


def _check_names(names: list[str], field: str) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise _bad(field.format(index), f"{name} stands here twice")


def _check_entered(field: str, column: Column) -> None:
    if column.ranges or column.round:
        raise _bad(field, "ranges and round belong to a column with a formula")
    if column.shared and column.counts:
        raise _bad(f"{field}.counts", "what all share is nobody's points: set it to false")
    if column.least is not None and column.most is not None and column.least > column.most:
        raise _bad(f"{field}.most", f"{column.most} is less than {column.least}, the least")
    for name, value in [
        ("default", column.default),
        *((f"labels.{word}", value) for word, value in column.labels.items()),
    ]:
        if value is not None and (why := misfit(column, value) or too_fine(column, value)):
            raise _bad(f"{field}.{name}", why)
    if len(set(column.labels.values())) < len(column.labels):
        raise _bad(f"{field}.labels", "two labels have the same value")


def _check_computed(field: str, column: Column) -> None:
    for name in ("shared", "least", "most", "labels", "default"):
        if getattr(column, name) != getattr(_UNSAID, name):
            raise _bad(f"{field}.{name}", "this belongs to a column that is entered")
    starts = [start for start, _ in column.ranges]
    if starts != sorted(set(starts)):
        raise _bad(f"{field}.ranges", "each range begins higher than the one before")


def _check_formulas(template: Template) -> None:
    """See that every formula can be read, and that none needs itself in the end."""
    formulas = template.formulas
    for index, column in enumerate(template.columns):
        _check_references(template, f"columns[{index}].formula", formulas.get(column.id))
    needs = {name: template.needs(formula, 0) & formulas.keys() for name, formula in formulas.items()}
    done: set[str] = set()
    while len(done) < len(needs):
        ready = {name for name, needed in needs.items() if needed <= done} - done
        if not ready:
            raise _needs_itself(template, needs.keys() - done)
        done |= ready
    _check_directions(template)
    _check_references(template, "loses", template.losing)
    _check_references(template, "ends", template.ending)
    for check in template.known_checks:
        _check_references(template, check.field, check.holds)
        _check_references(template, check.field, check.value)
        _check_sight(template, check)


def _needs_itself(template: Template, names: Set[str]) -> BadOpeningError:
    index = next(index for index, column in enumerate(template.columns) if column.id in names)
    return _bad(f"columns[{index}].formula", f"{template.columns[index].id} needs itself in the end")


def _check_directions(template: Template) -> None:
    """See that no formula goes round in circles through the rounds: what looks back at itself cannot look ahead, too.

    One that looks back alone, or ahead alone, comes to an end with the first or the last round.
    """
    formulas = template.formulas
    ways = {
        name: {way: template.needs(formula, way) & formulas.keys() for way in (-1, 0, 1)}
        for name, formula in formulas.items()
    }
    reach = {name: set[str]().union(*ways[name].values()) for name in formulas}
    grown = True
    while grown:
        grown = False
        for name, found in reach.items():
            more = found.union(*(reach[other] for other in found))
            grown = grown or more != found
            reach[name] = more
    for name in formulas:
        circle = {other for other in reach[name] if name in reach[other]}
        if all(any(ways[other][way] & circle for other in circle) for way in (-1, 1)):
            raise _needs_itself(template, {name})


def _check_references(template: Template, field: str, formula: Formula | None) -> None:
    """See that what a formula says of columns can be said of them."""
    for used in formula.references if formula else ():
        column = template.by_id.get(used.column)
        if used.compares and (column is None or column.shared):
            raise _bad(field, f"{used.column} is no column in which each side has a value of its own")
        if used.kind in {"given", "all"} and (column is None or column.formula is not None):
            raise _bad(field, f"{used.column} is no column that is entered")
        if used.direction and column is None:
            raise _bad(field, f"{used.column} is no column")


def _check_sight(template: Template, check: KnownCheck) -> None:
    """See that a check looks at its own round, and beyond it at what is entered alone: it is asked at every entry."""
    for name in check.columns & template.formulas.keys():
        formula = template.formulas[name]
        if any(template.needs(formula, way) for way in (-1, 1)):
            raise _bad(check.field, f"{name} is computed from other rounds, and a check looks at its own round")
    for way in (-1, 1):
        if found := sorted(template.needs(check.holds, way) & template.formulas.keys()):
            raise _bad(check.field, f"{found[0]} is computed, and a check looks at its own round")


class KnownCheck(msgspec.Struct, frozen=True, eq=False):
    """A check that can be computed: its formulas, whether there is one for each side, and all `columns` it looks at.

    `says` has a place for {value}.
    """

    field: str
    per: str
    holds: Formula
    says: Title
    value: Formula | None = None
    own: bool = False
    columns: frozenset[str] = frozenset()


def _known_checks(template: Template) -> tuple[KnownCheck, ...]:
    return (*_checks_of_columns(template), *_checks_of_sheet(template))


def _checks_of_columns(template: Template) -> Iterator[KnownCheck]:
    for index, column in enumerate(template.columns):
        if column.check is not None:
            field, names = f"columns[{index}].check", template.names_in(column.per)
            called = column.ja or column.title
            says = Title(f"{column.title}: {{value}} cannot be", f"{called}: {{value}}にはなりません")
            holds, value = _formula(field, column.check, names), _formula(field, column.id, names)
            yield _known(template, KnownCheck(field, column.per, holds, says, value))


def _checks_of_sheet(template: Template) -> Iterator[KnownCheck]:
    for index, check in enumerate(template.checks):
        field, names = f"checks[{index}]", template.names_in(check.per)
        if check.per == "round" and not template.in_rounds:
            raise _bad(f"{field}.per", "no column is entered in rounds")
        holds = _formula(f"{field}.holds", check.holds, names)
        value = None if check.value is None else _formula(f"{field}.value", check.value, names)
        says = Title(check.says, check.ja or check.says)
        yield _known(template, KnownCheck(f"{field}.holds", check.per, holds, says, value))


def _known(template: Template, check: KnownCheck) -> KnownCheck:
    """A check that knows which columns it looks at, directly or through what is computed."""
    by_id, columns = template.by_id, set[str]()
    formulas = [formula for formula in (check.holds, check.value) if formula]
    while more := {used.column for formula in formulas for used in formula.references} & by_id.keys() - columns:
        columns |= more
        formulas = [template.formulas[name] for name in more if name in template.formulas]
    own = any(
        used.column == TOTAL_BEFORE if used.column not in by_id else not (used.compares or by_id[used.column].shared)
        for used in check.holds.references
    )
    return msgspec.structs.replace(check, own=own, columns=frozenset(columns))


def _check_end(template: Template) -> None:
    decisive = [("by", template.by)] if template.by else []
    decisive += [(f"ties[{index}].column", tie.column) for index, tie in enumerate(template.ties)]
    for field, name in decisive:
        column = template.by_id.get(name)
        if column is None or column.per == "round" or column.shared:
            raise _bad(field, f"{name} is no column with one value for each side")
    for field in ("by", "target", "ties", "tie_round", "last_turn", "loses", "ends", "first_wins"):
        if template.wins == "cooperative" and getattr(template, field):
            raise _bad(field, "those who play together win or lose together")
    _check_target(template)
    _check_names([stop.id for stop in template.stops], "stops[{}].id")
    for index, stop in enumerate(template.stops):
        if why := _id_fault(stop.id) or (as_read(stop.id) in {EARLY, NOBODY} and f"{stop.id} has a meaning of its own"):
            raise _bad(f"stops[{index}].id", why)
        if stop.rounds and not template.in_rounds:
            raise _bad(f"stops[{index}].rounds", "no column is entered in rounds")


def _check_target(template: Template) -> None:
    if template.target and template.by:
        raise _bad("target", "a target is for the total, which does not decide here")
    if template.first_wins and not template.target:
        raise _bad("first_wins", "there is no target that somebody could reach first")
    if template.tie_round and not (template.has_end and template.in_rounds):
        raise _bad("tie_round", "one more round needs rounds, and a target or a formula that ends the game")
    if template.last_turn and not (template.target and template.in_rounds):
        raise _bad("last_turn", "one more turn needs rounds and a target")
    if template.last_turn and (template.tie_round or template.first_wins):
        raise _bad("last_turn", "one more turn goes neither with tie_round nor with first_wins")


@lru_cache(maxsize=4096)
def line_name(column: str, number: int | None) -> str:
    """What a line of cells is called: `r3 points`, or `wood`."""
    return column if number is None else f"r{number} {column}"


def line_title(template: Template, column: Column, number: int | None) -> str:
    """What a line of cells is called in words: `Round 3, points`, or `Wood`."""
    if number is None:
        return f"{column.title[:1].upper()}{column.title[1:]}"
    return f"{template.round_title(number) or f'Round {number}'}, {column.title}"


def misfit(column: Column, value: float) -> str:
    """Why a value does not fit the column's limits; nothing if it does."""
    if column.labels and value not in column.labels.values():
        return _none_of(value, column.choices)
    if column.least is not None and value < column.least:
        return Sentence("{value} is less than {least}", value=value, least=column.least).by(NAME)
    if column.most is not None and value > column.most:
        return Sentence("{value} is more than {most}", value=value, most=column.most).by(NAME)
    return ""


def _none_of(value: object, words: str) -> Sentence:
    return Sentence("{value} is none of {words}", value=value, words=words).by(NAME)


def too_fine(column: Column, value: float) -> str:
    """Why a value has more decimals than can stand in a column; nothing if it has not."""
    if isinstance(value, int):
        return ""
    if column.counts and value != int(value):
        return Sentence("points are whole: {value} cannot count", value=value).by(NAME)
    if round(value, DECIMALS) == value:
        return ""
    return Sentence("{value} has more than {decimals} decimals", value=value, decimals=DECIMALS).by(NAME)


def in_range(column: Column, number: Fraction) -> Fraction | None:
    """What a computed number becomes by the column's ranges; None below the first."""
    found = None
    for start, value in column.ranges:
        if number < exact(start):
            break
        found = exact(value)
    return found


@lru_cache(maxsize=4096)  # the same numbers stand in many cells
def exact(value: float) -> Fraction:
    """A value as a fraction: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))


def _bad(field: str, why: str, **place: str | int) -> BadOpeningError:
    return BadOpeningError(f"components.{field}" if field else "components", why, **place)


# Ready ones


def _ready() -> dict[str, dict[str, Any]]:
    folder = files("games.scoresheet") / "templates"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): tomllib.loads(file.read_text(encoding="utf-8")) for file in found}


READY = _ready()
"""The templates that come with this release, by name, as data."""


def ready(text: str) -> dict[str, Any]:
    """A ready template by its name, with the options that stand after it: `spades+minus`. Raises `BadOpeningError`."""
    name, *chosen = text.split("+")
    if found := clash(read_template(READY[name]).options, chosen):
        raise BadOpeningError("options.template", f"{found[0]} and {found[1]} cannot both be chosen")
    return {**READY[name], "chosen": chosen} if chosen else READY[name]


PLAIN = "plain"
"""The one that a game has if nothing is said."""
EXAMINED = (
    *("auction", "cooperative", "farm", "first_to_100", "golf", "hearts"),
    *("plain", "ranking", "rounds", "teams", "win_loss_draw", "wizard"),
)
"""Those on which random games are played: between them they have all that a template can say."""
