"""Merges: several ids of one person, who was entered several times. No id changes, so a merge can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from events.databases.checksums import checksum

if TYPE_CHECKING:
    from collections.abc import Iterable


class BadMergeError(ValueError):
    """Two ids that cannot be made one person: they are the same id, or one of them was merged before."""


class Merge(msgspec.Struct, frozen=True):
    """A record of a merge: since `at`, the person with this id counts as `kept`, or for themselves if `kept` is None.

    The last record of a person counts. `at` is in milliseconds since 1970, `by` the id of the person who recorded it.
    A record of an older release has no checksum.
    """

    number: int
    person: str
    kept: str | None
    at: int
    by: str
    checksum: int | None = None

    def with_checksum(self) -> Merge:
        """The record with its checksum. A record without one gets a new one."""
        return self if self.checksum is not None else msgspec.structs.replace(self, checksum=self._sum())

    def is_sound(self) -> bool:
        """Whether the record is what was written. One without a checksum is believed."""
        return self.checksum in {None, self._sum()}

    def _sum(self) -> int:
        return checksum([self.number, self.person, self.kept, self.at, self.by])


def damaged(records: Iterable[Merge]) -> list[int]:
    """The numbers of damaged and of missing records. A damaged one has no effect after a later record of the person."""
    known = {record.number: record for record in records}
    last = {record.person: number for number, record in sorted(known.items()) if record.is_sound()}
    wrong = {
        number for number, record in known.items() if not record.is_sound() and last.get(record.person, 0) < number
    }
    return sorted(wrong | set(range(1, max(known, default=0))) - known.keys())


class Merges:
    """The merges of people, by all sound records up to `number`, in the order of their numbers."""

    def __init__(self, records: Iterable[Merge] = ()) -> None:
        self.number = 0
        self._standing: dict[str, Merge] = {}
        for record in records:
            self.number = record.number
            if not record.is_sound():
                continue
            self._standing.pop(record.person, None)
            if record.kept is not None:
                self._standing[record.person] = record
        self._merged: dict[str, list[str]] = {}
        for person in self._standing:
            self._merged.setdefault(self.final_id(person), []).append(person)

    def active(self) -> list[Merge]:
        """The merges that count, the oldest first."""
        return list(self._standing.values())

    def find(self, person: str) -> Merge | None:
        """The merge of an id into another one that counts."""
        return self._standing.get(person)

    def final_id(self, person: str) -> str:
        """The id that counts for a person: their own, or the last one of a chain of merges."""
        passed: set[str] = set()
        while (merge := self._standing.get(person)) and merge.kept and person not in passed:
            passed.add(person)
            person = merge.kept
        return person

    def ids_of(self, people: Iterable[str]) -> frozenset[str]:
        """All ids of these people."""
        ends = {self.final_id(person) for person in people}
        return frozenset(ends.union(*(self._merged.get(end, ()) for end in ends)))

    def check(self, person: str, kept: str) -> bool:
        """True if a person can be merged into another one, False if they are merged already. Raises `BadMergeError`."""
        if person == kept:
            raise BadMergeError(f"{person} cannot be merged into itself")
        merge = self.find(person)
        if merge is not None and merge.kept == kept:
            return False
        if merge is not None:
            raise BadMergeError(f"{person} is merged into {merge.kept} already: split them first")
        if self.final_id(kept) == person:
            raise BadMergeError(f"{kept} is merged into {person} already: split them first")
        return True
