"""A template: the printed sheet of a game as data. A game embeds the one that it is opened with."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from games.adjustments import SEATS
from games.contract import Title
from games.errors import BadOpeningError
from games.scoresheet.checks import known_checks
from games.scoresheet.errors import bad_template, formula_of
from games.scoresheet.formulas import TARGET, TOTAL_BEFORE
from games.scoresheet.spelling import normalized_word, typed_form
from games.scoresheet.work import ROUNDS, last_round
from games.words import LABELLED, Sentence, Typed, comma_list

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.scoresheet.checks import KnownCheck
    from games.scoresheet.formulas import Formula, Kind

NAME = "scoresheet"
"""The ruleset. Its words translate the sentences of templates."""
MOST = 10**9
"""The most that a value on a sheet can be, up or down."""
Number = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)] | Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
"""A value on a sheet: whole, or with up to three decimals."""
DECIMALS = 3

ID, LABEL, WORD = 30, 60, 20
"""The most characters of a column's id, of a name, and of a label for a value."""
_ONE_LINE = r"^[^\x00-\x1f\x7f]*$(?!\n)"
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=ID)]
"""An id: letters and digits of any script, as in formulas."""
Label = Annotated[str, msgspec.Meta(min_length=1, max_length=LABEL, pattern=_ONE_LINE)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=WORD, pattern=_ONE_LINE)]

TEXT = 400
"""The most characters of a text about a template."""
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT, pattern=_ONE_LINE)]
ALIASES = 20
"""The most other names of a game."""

COLUMNS = 60
"""The most columns of a sheet; the seats are those of any game."""
CHECKS, STOPS, CHOICES, SOURCES, MARKERS = 40, 12, 12, 12, 6
"""The most checks, other ends, options, sources and markers of a template."""

Condition = Name | Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=CHOICES)]
"""The options that put a part on a sheet, or keep it away. One of several is enough."""

Missed = Literal["nothing", "zero", "average", "lowest", "highest"]
"""The points of a late player for missed rounds: 0, or points that bring the total to this one of the others."""


class NamedPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A part of the sheet with an `id`, which people type, and a `name`. `ja` is its Japanese name."""

    id: Name
    name: Label | None = None
    ja: Label | None = None

    @property
    def name_in_sentence(self) -> Title:
        """The part in a sentence: as it is typed; in Japanese by its name."""
        return Title(self.id, self.ja or self.id)

    @property
    def typed_name(self) -> Title:
        """The part as it is typed; in Japanese with its name."""
        return Title(self.id, f"{self.id}（{self.ja}）" if self.ja else self.id)


class Column(NamedPart, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A column of the sheet: entered, or computed if it has a `formula`.

    It holds a value for each side `per` game or per round, or one for all if it is `shared`. The values of a column
    that `counts` are points. Entered ones lie between `least` and `most`, and are `whole` if that is said; where there
    are `labels` they are one of these, and can be written by the label. `default` is what an empty cell counts as,
    and becomes when the game is finished.

    What is computed goes through `ranges` (`[[0, -1], [2, 1]]`: -1 from 0 on, 1 from 2 on), and `round` makes it whole.
    `check` is a formula that holds for every value that can stand there. The column is on the sheet `when` an option is
    chosen, or `unless` it is.
    """

    per: Literal["game", "round"] = "game"
    shared: bool = False
    counts: bool = True
    least: Number | None = None
    most: Number | None = None
    whole: bool = False
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
        """The labels, from the highest value to the lowest: canonical JSON keeps no other order."""
        return tuple(sorted(self.labels, key=lambda word: -self.labels[word]))

    @property
    def title(self) -> str:
        """The column's name in English."""
        return self.name or self.id.replace("_", " ")

    @property
    def titles(self) -> Title:
        """The column's name in both languages."""
        return Title(self.title, self.ja or self.title)

    @property
    def choices(self) -> str:
        """The labels as they are typed, as a list."""
        return comma_list([Typed(typed_form(word)) for word in self.words])


_NAME = re.compile(r"[^\s.,+*/%<>=!()-]++(?!\s*\()")
"""A pattern for a name in a formula that is not a function, or for a number."""


