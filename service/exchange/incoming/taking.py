"""Importing plays: each is new, the same as before, changed, or refused, independent of all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID, uuid5

import msgspec

from events.errors import BadEventError, IdReusedError, StaleVersionError
from events.event import NewEvent
from events.folding import normalized
from events.people import BadNameError
from games.errors import RulesetError
from games.scoresheet import SCORESHEET
from projections.errors import ProjectionError
from service.exchange.incoming.plays import BadPlayError, Unreadable
from service.exchange.incoming.sheets import sheet_of
from service.problems.errors import ServiceError
from service.recording.judging import Draft, EntryRejectedError
from service.recording.recorder import opening_judge, record, record_whole_game
from service.recording.seating import Seating, find_people

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from events.event import Event
    from projections.archive import Archive
    from service.exchange.incoming.plays import IncomingPlay, Item
    from service.exchange.incoming.sheets import Sheet

    Allow = Callable[[str], str | None]

AGAIN = "imported again, and told differently"
"""The reason in corrections by later imports. It alone distinguishes them from corrections by hand."""

_REFUSALS = (
    BadPlayError,
    BadEventError,
    BadNameError,
    EntryRejectedError,
    IdReusedError,
    ProjectionError,
    RulesetError,
    ServiceError,
    StaleVersionError,
)
"""The errors that refuse one play, but no other one."""


class ImportedPlay(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result for one play of a file: its key there, and the reason if it is refused."""

    key: str
    what: Literal["new", "same", "changed", "refused"]
    game: str | None = None
    name: str = ""
    played_at: str | None = None
    why: str = ""


class PlayImporter:
    """Imports plays for `recorder`. Unknown names become new people if it `makes_people`.

    `allow` returns the reason why the recorder may not correct an existing game, if any. A `dry_run` stores nothing.
    """

    def __init__(
        self, archive: Archive, recorder: str, allow: Allow, *, makes_people: bool = True, dry_run: bool = False
    ) -> None:
        self._archive, self._recorder, self._allow = archive, recorder, allow
        self._makes_people, self._dry_run = makes_people, dry_run

    def take(self, item: Item) -> ImportedPlay:
        """Import a play. Raises `LogError` if nothing can be stored."""
        if isinstance(item, Unreadable):
            return ImportedPlay(item.key, "refused", why=item.why)
        try:
            sheet = sheet_of(item)
            what = self._compare_with_record(item, sheet)
        except _REFUSALS as error:
            return ImportedPlay(item.key, "refused", None, item.game, item.played_at, _why(error))
        return ImportedPlay(item.key, what, sheet.game, item.game, item.played_at)

    def _compare_with_record(self, play: IncomingPlay, sheet: Sheet) -> Literal["new", "same", "changed"]:
        drafts = sheet.drafts()
        wanted = [sheet.game, *(draft.id for draft in drafts)]
        here = self._events(sheet.game)
        ids = [event.id for event in here]
        if ids == wanted[: len(ids)] and len(ids) < len(wanted):
            self._begin(sheet, drafts)
            return "new"
        if ids[: len(wanted)] == wanted and not any(_is_import_correction(event) for event in here):
            return "same"
        if len(here) > 1 and ids[1] != wanted[1] and (seated := self._in_seat_order(play, here)):
            return self._compare_with_record(play, seated)
        return self._corrected(sheet, drafts, here)

    def _events(self, game: str) -> list[Event]:
        return [] if self._archive.log.head(game) is None else list(self._archive.log.read(game))

    def _in_seat_order(self, play: IncomingPlay, here: Sequence[Event]) -> Sheet | None:
        """The play with its people in the order of the seats. None if it differs in more than this order."""
        seats = [seat.get("player") for seat in here[0].data["seats"]]
        names = self._archive.log.people.names(filter(None, seats))
        told = {normalized(result.name): result for result in play.results if result.name}
        known = [told.pop(normalized(names.get(player, "")), None) for player in seats]
        rest = (result for result in play.results if result not in known)
        results = [result or next(rest, None) for result in known]
        if len(results) != len(play.results) or None in results:
            return None
        sheet = sheet_of(msgspec.structs.replace(play, results=tuple(results)))
        return sheet if here[1].id == sheet.drafts()[0].id else None

    # A new game

    def _begin(self, sheet: Sheet, drafts: Sequence[Draft]) -> None:
        names = sheet.names
        if not self._makes_people:
            known = find_people(self._archive.log.people, [name for name in names if name])
            names = [name if name in known else None for name in names]
        with Seating(self._archive.log, [name for name in names if name]) as seating:
            seats = seating.fill_seats(sheet.game, [{"name": name} if name else {} for name in names])
            data = {"ruleset": SCORESHEET.name, "revision": SCORESHEET.revision, "seats": seats} | sheet.opening
            opening = NewEvent(id=sheet.game, type="game.opened", data=data, happened_at=sheet.happened_at)
            judge = opening_judge(self._archive, sheet.game, opening)
            for index, draft in enumerate(drafts):
                judge.judge(index, draft)
            if self._dry_run:
                return
            first = Draft(id=sheet.game, data=data, happened_at=sheet.happened_at)
            record_whole_game(self._archive, first, drafts, recorder=self._recorder)
            seating.keep()

    # An existing game

    def _corrected(self, sheet: Sheet, drafts: Sequence[Draft], here: Sequence[Event]) -> Literal["same", "changed"]:
        """Correct what changed in the file since the last import. Raises `BadPlayError`."""
        if len(here) < 2 or here[1].id != drafts[0].id:
            fields = ", ".join(_opened_differently(sheet, here[0]))
            raise BadPlayError(f"{fields}: this has changed in the file since the import; change the game here")
        corrections = [
            correction
            for draft, event in zip(drafts, _imported_entries(here, drafts), strict=True)
            if (correction := _correction(sheet.game, draft, event, here))
        ]
        if not corrections:
            return "same"
        if why := self._allow(sheet.game):
            raise BadPlayError(why)
        expected = {here[-1].version}
        record(
            self._archive,
            sheet.game,
            corrections,
            expected=expected,
            recorder=self._recorder,
            dry_run=self._dry_run,
        )
        return "changed"


