"""Reads templates from JSON, and checks each field, alone and together with the others."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import msgspec.inspect

from games.errors import BadMoveError
from games.scoresheet.errors import bad_template
from games.scoresheet.spelling import (
    EARLY,
    NOBODY,
    NOTATION,
    id_fault,
    normalized_word,
    parts_words,
    typed_form,
    word_fault,
)
from games.scoresheet.template import Column, Template, decimals_fault, not_one_of, value_fault
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from games.contract import JSON
    from games.errors import BadOpeningError
    from games.scoresheet.checks import KnownCheck
    from games.scoresheet.formulas import Formula
    from games.scoresheet.template import Check, Condition, Marker, TemplateOption, TieBreaker

SIZE = 60_000
"""The most bytes of a template as JSON: it must fit into the entry that opens a game."""
_UNSAID = Column(id="unsaid")

_CALLS = re.compile(r"(^|\.)(name|ja|(aliases|round_names|round_names_ja)\[\d+\])$")
"""The fields with names of things."""
_EMPTY_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible letters and signs."""


def read_template(data: JSON) -> Template:
    """Read a template from JSON. Raises `BadOpeningError` with the field, and the place in a formula.

    Games of the same template share it, with its parsed formulas.
    """
    return _read(msgspec.json.encode(data))


@lru_cache(maxsize=256)
def _read(data: bytes) -> Template:
    if len(data) > SIZE:
        raise bad_template("", f"a template has {SIZE:,} bytes of JSON at most, and this has {len(data):,}")
    try:
        whole = msgspec.json.decode(data, type=Template)
    except msgspec.ValidationError as error:
        found = BadMoveError.of(error)
        raise bad_template(found.path, _with_choices(found)) from None
    _check_options(whole)
    template = _with_options(whole)
    _check_columns(template)
    _check_markers(template)
    _check_teams(template)
    _check_formulas(template)
    _check_end(template)
    return template


def _with_choices(error: BadMoveError) -> str:
    """The message of an error, with the possible words of a field if it has such words."""
    given = _NO_CHOICE.fullmatch(error.why)
    choices = _choices(error.path) if given else ()
    return not_one_of(given[1], ", ".join(choices)) if given and choices else _in_plain_words(error.why)


def _in_plain_words(why: str) -> str:
    """The message for a wrong number or a long text, as people who fill in a form read it."""
    if long := _LONG.fullmatch(why):
        return Sentence("at most {bound} characters", bound=int(long[1]))
    number = _NUMBER.fullmatch(why)
    if not number:
        return why
    if number["sign"] == "<=":
        return Sentence("at most {bound}", bound=int(number["bound"]))
    if number["sign"]:
        return Sentence("at least {bound}", bound=int(number["bound"]))
    return Sentence("a number is needed") if number["broken"] else Sentence("a whole number is needed")


_NUMBER = re.compile(
    r"Expected `int(?P<broken> \| float)?(?: \| null)?`(?: (?P<sign>[<>]=) (?P<bound>-?\d+)|, got `\w+`)?"
)
_LONG = re.compile(r"Expected `str(?: \| null)?` of length <= (\d+)")
_NO_CHOICE = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
_BETWEEN = re.compile(r"(?:\[\d+\])?\.|\[\d+\]$")
"""The separators in paths of fields: `columns[0].per`."""


def _choices(path: str) -> tuple[str, ...]:
    """The words that a field of a template can hold, if they are known."""
    kinds: list[msgspec.inspect.Type] = [msgspec.inspect.type_info(Template)]
    for name in filter(None, _BETWEEN.split(path)):
        fields = [field for kind in kinds if isinstance(kind, msgspec.inspect.StructType) for field in kind.fields]
        kinds = [part for field in fields if field.encode_name == name for part in _parts(field.type)]
    words = [word for kind in kinds if isinstance(kind, msgspec.inspect.LiteralType) for word in kind.values]
    return tuple(map(str, words))


