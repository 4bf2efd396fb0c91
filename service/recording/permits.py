"""Permits: which entries somebody may record."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from events.types import REVISION_ADOPTED
from service.access.gate import missing_scope
from service.access.needs import CORRECTED, CORRECTING, ENTRIES
from service.access.principals import own_viewpoint
from service.recording.judging import EntryRejectedError, Judge
from service.recording.player_recording import PlayerJudge

if TYPE_CHECKING:
    from events.entries import CheckedEvent
    from events.log import LogReader
    from events.types import Correction
    from projections.archive import Archive
    from projections.fold import Fold
    from service.access.principals import Permissions, Principal
    from service.access.store import Store
    from service.recording.judging import Draft


class Permit:
    """The rights of somebody to record in one game. Raises `EntryRejectedError` for other entries."""

    def __init__(self, who: Principal, permissions: Permissions, log: LogReader, game: str, store: Store) -> None:
        self._who, self._standing, self._log, self._game, self._store = who, permissions, log, game, store
        self._confined: PlayerJudge | None = None
        self.whole = permissions.see_whole_record
        """Whether they are told all that comes of it."""

    def judge(self, archive: Archive, base: Fold, *, dry_run: bool) -> Judge | PlayerJudge:
        """The judge of their entries."""
        if self.whole:
            return Judge(archive, base)
        permissions = self._standing
        seats = permissions.seats if permissions.own_seats_only else frozenset[int]()
        viewpoint = own_viewpoint(permissions)
        self._confined = PlayerJudge(archive, base, viewpoint, seats, self._who.recorders, dry_run=dry_run)
        return self._confined

    def note_refusal(self) -> None:
        """Note in the trail that an entry was refused, if the whole record was asked: the refusal reveals something.

        Stored entries are visible in the record. Raises `StoreFullError`.
        """
        if self._confined is not None and self._confined.asked:
            who = self._who
            self._store.note(
                "entry.refused", by=who.id, person=who.person, game=self._game, credential=who.credential.id
            )

    def check_type(self, index: int, draft: Draft) -> None:
        """Check that they may record entries of this type."""
        if (scope := ENTRIES[draft.type]) not in self._standing.scopes:
            self._need(index, scope)

    def check_moving_on(self, index: int) -> None:
        """Check that they may choose the revision of the game's rules, also by taking such an entry back."""
        self._need(index, ENTRIES[REVISION_ADOPTED])

    def check_correction(self, index: int, entry: CheckedEvent, recorded: int) -> None:
        """Check that a correction concerns their own entries, or that they may correct others'.

        Who may not see all of the record corrects nothing but their own, as its judge sees to.
        """
        if entry.type not in CORRECTED or CORRECTING in self._standing.scopes:
            return
        correction = cast("Correction", entry.data)
        changed = [version for version in correction.changed_entries if version != correction.inserted_after] + list(
            correction.keep
        )
        for version in changed:
            if version <= recorded and self._recorder_of(version) not in self._who.recorders:
                self._need(index, CORRECTING)

    def _recorder_of(self, version: int) -> str:
        return next(iter(self._log.read(self._game, version - 1, version))).recorder

    def _need(self, index: int, scope: str) -> None:
        if scope not in self._standing.scopes:
            raise EntryRejectedError(index, missing_scope(scope, self._who, self._game))
