"""Forms that also send what they showed. A field that nobody edited keeps changes by others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from service.api.schemas.clubs import NewClubEntrySchema

if TYPE_CHECKING:
    from collections.abc import Mapping

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
