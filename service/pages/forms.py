"""Forms that show what they change: what nobody touched stays as others have left it meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from service.api.schemas.clubs import NewClubEntrySchema

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN = "shown"
"""The field of a form that holds what its page showed, as the form sends it if nobody touches it."""


def as_shown(**data: Any) -> str:
    """What a page shows of the data that its form changes, for the field `shown`."""
    return msgspec.json.encode(data).decode()


def touched(form: Mapping[str, str], data: dict[str, Any]) -> dict[str, Any]:
    """What differs from what the page showed, of the data that its form sends; all of it, if the form does not say."""
    shown = _shown(form.get(SHOWN, ""))
    return {name: value for name, value in data.items() if name not in shown or _plain(shown[name]) != _plain(value)}


def entry_of(form: Mapping[str, str], kind: str, data: dict[str, Any]) -> dict[str, Any] | None:
    """The entry that a form records about a club, a season or a tournament; None if it changes nothing."""
    if not data and kind.endswith(".changed"):
        return None
    entry: dict[str, Any] = NewClubEntrySchema().load({"id": form.get("id", ""), "type": kind, "data": data})
    return entry


def _shown(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}


def _plain(value: Any) -> Any:
    """A value without what a browser changes: it ends a line with two characters."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else value