def _opened_differently(sheet: Sheet, opening: Event) -> list[str]:
    """The differences from the opening of a game, which corrections cannot change."""
    was, told = opening.data, sheet.opening
    of_game = {"name", "bgg"}
    before, now = was.get("components", {}), told["components"]
    differs = {
        "game": any(before.get(name) != now.get(name) for name in of_game),
        "date": opening.happened_at != sheet.happened_at,
        "place": was.get("place") != told.get("place"),
        "result": any(before.get(name) != now.get(name) for name in {*before, *now} - of_game),
        "players": len(was["seats"]) != len(sheet.names),
    }
    return [field for field, different in differs.items() if different] or ["players"]


def _imported_entries(here: Sequence[Event], drafts: Sequence[Draft]) -> list[Event | None]:
    """The first imported entry for each draft. The notes may have had another text."""
    moves = [event for event in here if event.type in {"move.made", "game.closed"}]
    notes = {event.id: event for event in here if event.type == "note.added"}
    wanted = iter(moves)
    return [notes.get(draft.id) if draft.type == "note.added" else next(wanted, None) for draft in drafts]


def _is_import_correction(event: Event) -> bool:
    """Whether an entry is a correction by an import."""
    return event.type == "entry.replaced" and event.data.get("reason") == AGAIN


def _correction(game: str, draft: Draft, event: Event | None, here: Sequence[Event]) -> Draft | None:
    """The correction that brings in a changed value; None without a change."""
    if draft.type == "note.added":
        return None if event else draft
    if event is None or draft.type != event.type:
        raise BadPlayError("it has another kind of result than when it was imported; change the game here")
    last, expected = event.id, draft.id
    for later in here:
        if _is_import_correction(later) and later.data.get("entry") == event.version:
            last, expected = later.id, _next_id(game, draft, last)
    if last == expected:
        return None
    data: dict[str, Any] = {"entry": event.version, "move": draft.data["move"], "reason": AGAIN}
    return Draft(id=_next_id(game, draft, last), type="entry.replaced", data=data)


def _next_id(game: str, draft: Draft, before: str) -> str:
    """The id of the correction that follows the entry `before`."""
    return str(uuid5(UUID(game), f"{before} {draft.id}"))


def _why(error: Exception) -> str:
    cause = error.cause if isinstance(error, EntryRejectedError) else error
    return str(cause)