def _parts(kind: msgspec.inspect.Type) -> Iterator[msgspec.inspect.Type]:
    """The types of a field's value, or of its items."""
    match kind:
        case msgspec.inspect.UnionType(types=types):
            for one in types:
                yield from _parts(one)
        case msgspec.inspect.Metadata(type=inner) | msgspec.inspect.VarTupleType(item_type=inner):
            yield from _parts(inner)
        case _:
            yield kind


def read_for_keeping(data: JSON) -> Template:
    """As `read_template`, and check that the template opens games with all choices of options.

    Each option is tried alone, and with as many others as possible.
    """
    template = read_template(data)
    _check_parting(template)
    _check_names_show(template)
    for option in template.options:
        for chosen in ([option.id], most_beside(option, template.options)):
            read_template({**data, "chosen": chosen})
    return template


def _check_parting(template: Template) -> None:
    """Check that no word would be read as two. Older games can have such a word, which nobody typed."""
    words = {f"columns[{index}].labels": tuple(column.labels) for index, column in enumerate(template.columns)}
    words |= {"round_names": template.round_names, "round_names_ja": template.round_names_ja}
    for field, word in ((field, word) for field, found in words.items() for word in found):
        if parts_words(word):
            raise bad_template(field, f"{word!r} has signs in it that part words: leave them out")


def _check_names_show(template: Template) -> None:
    """Check that each name is visible. Older games can have names of blanks."""
    for field, name in _names_in(msgspec.to_builtins(template)):
        if not any(unicodedata.category(sign)[0] not in "ZMC" and sign not in _EMPTY_LETTERS for sign in name):
            raise bad_template(field, "a name needs a character that can be seen")


