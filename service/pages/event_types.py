"""Names and properties of entry types for pages, from the table in `events/types.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.types import TYPES, Correction
from service.languages import gettext

if TYPE_CHECKING:
    from events.types import EventData


def event_types() -> dict[str, dict[str, str | bool]]:
    """The table by type, with labels in the reader's language. False properties are left out."""
    return {name: {"label": gettext(form.label), **_behaviour(form)} for name, form in TYPES.items()}


def _behaviour(form: type[EventData]) -> dict[str, bool]:
    told = {
        "plays": form.is_played_here,
        "corrects": issubclass(form, Correction),
        "takes_back": form.takes_back,
        "changes_all": form.changes_all,
        "allowed_when_closed": form.allowed_when_closed,
    }
    return {name: True for name, true in told.items() if true}
