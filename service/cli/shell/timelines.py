"""Timelines: the entries of a game with their effects, read page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.api.answers.games import Timeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.timeline import Entry
    from service.cli.shell.client import Client

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


def entry_of(client: Client, game: str, version: int) -> Entry | None:
    """One entry of a game, if that version exists."""
    page = client.get(f"/v1/games/{game}/timeline", Timeline, after=version - 1, limit=1)
    return next(iter(page.entries), None)


def as_it_happened(entries: Iterable[Entry]) -> list[Entry]:
    """The entries in the order of play."""
    return sorted(entries, key=lambda entry: entry.place)