def _names_in(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """The names of things in a part of a template, each with its field."""
    if isinstance(value, str):
        if _CALLS.search(field):
            yield field, value
    elif isinstance(value, list | tuple):
        for at, part in enumerate(value):
            yield from _names_in(part, f"{field}[{at}]")
    elif isinstance(value, dict):
        for name, part in value.items():
            if field.endswith("labels"):
                yield field, name
            yield from _names_in(part, f"{field}.{name}" if field else name)


def most_beside(option: TemplateOption, options: tuple[TemplateOption, ...]) -> list[str]:
    """The most options that can be chosen together with this one: of each other group the first."""
    groups: dict[str, TemplateOption] = {}
    for each in (option, *options):
        groups.setdefault(each.group or f"+{each.id}", each)
    return [each.id for each in options if each in groups.values()]


def conflicting_options(options: Sequence[TemplateOption], chosen: Sequence[str]) -> tuple[str, str] | None:
    """Two chosen options of the same group; None if there are none."""
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
        if why := id_fault(name):
            raise bad_template(f"options[{index}].id", why)
        for place, other in enumerate(template.options[index].beside):
            if other.option == name or other.option not in names:
                raise bad_template(
                    f"options[{index}].beside[{place}].option", f"there is no other option {other.option}"
                )
    for index, name in enumerate(template.chosen):
        if name not in names:
            if not names:
                raise bad_template(f"chosen[{index}]", f"there is no option {name}")
            raise bad_template(f"chosen[{index}]", f"there is no option {name}; choose one of {', '.join(names)}")
    if found := conflicting_options(template.options, template.chosen):
        raise bad_template("chosen", f"{found[0]} and {found[1]} cannot both be chosen")
    _check_conditions(template, names)


def _check_conditions(template: Template, names: Sequence[str]) -> None:
    """Check that all conditions name existing options."""
    for field in ("columns", "ties", "checks", "markers"):
        for index, part in enumerate(getattr(template, field)):
            for condition in ("when", "unless"):
                for name in _named(getattr(part, condition)):
                    if name not in names:
                        raise bad_template(f"{field}[{index}].{condition}", f"there is no option {name}")


def _named(condition: Condition | None) -> tuple[str, ...]:
    """The options that a condition names."""
    return (condition,) if isinstance(condition, str) else condition or ()


def _with_options(template: Template) -> Template:
    """The template with only the parts for its chosen options."""
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
        raise bad_template("columns", "one column at least is entered")
    for index, column in enumerate(template.columns):
        field = f"columns[{index}]"
        _check_words(template, field, column)
        if column.formula is None:
            _check_entered(field, column)
        elif column.per == "round" and not template.has_rounds:
            raise bad_template(f"{field}.per", "no column is entered in rounds")
        else:
            _check_computed(field, column)
    _check_names([normalized_word(column.id) for column in template.columns], "columns[{}].id")
    if not template.entered_columns:
        raise bad_template("columns", "one column at least is entered")
    if (template.rounds is not None or template.round_names) and not template.has_rounds:
        raise bad_template("rounds" if template.rounds else "round_names", "no column is entered in rounds")
    for field in ("round_names", "round_names_ja"):
        _check_round_names(template, field)


def _check_round_names(template: Template, field: str) -> None:
    names = [normalized_word(typed_form(name)) for name in getattr(template, field)]
    for index, name in enumerate(names):
        known = {
            *NOTATION,
            *template.typed_columns,
            *(word for words in template.typed_labels.values() for word in words),
        }
        if name in known:
            raise bad_template(f"{field}[{index}]", f"{name} has a meaning of its own")
        if why := word_fault(name):
            raise bad_template(f"{field}[{index}]", why)
    _check_names(names, f"{field}[{{}}]")


def _check_markers(template: Template) -> None:
    """Check that a typed marker has no other meaning, and that there are rounds if it moves by rounds."""
    known = {*template.typed_columns, *template.typed_rounds}
    for index, marker in enumerate(template.markers):
        if why := id_fault(marker.id):
            raise bad_template(f"markers[{index}].id", why)
        if normalized_word(name := marker.id) in known:
            raise bad_template(f"markers[{index}].id", f"{name} has a meaning of its own: choose another id")
        if marker.goes_by_itself and not template.has_rounds:
            raise bad_template(
                f"markers[{index}].moves", "no column is entered in rounds: it can go by hand, or each can have it"
            )
    _check_names([normalized_word(marker.id) for marker in template.markers], "markers[{}].id")


def _check_teams(template: Template) -> None:
    """Check that the teams have different names, and that a number of seats is possible for them."""
    _check_names([team.name for team in template.teams], "teams[{}].name")
    taken = [seat for team in template.teams for seat in team.seats]
    for index, team in enumerate(template.teams):
        if taken and not team.seats:
            raise bad_template(f"teams[{index}].seats", "either all teams name their seats, or none does")
    if sorted(taken) != list(range(len(taken))):
        raise bad_template("teams", f"the seats of all teams together are 0 to {len(taken) - 1}, each of them once")


def _check_words(template: Template, field: str, column: Column) -> None:
    """Check that a typed column or value has no other meaning."""
    if why := id_fault(column.id):
        raise bad_template(f"{field}.id", why)
    if not column.labels:
        return
    known = {normalized_word(name) for name in (*NOTATION, *template.by_id)}
    if taken := sorted(word for word in column.labels if normalized_word(typed_form(word)) in known):
        raise bad_template(f"{field}.labels", f"{', '.join(taken)} has a meaning of its own")
    for word in column.labels:
        if why := word_fault(word):
            raise bad_template(f"{field}.labels", why)
    _check_names([normalized_word(typed_form(word)) for word in column.labels], f"{field}.labels")


def _check_names(names: list[str], field: str) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise bad_template(field.format(index), f"{name} stands here twice")


def _check_entered(field: str, column: Column) -> None:
    if column.ranges or column.round:
        raise bad_template(field, "ranges and round belong to a column with a formula")
    if column.shared and column.counts:
        raise bad_template(f"{field}.counts", "what all share is nobody's points: set it to false")
    if column.least is not None and column.most is not None and column.least > column.most:
        raise bad_template(f"{field}.most", f"{column.most} is less than {column.least}, the least")
    for name, value in [
        ("default", column.default),
        *((f"labels.{word}", value) for word, value in column.labels.items()),
    ]:
        if value is not None and (why := value_fault(column, value) or decimals_fault(column, value)):
            raise bad_template(f"{field}.{name}", why)
    if len(set(column.labels.values())) < len(column.labels):
        raise bad_template(f"{field}.labels", "two labels have the same value")


def _check_computed(field: str, column: Column) -> None:
    for name in ("shared", "least", "most", "whole", "labels", "default"):
        if getattr(column, name) != getattr(_UNSAID, name):
            raise bad_template(f"{field}.{name}", "this belongs to a column that is entered")
    starts = [start for start, _ in column.ranges]
    if starts != sorted(set(starts)):
        raise bad_template(f"{field}.ranges", "each range begins higher than the one before")


def _check_formulas(template: Template) -> None:
    """Check that every formula is valid, and that none depends on itself."""
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
    _check_references(template, "loses", template.losing_formula)
    _check_references(template, "ends", template.ending_formula)
    for check in template.known_checks:
        _check_references(template, check.field, check.holds)
        _check_references(template, check.field, check.value)
        _check_sight(template, check)


def _needs_itself(template: Template, names: Set[str]) -> BadOpeningError:
    index = next(index for index, column in enumerate(template.columns) if column.id in names)
    return bad_template(f"columns[{index}].formula", f"{template.columns[index].id} needs itself in the end")


def _check_directions(template: Template) -> None:
    """Check that no formula depends on itself through rounds in both directions.

    A formula that only looks back, or only ahead, ends at the first or the last round.
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
    """Check that a formula uses its columns in valid ways."""
    for used in formula.references if formula else ():
        column = template.by_id.get(used.column)
        if used.compares and (column is None or column.shared):
            raise bad_template(field, f"{used.column} is not a column in which each side has a value of its own")
        if used.kind in {"given", "all"} and (column is None or column.formula is not None):
            raise bad_template(field, f"{used.column} is not a column that is entered")
        if used.direction and column is None:
            raise bad_template(field, f"{used.column} is not a column")


def _check_sight(template: Template, check: KnownCheck) -> None:
    """Check that a check only uses its own round, and beyond it only entered cells: it is computed at every entry.

    A check at the end of the game can use everything.
    """
    if check.per == "game" and all(template.by_id[name].per == "round" for name in check.columns):
        return
    for name in check.columns & template.formulas.keys():
        formula = template.formulas[name]
        if any(template.needs(formula, way) for way in (-1, 1)):
            raise bad_template(check.field, f"{name} is computed from other rounds, and a check looks at its own round")
    for way in (-1, 1):
        if found := sorted(template.needs(check.holds, way) & template.formulas.keys()):
            raise bad_template(check.field, f"{found[0]} is computed, and a check looks at its own round")


def _check_end(template: Template) -> None:
    decisive = [("by", template.by)] if template.by else []
    decisive += [(f"ties[{index}].column", tie.column) for index, tie in enumerate(template.ties)]
    for field, name in decisive:
        column = template.by_id.get(name)
        if column is None or column.per == "round" or column.shared:
            raise bad_template(field, f"{name} is not a column with one value for each side")
    for field in ("by", "target", "ties", "tie_round", "last_turn", "loses", "ends", "first_wins"):
        if template.wins == "cooperative" and getattr(template, field):
            raise bad_template(field, "those who play together win or lose together")
    _check_target(template)
    _check_names([stop.id for stop in template.stops], "stops[{}].id")
    for index, stop in enumerate(template.stops):
        if why := id_fault(stop.id) or (
            normalized_word(stop.id) in {EARLY, NOBODY} and f"{stop.id} has a meaning of its own"
        ):
            raise bad_template(f"stops[{index}].id", why)
        if stop.rounds and not template.has_rounds:
            raise bad_template(f"stops[{index}].rounds", "no column is entered in rounds")


def _check_target(template: Template) -> None:
    if template.target and template.by:
        raise bad_template("target", "a target is for the total, which does not decide here")
    if template.first_wins and not template.target:
        raise bad_template("first_wins", "there is no target that somebody could reach first")
    if template.tie_round and not (template.has_end and template.has_rounds):
        raise bad_template("tie_round", "one more round needs rounds, and a target or a formula that ends the game")
    if template.last_turn and not (template.target and template.has_rounds):
        raise bad_template("last_turn", "one more turn needs rounds and a target")
    if template.last_turn and (template.tie_round or template.first_wins):
        raise bad_template("last_turn", "one more turn goes neither with tie_round nor with first_wins")
