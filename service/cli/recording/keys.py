"""The ids of entries from a file, so that recording the same file again stores nothing twice.

Entry 5 of the file `evening.txt` has the UUIDv5 of the game and the text `evening.txt 5`, with any content. So blank
lines and comments change nothing. The service knows a repeated entry by its id, and refuses an entry that was changed
since. Another file with the next moves has ids of its own. An entry that was taken back may be recorded anew: it then
has the id of the text `evening.txt 5 again 1`.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from service.cli.shell.failures import CommandError
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.timeline import Entry


class EntryIds:
    """The ids of the entries of one file, given the entries of the game."""

    def __init__(self, game: str, name: str, entries: Iterable[Entry]) -> None:
        self._game, self._name = UUID(game), name
        self._stored = {entry.id: entry for entry in entries}
        self._number = 0
        self._fresh = False

    def next(self) -> tuple[str, Entry | None]:
        """The id of the file's next entry, and the entry itself if it is recorded and counts.

        Raises `CommandError` if a later entry of the file is recorded already: this one would be in the wrong place.
        """
        self._number += 1
        key, entry = self._look_up(self._number)
        if entry is None and not self._fresh:
            self._fresh = True
            self._refuse_gap()
        return key, entry

    def _look_up(self, number: int) -> tuple[str, Entry | None]:
        for time in count():
            key = str(uuid5(self._game, f"{self._name} {number}" + (f" again {time}" if time else "")))
            entry = self._stored.get(key)
            if entry is None or entry.withdrawn_by is None:
                return key, entry
        raise AssertionError("there is no end to counting")

    def _refuse_gap(self) -> None:
        for number in range(self._number + 1, self._number + 1 + len(self._stored)):
            _, later = self._look_up(number)
            if later is not None:
                raise CommandError(
                    gettext(
                        "entry %(number)s of %(name)s is not in the game, but a later one is, as entry %(version)s",
                        number=self._number,
                        name=self._name,
                        version=later.version,
                    ),
                    gettext("Take the later ones back with `kifu undo` first, or give the rest in a file of its own."),
                )
