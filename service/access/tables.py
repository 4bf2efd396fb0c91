"""The tables of access, in any database, and the migrations of older ones.

Columns that change by themselves lie beside the summed ones: when a credential was used, what was read with it, how
often a link was opened.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from sqlite_utils import Migrations
from uuid_utils import uuid7

from events.databases.checksums import by_repr
from events.databases.definition import Definition, Table

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from sqlite_utils import Database

    from events.databases.rows import Statements

CREDENTIAL = Table(
    "credential",
    {
        "id": str,
        "digest": bytes,
        "kind": str,
        "person": str,
        "app": str,
        "name": str,
        "scopes": str,
        "games": str,
        "begun": int,
        "maker": str,
        "ends": int,
        "ended": int,
    },
    key=("id",),
    beside={"used": "integer", "reads": "text"},
    unique=("digest",),
    indexes=("person", "app"),
    older=by_repr,
)
ROLE = Table(
    "role",
    {"person": str, "game": str, "role": str, "seats": str, "since": int, "by": str},
    key=("person", "game"),
    indexes=("game",),
    older=by_repr,
)
VISIBLE = Table(
    "visible",
    {"game": str, "level": str, "number": int, "since": int, "by": str},
    key=("game",),
    indexes=("number",),
    older=by_repr,
)
TRAIL = Table(
    "trail",
    {
        "number": int,
        "at": int,
        "by": str,
        "what": str,
        "person": str,
        "game": str,
        "credential": str,
        "more": str,
    },
    key=("number",),
    older=by_repr,
)
CODE = Table(
    "code",
    {"digest": bytes, "purpose": str, "person": str, "made": int, "ends": int, "data": str},
    key=("digest",),
    older=by_repr,
)
ANSWER = Table(
    "answer",
    {"digest": bytes, "asked": bytes, "status": int, "sealed": bytes, "ends": int},
    key=("digest",),
    older=by_repr,
)
LINK = Table(
    "link",
    {
        "id": str,
        "digest": bytes,
        "game": str,
        "viewpoint": str,
        "at": int,
        "name": str,
        "begun": int,
        "maker": str,
        "ends": int,
        "ended": int,
    },
    key=("id",),
    beside={"opened": "integer not null default 0"},
    unique=("digest",),
    indexes=("game",),
    older=by_repr,
)
WEBHOOK = Table(
    "webhook",
    {
        "id": str,
        "person": str,
        "app": str,
        "credential": str,
        "scopes": str,
        "url": str,
        "base": str,
        "format": str,
        "description": str,
        "filter": str,
        "secret": str,
        "old_secret": str,
        "old_ends": int,
        "enabled": int,
        "since": int,
        "begun": int,
        "maker": str,
    },
    key=("id",),
    indexes=("person", "credential"),
    older=by_repr,
)
CHAIN = Table(
    "chain",
    {"number": int, "prev": bytes, "changed": str, "whole": int, "hash": bytes},
    key=("number",),
    older=by_repr,
)
"""`changed` is JSON: the digest of every row that was written, by its name, and null for a row that was dropped.
A `whole` link names all rows there are: the chain is read from the last one of that kind on."""

CHAINED = (CREDENTIAL, ROLE, VISIBLE, TRAIL, CODE, LINK, WEBHOOK)
"""The tables with rows that the chain of changes names. An answer that is lost only has a request carried out anew."""

ERASABLE: dict[Table, frozenset[str]] = {
    CREDENTIAL: frozenset({"name"}),
    LINK: frozenset({"name"}),
    WEBHOOK: frozenset({"description"}),
}
"""Columns that the chain says nothing of: with a digest of a row as it was, one could guess what was erased in it."""

migrations = Migrations("kifu.access")


@migrations(name="1: credentials, roles, visibility, trail")
def _create(db: Database) -> None:
    for table in (CREDENTIAL, ROLE, VISIBLE, TRAIL, CODE):
        table.create(db)
    for change in ("update", "delete"):
        db.execute(
            f"create trigger trail_no_{change} before {change} on {TRAIL} "
            f"begin select raise(abort, 'the trail is append-only'); end"
        )
    db.table("house").insert({"owner": str(uuid7()), "identity": uuid4().hex})


@migrations(name="2: answers, links")
def _add_answers_and_links(db: Database) -> None:
    for table in (ANSWER, LINK):
        table.create(db)


@migrations(name="3: webhooks")
def _add_webhooks(db: Database) -> None:
    WEBHOOK.create(db)


@migrations(name="4: what was read with credentials")
def _add_reads(db: Database) -> None:
    if "reads" not in db.table(str(CREDENTIAL)).columns_dict:
        db.execute(f"alter table {CREDENTIAL} add column reads text")


@migrations(name="5: the chain of changes")
def _add_chain(db: Database) -> None:
    CHAIN.create(db)


@migrations(name="6: checksums in ASCII")
def _sum_in_ascii(db: Database) -> None:
    """A row that is written from now on would not fit in an older release, which would drop it."""


def _salvage_owner(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    for (owner,) in old.execute("select owner from house where typeof(owner) = 'text'"):
        with suppress(ValueError):
            new.execute("update house set owner = ?", [str(UUID(owner))])


OWNERLESS = "it names no owner, or more than one"
"""What is wrong with a store that has no owner, or several."""


def _check_house(db: Statements) -> Iterator[str]:
    found = [tuple(map(type, row)) for row in db.execute("select owner, identity from house")]
    if found != [(str, str)]:
        yield OWNERLESS


_OLD_INDEXES = "credential_person credential_app role_game visible_number link_game webhook_person webhook_credential"
_HOUSE = f"""
create table if not exists house (one boolean primary key check (one), owner text not null, identity text not null,
generation bigint not null, schema integer not null);
insert into house values (true, '{uuid7()}', '{uuid4().hex}', 1, 0) on conflict (one) do nothing;
drop index if exists {", ".join([*_OLD_INDEXES.split(), "credential_digest", "link_digest"])}
"""
"""Whose it is, and a number that grows with every change: who changes something holds this row. Older releases called
the indexes otherwise."""

ACCESS = Definition(
    file="access.db",
    schema="kifu_access",
    tables=(CREDENTIAL, ROLE, VISIBLE, TRAIL, CODE, ANSWER, LINK, WEBHOOK, CHAIN),
    release=6,
    migrations=migrations,
    salvage=_salvage_owner,
    check=_check_house,
    append_only=(str(TRAIL), str(CHAIN)),
    shared={"house": _HOUSE},
    release_in=("house", "schema"),
)