class Team(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A side of several seats; without any named, the teams take turns around the table."""

    name: Label
    seats: tuple[Annotated[int, msgspec.Meta(ge=0, lt=SEATS)], ...] = ()


class TieBreaker(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A tie-breaker: the column that decides between level sides, by its highest or lowest value."""

    column: Name
    wins: Literal["highest", "lowest"] = "highest"
    when: Condition | None = None
    unless: Condition | None = None


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A formula that should hold on the sheet, in each round or once, and a sentence for when it does not.

    If it uses values of a side's own, each side is checked, else the sheet once. `{value}` in the sentence is the
    result of the formula `value`.
    """

    holds: str
    says: Text
    ja: Text | None = None
    value: str | None = None
    per: Literal["game", "round"] = "round"
    when: Condition | None = None
    unless: Condition | None = None


class Stop(NamedPart, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Another end of the game than the usual one, such as a time limit; if it is after `rounds`, then after these."""

    name: Label
    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS)] | None = None


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The public rules that a template was checked against."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=120, pattern=_ONE_LINE)]
    year: Annotated[int, msgspec.Meta(ge=1000, le=2999)] | None = None
    url: Annotated[str, msgspec.Meta(max_length=300, pattern=r'^https?://[^\s<>"]+$(?!\n)')] | None = None


