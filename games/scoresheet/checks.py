"""The checks of a template, with their formulas: conditions that should hold on a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from games.contract import Title
from games.scoresheet.errors import bad_template, formula_of
from games.scoresheet.formulas import TARGET, TOTAL_BEFORE, Formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.scoresheet.formulas import Reference
    from games.scoresheet.template import Column, Template


class CheckInput(NamedTuple):
    """An input of a simple check: the side's cell in a column, or `all` cells of it, or a word if there is no column.

    The check waits for an empty cell, or takes `filled` in its place.
    """

    name: str
    column: Column | None
    all: bool = False
    filled: float | None = None


class KnownCheck(msgspec.Struct, frozen=True, eq=False):
    """A check with its formulas, and all `columns` that it uses. If it is `own`, each side is checked by itself.

    A simple check only uses cells that are entered in its own round: `needs` are these cells and words, in the order of
    its names. For other checks they are None. `says` has a place for {value}.
    """

    field: str
    per: str
    holds: Formula
    says: Title
    value: Formula | None = None
    own: bool = False
    columns: frozenset[str] = frozenset()
    needs: tuple[CheckInput, ...] | None = None


def known_checks(template: Template) -> tuple[KnownCheck, ...]:
    """The checks of a template: those of columns first. Raises `BadOpeningError`."""
    return (*_checks_of_columns(template), *_checks_of_sheet(template))


def _checks_of_columns(template: Template) -> Iterator[KnownCheck]:
    for index, column in enumerate(template.columns):
        if column.check is not None:
            field, names = f"columns[{index}].check", template.names_in(column.per)
            called = column.ja or column.title
            says = Title(f"{column.title}: {{value}} cannot be", f"{called}: {{value}}にはなりません")
            holds, value = formula_of(field, column.check, names), formula_of(field, column.id, names)
            yield _known(template, KnownCheck(field, column.per, holds, says, value))


def _checks_of_sheet(template: Template) -> Iterator[KnownCheck]:
    for index, check in enumerate(template.checks):
        field, names = f"checks[{index}]", template.names_in(check.per)
        if check.per == "round" and not template.has_rounds:
            raise bad_template(f"{field}.per", "no column is entered in rounds")
        holds = formula_of(f"{field}.holds", check.holds, names)
        value = None if check.value is None else formula_of(f"{field}.value", check.value, names)
        says = Title(check.says, check.ja or check.says)
        yield _known(template, KnownCheck(f"{field}.holds", check.per, holds, says, value))


def _known(template: Template, check: KnownCheck) -> KnownCheck:
    """The check completed with the columns that it uses, directly or through computed columns."""
    by_id, columns = template.by_id, set[str]()
    formulas = [formula for formula in (check.holds, check.value) if formula]
    while more := {used.column for formula in formulas for used in formula.references} & by_id.keys() - columns:
        columns |= more
        formulas = [template.formulas[name] for name in more if name in template.formulas]
    own = any(
        used.column == TOTAL_BEFORE if used.column not in by_id else not (used.compares or by_id[used.column].shared)
        for used in check.holds.references
    )
    needs = [_need(template, check.per, used) for used in check.holds.references]
    simple = tuple(need for need in needs if need)
    return msgspec.structs.replace(
        check, own=own, columns=frozenset(columns), needs=simple if len(simple) == len(needs) else None
    )


def _need(template: Template, per: str, used: Reference) -> CheckInput | None:
    """The input for a name in a check of each round, or of the whole game; None if the check is not simple."""
    column = template.by_id.get(used.column)
    if column is None:
        return CheckInput(used.column, None) if used.column in {"sides", "round", TARGET} else None
    if column.formula is not None or column.per != per or (column.shared and used.compares):
        return None
    if used.kind in {"given", "all"}:
        return CheckInput(column.id, column, used.compares, column.default or 0)
    return CheckInput(column.id, column, used.compares) if used.kind in {"own", "everyone"} else None
