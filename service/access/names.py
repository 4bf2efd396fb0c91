"""Names of the people and apps who did something. They are looked up when an answer needs them."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Protocol

from events.people import UNKNOWN
from service.access.gate import current_permissions, current_principal
from service.access.store import HOUSE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from projections.archive import ReadingArchive
    from projections.fold import Fold
    from projections.timeline import Entry
    from service.access.principals import Permissions, Principal
    from service.access.store import Store

OWNER = "owner"
"""What the log called the owner in older releases, and what an owner without a name is called."""


class NameSources(Protocol):
    """The sources of names: the archive for people, the store of access for apps."""

    @property
    def archive(self) -> ReadingArchive:
        """The archive."""

    @property
    def access(self) -> Store:
        """The store of access."""


def names_of(known: NameSources, ids: Iterable[str]) -> dict[str, str]:
    """The names of people and apps by their ids. Those without a name, or with an erased one, are left out."""
    wanted = {id_ for id_ in ids if id_ not in {HOUSE, OWNER, ""}}
    found = known.archive.log.people.names(wanted)
    return found | {app: name for app, name in known.access.app_names(wanted - found.keys()).items() if name}


def knows_people() -> bool:
    """Whether the caller may know who recorded the game of this request."""
    return may_know(current_permissions(), current_principal())


def may_know(permissions: Permissions, who: Principal | None) -> bool:
    """Whether somebody with these permissions in a game may know who recorded it."""
    return "games:record" in permissions.scopes or (who is not None and "people:read" in who.service)


def people_in(entries: Iterable[Entry], players: frozenset[str], *, knows: bool) -> set[str]:
    """The ids of people in some entries of a game, as far as their names may be shown; `players` are all ids of people
    in its seats.

    These are people who took a seat or ruled, and, for a caller who `knows` people, also those who recorded or erased
    something. Other callers only get the people at the table.
    """
    listed = list(entries)
    behind = {id_ for entry in listed for id_ in (entry.recorder, *(erased.by for erased in entry.erased))}
    if not knows:
        behind &= players
    return behind | {id_ for entry in listed for id_ in (entry.player, *entry.players) if id_}


def names_in(known: NameSources, entries: Iterable[Entry], fold: Fold) -> dict[str, str]:
    """The names of people in some entries of a game, by their ids, as far as the caller may know them."""
    players = known.archive.log.people.merges().ids_of(filter(None, fold.players))
    return names_of(known, people_in(entries, players, knows=knows_people()))


def name_eraser(erased: Iterable[str], others: Iterable[str]) -> Callable[[str], str]:
    """Make a function that takes erased names out of a label, also their words, unless `others` have them."""
    kept = {word.casefold() for other in others for word in (other, *other.split())}
    words = {word for name in erased for word in (name, *name.split())}
    gone = sorted((word for word in words if word.casefold() not in kept), key=len, reverse=True)
    pattern = re.compile("|".join(map(_as_word, gone)) or "(?!)", re.IGNORECASE)

    def without_names(label: str) -> str:
        composed = unicodedata.normalize("NFC", label)
        return pattern.sub(UNKNOWN, composed) if pattern.search(composed) else label

    return without_names


def _as_word(name: str) -> str:
    """A pattern for a name as a whole word, also in the genitive. Scripts without blanks have no whole words."""
    before = r"(?<!\w)" if _is_cased(name[0]) else ""
    after = r"(?:['’]?s)?(?!\w)" if _is_cased(name[-1]) else ""
    return before + re.escape(name) + after


def _is_cased(letter: str) -> bool:
    return letter.lower() != letter.upper()
