"""Auditing by a witness: every leaf of a tree is looked for in the exports of the service."""

from __future__ import annotations

import io
from http import HTTPStatus
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from events import ndjson
from events.tree.leaves import BadLeavesError, read_leaves, tile_paths
from events.verification import verify_export
from service.cli.shell import screen
from service.cli.shell.client import RefusedError, UnexpectedAnswerError
from service.cli.shell.references import every_record
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from events.tree.checkpoints import Checkpoint
    from service.cli.shell.client import Client
    from service.cli.shell.references import Listed

PUBLIC = "public"
"""The export that everybody who may see a game can have; it has the hashes of all its entries."""

SHORTEST_LINE = 256
"""Bytes of a line of an export, at least: ids, times and two hashes are longer."""

CAUGHT, NOT_ALL = 1, 3
"""Exit codes: something is wrong or missing; leaves are left that this token does not show."""


class Exports(msgspec.Struct, frozen=True):
    """The exports that a token shows: the place of each entry by its hash, and why some could not be used.

    `refused` are records that are listed, and not shown; `unsound` are those with exports that prove nothing.
    `postdated` are sound ones with a time far after the clock here: older releases imported such entries.
    """

    entries: dict[bytes, str]
    refused: dict[str, str]
    unsound: dict[str, str]
    postdated: dict[str, str]


class Audit(msgspec.Struct, frozen=True):
    """The result of an audit of the leaves of a tree. Places count from 1, as in the feed.

    `later` leaves came while the exports were read, `lost` ones were lost before the tree was begun: they were empty
    when the witness first saw it. `left_out` are the leaves that no export accounts for. `unsigned` are entries of
    exports that no leaf holds.
    """

    size: int
    accounted: int
    later: int
    lost: int
    left_out: list[int]
    unsigned: list[str]
    refused: dict[str, str]
    unsound: dict[str, str]
    postdated: dict[str, str]

    def exit_code(self, *, whole: bool) -> int:
        """0 if every leaf is accounted for. With `whole` the token shows all games, so nothing may be left out."""
        if self.unsigned or self.unsound or (self.left_out and whole):
            return CAUGHT
        return NOT_ALL if self.left_out else 0


def read_exports(client: Client) -> Exports:
    """Read every export that the service shows. Raises what a client raises."""
    found = Exports({}, {}, {}, {})
    for record in every_record(client):
        try:
            content = _export(client, record)
        except RefusedError as error:
            if error.problem.status == HTTPStatus.TOO_MANY_REQUESTS:
                raise
            found.refused[record.id] = str(error)
            continue
        if (lines := content.count(b"\n")) > 1 + len(content) // SHORTEST_LINE:
            why = gettext("its export has %(lines)s lines in %(size)s bytes", lines=lines, size=len(content))
            found.unsound[record.id] = why
            continue
        report = verify_export(io.BytesIO(content))
        if forged := [each for each in report.problems if each.kind != "postdated"]:
            found.unsound[record.id] = str(forged[0])
            continue
        if report.problems:
            found.postdated[record.id] = str(report.problems[0])
        for written in ndjson.read(io.BytesIO(content)):
            found.entries.update({bytes.fromhex(each.hash): f"{each.game} {each.version}" for each in written.events})
    return found


def audit(client: Client, checkpoint: Checkpoint, exports: Exports, end: int, first: int) -> Audit:
    """Account for every leaf of a tree that was signed. `end` is the size of a tree that was signed before the exports
    were read: none of its leaves can have come later. `first` is its size when the witness first saw it: no later leaf
    can have been lost before the tree was begun.

    Raises `UnexpectedAnswerError` for leaves that are not those that were signed.
    """
    leaves = _leaves(client, checkpoint)
    unknown = list(_leaves_without_entry(leaves, exports.entries, first))
    lost = sum(not leaf for leaf in leaves[:first])
    left_out = [place for place in unknown if place <= end]
    signed = set(leaves)
    return Audit(
        size=len(leaves),
        accounted=len(leaves) - len(unknown) - lost,
        later=len(unknown) - len(left_out),
        lost=lost,
        left_out=left_out,
        unsigned=[name for leaf, name in exports.entries.items() if leaf not in signed],
        refused=exports.refused,
        unsound=exports.unsound,
        postdated=exports.postdated,
    )


def _leaves_without_entry(leaves: Sequence[bytes], entries: Mapping[bytes, str], first: int) -> Iterator[int]:
    """The places of the leaves without an entry in an export, or that are in the tree twice."""
    seen = set[bytes]()
    for place, leaf in enumerate(leaves, 1):
        if (leaf or place > first) and (leaf in seen or leaf not in entries):
            yield place
        seen.add(leaf)


def _export(client: Client, record: Listed) -> bytes:
    """The public export of a sealed game; the whole export of any other record."""
    path = f"/v1/{record.kind}/{record.id}/export"
    if record.kind != "games":
        return client.fetch(path)
    try:
        return client.fetch(path, format="ndjson", seat=PUBLIC)
    except RefusedError as error:
        if error.problem.name != "not-sealed":
            raise
        return client.fetch(path, format="ndjson")


def fetch_leaves(client: Client, size: int) -> Iterator[bytes]:
    """The unchecked entries of a tree by tiles, each after its length in two bytes."""
    return (client.fetch(f"/v1/tree/tile/entries/{path}") for path in tile_paths(size))


def _leaves(client: Client, checkpoint: Checkpoint) -> list[bytes]:
    """The entries of a tree, checked against the signed root."""
    try:
        return list(read_leaves(fetch_leaves(client, checkpoint.size), checkpoint))
    except BadLeavesError as error:
        raise UnexpectedAnswerError(client.where, gettext("its leaves are not those that it signed")) from error


def print_audit(found: Audit, url: str, *, whole: bool) -> None:
    """Print the findings."""
    for record, why in (found.refused | found.postdated | found.unsound).items():
        screen.complain(gettext("record %(record)s: %(why)s", record=record, why=why))
    for name in found.unsigned:
        screen.complain(gettext("entry %(name)s is in an export, and in no leaf of the tree", name=name))
    if found.left_out:
        why = gettext("missing") if whole else gettext("missing, or of records that this token may not see")
        places = ", ".join(_ranges(found.left_out))
        screen.complain(gettext("leaves that are in no export (%(why)s): %(places)s", why=why, places=places))
    screen.out().print(
        gettext(
            "%(accounted)s of %(counted)s accounted for at %(url)s. Later: %(later)s. Lost before: %(lost)s.",
            accounted=found.accounted,
            counted=ngettext("%(count)s leaf", "%(count)s leaves", found.size),
            url=url,
            later=found.later,
            lost=found.lost,
        )
    )


def _ranges(places: Sequence[int]) -> Iterator[str]:
    """Ascending numbers in a short form: 3, 5-9."""
    for _, run in groupby(enumerate(places), lambda each: each[1] - each[0]):
        numbers = [place for _, place in run]
        yield str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
