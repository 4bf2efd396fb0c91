"""The names in tables of people. Strangers do not see those who are left out of public tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.access.gate import current_principal
from service.api.endpoints import archive, context

if TYPE_CHECKING:
    from collections.abc import Iterable


def table_names(people: Iterable[str]) -> dict[str, str]:
    """The names of these people that the caller may read in a table."""
    hidden = hidden_people()
    return archive().log.people.names(each for each in people if each not in hidden)


def hidden_people() -> frozenset[str]:
    """All ids of the people whom the caller does not see in tables; empty for callers who may list people."""
    who = current_principal()
    if who and "people:read" in who.service:
        return frozenset()
    out = context().access.left_out()
    return archive().log.people.merges().ids_of(out) - (who.people if who else frozenset())
