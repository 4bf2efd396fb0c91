"""The checks of a template, with their formulas: what should hold on a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.contract import Title
from games.scoresheet.errors import bad_template, formula_of
from games.scoresheet.formulas import TOTAL_BEFORE, Formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.scoresheet.template import Template


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
        if check.per == "round" and not template.in_rounds:
            raise bad_template(f"{field}.per", "no column is entered in rounds")
        holds = formula_of(f"{field}.holds", check.holds, names)
        value = None if check.value is None else formula_of(f"{field}.value", check.value, names)
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
