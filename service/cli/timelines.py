"""Timelines: the entries of a game with what they did, read page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.answers import GameInfo, Timeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.timeline import Entry
    from service.cli.client import Client

PAGE = 1000


def timeline(
    client: Client,
    game: str,
    seat: str | None = None,
    after: int = 0,
    until: int | None = None,
    people: dict[str, str] | None = None,
) -> Iterator[Entry]:
    """The entries `after < version <= until` of a game, as they count today, in the order of their recording.

    `people` takes in the names, by id, of those who took a seat or ruled in them.
    """
    following: int | None = after
    while following is not None and (until is None or following < until):
        limit = PAGE if until is None else min(PAGE, until - following)
        page = client.get(f"/v1/games/{game}/timeline", Timeline, after=following, limit=limit, seat=seat)
        if people is not None:
            people |= page.people
        yield from page.entries
        following = page.next


def backwards(client: Client, game: str) -> Iterator[Entry]:
    """All entries of a game behind the opening, as they count today, the newest first."""
    version = client.get(f"/v1/games/{game}", GameInfo).version
    while version > 1:
        start = max(version - PAGE, 1)
        page = client.get(f"/v1/games/{game}/timeline", Timeline, after=start, limit=version - start)
        yield from reversed(page.entries)
        version = start


def entry_of(client: Client, game: str, version: int) -> Entry | None:
    """One entry of a game, if there is one of that version."""
    page = client.get(f"/v1/games/{game}/timeline", Timeline, after=version - 1, limit=1)
    return next(iter(page.entries), None)


def as_it_happened(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries in the order in which they happened: inserted ones right behind the entry that they follow."""
    recorded: list[Entry] = []
    inserted: dict[int, list[Entry]] = {}
    for entry in entries:
        (recorded if entry.after is None else inserted.setdefault(entry.after, [])).append(entry)
    waiting = recorded[::-1]
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting += reversed(inserted.get(entry.version, []))
