"""The chain of changes of access. Every change names the rows that it wrote or dropped, and the change before it.

So the last link stands for all of them. Its number and hash, the head, are also kept outside of the database: in a file
beside it, and in the signed tree. A store that does not reach its head was put back to an older state. What was revoked
since would open again, so nothing in it is believed until the owner has decided.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from service.access.tables import CHAIN
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from events.databases.rows import Rows

PAGE = 5000
"""Links that are read at a time."""


class Mark(NamedTuple):
    """The number and the hash of a link: a chain with a link like that holds everything up to it."""

    number: int
    hash: bytes


NOTHING = Mark(0, bytes(32))
"""The head of a chain without links."""


class Link(NamedTuple):
    """A row of the chain."""

    number: int
    prev: Any
    changed: Any
    whole: int
    hash: bytes

    @property
    def is_sound(self) -> bool:
        """Whether its hash fits its content. A damaged page can hold anything."""
        if not (isinstance(self.prev, bytes) and isinstance(self.changed, str)):
            return False
        return self.hash == _hash(self.number, self.prev, self.changed, self.whole)

    @property
    def mark(self) -> Mark:
        """The number and hash that are kept outside of the database."""
        return Mark(self.number, self.hash)


class Fault(NamedTuple):
    """Why a store is not trusted: it ends at change `last`, but change `head` was made."""

    kind: str
    last: int
    head: int

    def __str__(self) -> str:
        numbers = {"last": self.last, "head": self.head}
        match self.kind:
            case "behind":
                return gettext(
                    "it ends at change %(last)s, but change %(head)s was made: later revocations are missing",
                    **numbers,
                )
            case "other":
                return gettext("its change %(head)s is not the one that was made", **numbers)
            case "unmended":
                return gettext("some rows do not match the changes, and the disk has no room to repair them")
            case "headless":
                return gettext(
                    "it ends at change %(last)s, but access.head, which names the last change, is missing or damaged",
                    **numbers,
                )
            case _:
                return gettext("the chain of changes breaks after change %(last)s", **numbers)


class ChainReport(NamedTuple):
    """The result of reading a chain: its last sound link, its fault if any, and the rows that it names.

    `row_digests` holds the digest of every row that should exist, by its name.
    """

    last: Mark
    fault: Fault | None
    row_digests: dict[str, str]


def name_of(table: str, key: Iterable[Any]) -> str:
    """The name of a row in the chain, from its table and its key."""
    return "/".join([table, *[value.hex() if isinstance(value, bytes) else str(value) for value in key]])


def digest(held: Mapping[str, Any]) -> str:
    """The digest of a row's content, with the names of its columns in their order."""
    return b64encode(sha256(msgspec.json.encode(held)).digest()).decode()


def next_link(before: Mark, changed: Mapping[str, str | None], *, whole: bool = False) -> Link:
    """The next link of the chain."""
    statement, number = msgspec.json.encode(changed, order="sorted").decode(), before.number + 1
    return Link(number, before.hash, statement, int(whole), _hash(number, before.hash, statement, int(whole)))


def links(db: Rows, start: int) -> Iterator[Link]:
    """The links of a chain from a number on."""
    names = ", ".join(f'"{name}"' for name in CHAIN.columns)
    number = start - 1
    while True:
        sql = f"select {names} from {CHAIN} where number > ? order by number limit ?"
        page = db.execute(sql, [number, PAGE]).fetchall()
        yield from (Link(*row) for row in page)
        if len(page) < PAGE:
            return
        number = page[-1][0]


def last_number(db: Rows) -> int:
    """The number of the last link, 0 if there is none."""
    ((number,),) = db.execute(f"select coalesce(max(number), 0) from {CHAIN}").fetchall()
    return int(number)


def check_follows(db: Rows, known: Mark) -> tuple[Mark, Fault | None]:
    """The last link of a chain, and the fault if it does not follow from a known link."""
    last = NOTHING
    for link in links(db, known.number):
        expected = link.mark == known if link.number == known.number else link.prev == last.hash
        if not expected or not link.is_sound:
            return known, Fault("other" if last == NOTHING else "broken", last.number, known.number)
        last = link.mark
    return (known, Fault("behind", last_number(db), known.number)) if last.number < known.number else (last, None)


def judge(db: Rows, head: Mark) -> ChainReport:
    """Read a chain, and compare it with its head."""
    ((start,),) = db.execute(f"select coalesce(max(number), 0) from {CHAIN} where whole = 1").fetchall()
    last, row_digests = NOTHING, dict[str, str]()
    met = head == NOTHING or (head.number < start and _holds(db, head))
    for link in links(db, start):
        follows = link.whole if link.number == start else (link.prev == last.hash and link.number == last.number + 1)
        if not follows or not link.is_sound:
            return ChainReport(last, Fault("broken", last.number, head.number), row_digests)
        for name, each in msgspec.json.decode(link.changed, type=dict[str, str | None]).items():
            if each is None:
                row_digests.pop(name, None)
            else:
                row_digests[name] = each
        last = link.mark
        met |= last == head
    if head.number > last.number:
        return ChainReport(last, Fault("behind", last.number, head.number), row_digests)
    return ChainReport(last, None if met else Fault("other", last.number, head.number), row_digests)


def _holds(db: Rows, head: Mark) -> bool:
    found = db.execute(f"select hash from {CHAIN} where number = ?", [head.number]).fetchone()
    return found is not None and found[0] == head.hash


def _hash(number: int, prev: bytes, changed: str, whole: int) -> bytes:
    return sha256(prev + f"{number} {whole}\n{changed}".encode()).digest()
