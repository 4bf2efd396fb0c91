"""Recording a saved outbox: a file with the entries that waited on a phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

import msgspec

from service.api.answers.entries import RecordedEntries
from service.api.answers.exchange import ImportedGame
from service.cli.shell.client import RefusedError
from service.cli.shell.failures import CommandError
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.cli.shell.client import Client

_BEGINS = re.compile(rb'\s*\{\s*"kifu"')
_PATH = r"^/v1/(games|games/[0-9a-f-]{36}/events|clubs/[0-9a-f-]{36}/games)$"


class Item(msgspec.Struct, frozen=True):
    """A waiting request: a game to open, or an entry after the version `base`."""

    box: UUID
    path: Annotated[str, msgspec.Meta(pattern=_PATH)]
    body: dict[str, Any]
    label: str = ""
    base: int | None = None


class Outbox(msgspec.Struct, frozen=True):
    """The waiting requests of all games, in order for each game."""

    kifu: Literal["outbox"]
    items: list[Item]


def is_outbox(content: bytes) -> bool:
    """Whether a file is an outbox."""
    return bool(_BEGINS.match(content))


def send_outbox(client: Client, content: bytes) -> Iterator[tuple[ImportedGame, int]]:
    """Record the content of a file. Returns each game with its number of entries. Repeats record nothing twice.

    Raises `CommandError` for a damaged file, and for the first entry that is refused. Later entries of its game are not
    sent. All other games are recorded before it is raised.
    """
    try:
        found = msgspec.json.decode(content, type=Outbox)
    except (ValueError, RecursionError) as error:
        raise CommandError(gettext("this is not a file that a phone saved: %(error)s", error=error)) from error
    refused: list[CommandError] = []
    for game in dict.fromkeys(item.box for item in found.items):
        items = [item for item in found.items if item.box == game]
        version = 0
        try:
            for item in items:
                version = _send(client, item)
        except CommandError as error:
            refused.append(error)
        else:
            yield ImportedGame(str(game), version), len(items)
    if refused:
        raise refused[0]


def _send(client: Client, item: Item) -> int:
    """Record an item. Returns the new version of its game."""
    headers = {} if item.base is None else {"If-Match": f'"v{item.base}"'}
    try:
        return client.send("POST", item.path, RecordedEntries, item.body, headers=headers).version
    except RefusedError as error:
        why = f"{item.label or gettext('an entry')}: {error.problem.detail}"
        raise CommandError(why, gettext("It stays in the file, with the later entries of its game.")) from error