class Marker(NamedPart, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A thing that goes round the table, such as the deal, the first turn, or the solos that were played.

    `moves` says how it goes on with each round: to the `next` seat, or to the `winner` or the `loser` of
    the round before. By `hand` one seat has it until another one gets it, and with `each` every seat can have it.
    """

    name: Label
    moves: Literal["next", "winner", "loser", "hand", "each"] = "next"
    when: Condition | None = None
    unless: Condition | None = None

    @property
    def goes_by_itself(self) -> bool:
        """Whether it goes on with the rounds."""
        return self.moves in {"next", "winner", "loser"}


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The settings of a template that an option changes."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS)] | msgspec.UnsetType | None = msgspec.UNSET
    target: Annotated[int, msgspec.Meta(ge=1, le=10**9)] | msgspec.UnsetType | None = msgspec.UNSET
    wins: Literal["highest", "lowest", "cooperative"] | msgspec.UnsetType = msgspec.UNSET
    by: Name | msgspec.UnsetType | None = msgspec.UNSET
    ends: str | msgspec.UnsetType | None = msgspec.UNSET
    loses: str | msgspec.UnsetType | None = msgspec.UNSET
    first_wins: Literal["entry", "seats"] | msgspec.UnsetType | None = msgspec.UNSET
    late: Missed | msgspec.UnsetType = msgspec.UNSET


class Beside(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The settings that an option `sets` if the other `option` is chosen, too."""

    option: Name
    sets: Settings


class TemplateOption(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A house rule or an expansion that can be chosen when a game is opened, with the settings that it `sets`.

    Of each `group` at most one option is chosen, such as one map. `beside` has other settings with other options.
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

    def in_language(self, language: str, words: Mapping[str, str]) -> Template:
        """The template in a language: its labels and teams by these `words`, and by its own names in Japanese."""
        if language not in self._called:
            self._called[language] = self._in_language(language, words) if words else self
        return self._called[language]

    @cached_property
    def _called(self) -> dict[str, Template]:
        return {}

    def _in_language(self, language: str, words: Mapping[str, str]) -> Template:
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
        """The entered columns by their ids, in the form of the reader of notation."""
        return {normalized_word(column.id): column for column in self.entered_columns}

    @cached_property
    def typed_labels(self) -> dict[str, dict[str, Number]]:
        """By column, the values of its labels, in the form of the reader of notation."""
        return {
            column.id: {normalized_word(typed_form(word)): value for word, value in column.labels.items()}
            for column in self.columns
        }

    @cached_property
    def typed_rounds(self) -> dict[str, int]:
        """The numbers of rounds by their names, in the form of the reader of notation."""
        names = (*self.round_names, *self.round_names_ja)
        numbers = (*range(1, len(self.round_names) + 1), *range(1, len(self.round_names_ja) + 1))
        return {normalized_word(typed_form(name)): number for name, number in zip(names, numbers, strict=True)}

    @cached_property
    def typed_markers(self) -> dict[str, Marker]:
        """The markers by their ids, in the form of the reader of notation."""
        return {normalized_word(marker.id): marker for marker in self.markers}

    def marker(self, name: str) -> Marker | None:
        """The marker with this id."""
        return next((marker for marker in self.markers if marker.id == name), None)

    def round_title(self, number: int) -> str:
        """The name of a round; empty if it has none."""
        return self.round_names[number - 1] if 0 < number <= len(self.round_names) else ""

    @cached_property
    def plain_columns(self) -> dict[str, Column]:
        """By id, the columns with a cell for each side that takes any number."""
        return {
            column.id: column
            for column in self.entered_columns
            if not (self.last_turn and column.per == "round")
            if not (column.shared or column.labels or column.whole) and column.least is column.most is None
            if column.id not in self.checked_columns
        }

    @cached_property
    def entered_columns(self) -> tuple[Column, ...]:
        """The entered columns, which are not computed."""
        return tuple(column for column in self.columns if column.formula is None)

    @cached_property
    def default_column(self) -> Column | None:
        """The default column of entries: the first with a cell for each side, in rounds if there are any."""
        own = [column for column in self.entered_columns if not column.shared]
        return next((column for column in own if column.per == "round"), own[0] if own else None)

    @cached_property
    def has_rounds(self) -> bool:
        """Whether the sheet has rounds: a column is entered in each."""
        return any(column.per == "round" for column in self.entered_columns)

    def names_in(self, per: str) -> dict[str, Kind]:
        """The names that a formula of each round, or of the whole game, can use."""
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
                found[column.id] = formula_of(f"columns[{index}].formula", column.formula, names)
        return found

    @cached_property
    def formulas_called(self) -> dict[str, Title]:
        """The texts of the formulas as they are typed; in Japanese with the names of columns."""
        called = {column.id: column.ja or column.title for column in self.columns}
        return {
            column.id: Title(
                column.formula, _NAME.sub(lambda name: called.get(name[0], name[0]), self.formulas[column.id].text)
            )
            for column in self.columns
            if column.formula is not None
        }

    @cached_property
    def point_columns(self) -> tuple[Column, ...]:
        """The computed columns that give points."""
        return tuple(column for column in self.columns if column.formula is not None and column.counts)

    @cached_property
    def has_points(self) -> bool:
        """Whether a column gives points. A ranking has none."""
        return any(column.counts for column in self.columns)

    @cached_property
    def losing_formula(self) -> Formula | None:
        """The formula `loses`. Raises `BadOpeningError`."""
        return self._of_total("loses", self.loses)

    @cached_property
    def ending_formula(self) -> Formula | None:
        """The formula `ends`. Raises `BadOpeningError`."""
        return self._of_total("ends", self.ends)

    @cached_property
    def ends_by_rounds(self) -> bool:
        """Whether the formula `ends` uses rounds or their number, directly or through other columns."""
        found = self.ending_formula.needs(0) if self.ending_formula else set[str]()
        while more := {name for used in found & self.formulas.keys() for name in self.formulas[used].needs(0)} - found:
            found |= more
        return "rounds" in found or any(self.by_id[name].per == "round" for name in found & self.by_id.keys())

    @property
    def has_end(self) -> bool:
        """Whether the sheet ends the game by a target or a formula."""
        return self.target is not None or self.ends is not None

    def _of_total(self, field: str, text: str | None) -> Formula | None:
        return None if text is None else formula_of(field, text, {**self.names_in("game"), "total": "number"})

    @cached_property
    def known_checks(self) -> tuple[KnownCheck, ...]:
        """The checks with their formulas: those of columns first. Raises `BadOpeningError`."""
        return known_checks(self)

    @cached_property
    def checks_of(self) -> dict[tuple[str, str], tuple[KnownCheck, ...]]:
        """By column, the checks that use it, of each round or of the whole game."""
        return {
            (name, per): tuple(check for check in self.known_checks if name in check.columns and check.per == per)
            for name in self.by_id
            for per in ("round", "game")
        }

    @cached_property
    def checked_columns(self) -> frozenset[str]:
        """The columns that a check uses, directly or through computed columns."""
        return frozenset(name for check in self.known_checks for name in check.columns)

    @cached_property
    def look_directions(self) -> dict[str, int]:
        """The computed columns that need others to be computed first: of earlier rounds (-1), or of later ones (1)."""
        found = {}
        for name, formula in self.formulas.items():
            for way in (-1, 1):
                needed = self.needs(formula, way)
                if needed & self.formulas.keys():
                    found[name] = way
        return found

    def needs(self, formula: Formula, direction: int) -> set[str]:
        """The columns that a formula uses of this round (0), of earlier ones (-1), or of later ones (1)."""
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
        """The last possible round: the fixed one, or the last that is not too much to compute.

        Raises `BadOpeningError` if the template needs too much computing for this number of sides.
        """
        if sides not in self._last_rounds:
            self._last_rounds[sides] = last_round(self, sides)
        return self._last_rounds[sides]

    def most_rounds(self, sides: int) -> int:
        """As `last_round`, or -1 if the template needs too much computing for this number of sides."""
        try:
            return self.last_round(sides)
        except BadOpeningError:
            return -1

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """The seats of each side: every seat alone, or the teams. Raises `BadOpeningError`."""
        if not self.teams:
            return tuple((seat,) for seat in range(seats))
        if not any(team.seats for team in self.teams):
            if seats < (teams := len(self.teams)):
                raise bad_template("teams", f"{teams} teams need a player each")
            sides = tuple(tuple(range(number, seats, len(self.teams))) for number in range(len(self.teams)))
        else:
            sides = tuple(team.seats for team in self.teams)
        taken = sorted(seat for side in sides for seat in side)
        if taken != list(range(seats)) or not all(sides):
            raise bad_template("teams", f"each of the {seats} seats belongs to one team, and each team has a seat")
        return sides


@lru_cache(maxsize=4096)
def line_name(column: str, number: int | None) -> str:
    """The name of a line of cells: `r3 points`, or `wood`."""
    return column if number is None else f"r{number} {column}"


def line_title(template: Template, column: Column, number: int | None) -> str:
    """The name of a line of cells in words: `Round 3, points`, or `Wood`."""
    if number is None:
        return f"{column.title[:1].upper()}{column.title[1:]}"
    return f"{template.round_title(number) or f'Round {number}'}, {column.title}"


def value_fault(column: Column, value: float) -> str:
    """The reason why a value does not fit the column's limits; empty if it does."""
    if column.labels and value not in column.labels.values():
        return not_one_of(value, column.choices)
    if column.least is not None and value < column.least:
        return Sentence("{value} is less than {least}", value=value, least=column.least).by(NAME)
    if column.most is not None and value > column.most:
        return Sentence("{value} is more than {most}", value=value, most=column.most).by(NAME)
    if column.whole and value != int(value):
        return Sentence("{value} is not a whole number", value=value).by(NAME)
    return ""


def not_one_of(value: object, words: str) -> Sentence:
    """The reason for a value that is not one of some words."""
    return Sentence("{value} is none of {words}", value=value, words=words).by(NAME)


def decimals_fault(column: Column, value: float) -> str:
    """The reason why a value has too many decimals for a column; empty if it has not."""
    if isinstance(value, int):
        return ""
    if column.counts and value != int(value):
        return Sentence("points are whole: {value} cannot count", value=value).by(NAME)
    if round(value, DECIMALS) == value:
        return ""
    return Sentence("{value} has more than {decimals} decimals", value=value, decimals=DECIMALS).by(NAME)


def in_range(column: Column, number: Fraction) -> Fraction | None:
    """The value of a computed number by the column's ranges; None below the first."""
    found = None
    for start, value in column.ranges:
        if number < exact(start):
            break
        found = exact(value)
    return found


@lru_cache(maxsize=4096)  # many cells have the same numbers
def exact(value: float) -> Fraction:
    """A value as a fraction: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))
