"""Errors of templates: each names the field, and in a formula the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.errors import BadOpeningError
from games.scoresheet.formulas import Formula, FormulaError, Kind, read_formula

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHOWN = 400
"""The most characters of a formula in an error: longer formulas are refused for their length."""


def bad_template(field: str, why: str, **place: str | int) -> BadOpeningError:
    """The error of a field; in a formula, with its `text` and the offset `at` of the error."""
    return BadOpeningError(f"components.{field}" if field else "components", why, **place)


def formula_of(field: str, text: str, names: Mapping[str, Kind]) -> Formula:
    """Read the formula of a field. Raises `BadOpeningError` with the field and the offset."""
    try:
        return read_formula(text, names)
    except FormulaError as error:
        why = f"{error.why}, at character {error.at + 1} of {text[:80]!r}"
        raise bad_template(field, why, text=text[:_SHOWN], at=error.at) from None
