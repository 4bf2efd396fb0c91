"""Forms that also send what they showed. A field that nobody edited keeps changes by others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from service.api.schemas.clubs import NewClubEntrySchema
from service.languages import gettext
from service.problems.kinds import bad_field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SHOWN = "shown"
"""The form field with the values that the page showed, in the format of the form."""


def as_shown(**data: Any) -> str:
    """The value of the field `shown` for the data of a form."""
    return msgspec.json.encode(data).decode()


def changed_values(form: Mapping[str, str], data: dict[str, Any]) -> dict[str, Any]:
    """The sent values that differ from the shown ones; all values if the form does not send `shown`."""
    shown = _shown(form.get(SHOWN, ""))
    return {
        name: value
        for name, value in data.items()
        if name not in shown or _normalized(shown[name]) != _normalized(value)
    }


def sent_entry(form: Mapping[str, str], fields: Mapping[str, Sequence[str]]) -> tuple[str, dict[str, Any]]:
    """The type of the entry in a form, and its values that are filled in. `fields` has the fields of each type.

    Raises `bad-request` for another type.
    """
    kind = form.get("type", "")
    if kind not in fields:
        raise bad_field("type", gettext("no such entry"))
    return kind, {name: form[name] for name in fields[kind] if form.get(name)}


def entry_of(form: Mapping[str, str], kind: str, data: dict[str, Any]) -> dict[str, Any] | None:
    """The entry about a club, a season or a tournament from a form; None if it changes nothing."""
    if not data and kind.endswith(".changed"):
        return None
    entry: dict[str, Any] = NewClubEntrySchema().load({"id": form.get("id", ""), "type": kind, "data": data})
    return entry


def _shown(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}


def _normalized(value: Any) -> Any:
    """A value with normalized line ends: browsers send two characters."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else value
