"""Clubs: founding one, and recording in it. An entry is stored if the club with it still makes sense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from events import limits
from events.clubs import CLUB_FOUNDED, HouseRulesSet
from events.entries import check_event
from events.errors import BadEventError
from events.event import NewEvent
from games.rulesets import RULESETS
from projections.clubs import fold_club
from service.recording.judging import pending_event
from service.recording.locks import KeyedLocks

if TYPE_CHECKING:
    from projections.archive import Archive

CLUBS = KeyedLocks()
"""Those who write to the same club take turns."""

ENTRIES = limits.CHOSEN
"""The most entries of a club: all of them are read again after each."""


def found_club(archive: Archive, club: str, data: dict[str, Any], *, recorder: str) -> None:
    """Found a club. Safe to repeat. Raises `BadEventError`, `IdReusedError`, `LogFullError`."""
    archive.log.append(club, [NewEvent(id=club, type=CLUB_FOUNDED, data=data)], expected=0, recorder=recorder)


def record_in_club(archive: Archive, club: str, event: NewEvent, *, recorder: str) -> int:
    """Record an entry in a club; its version. Safe to repeat. Raises as `found_club`, and `BadOpeningError`."""
    with CLUBS.of(club):
        events = list(archive.log.read(club))
        known = next((each for each in events if each.id == event.id), None)
        if known is not None:
            stored = archive.log.append(club, [event], expected=known.version - 1, recorder=recorder)
            return stored.events[0].version
        if len(events) >= ENTRIES:
            raise BadEventError(0, "type", f"the club has {ENTRIES:,} entries already")
        entry = check_event(0, event)
        if isinstance(entry.data, HouseRulesSet):
            _check_rules(entry.data)
        try:
            fold_club([*events, pending_event(club, len(events) + 1, entry)])
        except BadEventError as error:
            if error.index == len(events):
                raise BadEventError(0, error.path, error.why) from None
            raise BadEventError(0, "data", f"entry {error.index + 1} no longer fits: {error.why}") from None
        stored = archive.log.append(club, [entry], expected=len(events), recorder=recorder)
        return stored.events[0].version


def _check_rules(data: HouseRulesSet) -> None:
    ruleset = RULESETS.get(data.ruleset)
    if ruleset is None:
        raise BadEventError(0, "data.ruleset", f"unknown; there are {', '.join(RULESETS)}")
    ruleset.check_options(dict(data.options))


def new_person(entry: str, name: str) -> str:
    """The id of a person with a new name: it follows from the entry, so that the entry can be repeated."""
    return str(uuid5(UUID(entry), name))
