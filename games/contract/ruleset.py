"""Rulesets: the facts of a game system, apart from its moves and states."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Union, get_args

import msgspec

from games import words
from games.contract.chance import Chance
from games.contract.moves import Move, as_json
from games.errors import BadMoveError, BadOpeningError
from games.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.contract.chance import ChanceEvent, Watch
    from games.contract.moves import JSON, Adjustment, Effect
    from games.contract.options import Choices, Option
    from games.contract.state import State
    from games.sketch import Sketch
    from games.tables import Table
    from games.words import Title

_TRANSLATION = re.compile(r"RULES\.([A-Za-z0-9-]+)\.md")


class Policy(msgspec.Struct, frozen=True):
    """An automatic player: cheap, and better than random. `revision` grows with every change of its play.

    `choose` picks a legal move for the seat on turn, in a state with all hands known; None if there is no legal move.
    `blunders` of 100 moves are random instead, because people at a table make mistakes.
    """

    name: str
    revision: int
    choose: Callable[[Any, Chance], Move | None]
    blunders: int = 0


def _no_chance(state: Any, move: Any, effects: Sequence[Effect]) -> Iterable[ChanceEvent]:  # noqa: ARG001
    return ()


def _no_complaint(options: Choices) -> None:  # noqa: ARG001
    return None


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
                raise known[name].refusal(value)
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
