"""A tiny example of a new store in Kifu: its tables and its statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.databases.definition import Definition, Table
from events.databases.opening import open_database

if TYPE_CHECKING:
    from pathlib import Path

CLUB = Table("club", {"id": str, "name": str, "since": int}, key=("id",), indexes=("name",))
MEMBER = Table("member", {"club": str, "person": str}, key=("club", "person"), beside={"seen": "integer"})
CLUBS = Definition(file="clubs.db", schema="kifu_clubs", tables=(CLUB, MEMBER))


class Clubs:
    """The clubs of a data folder, or of all hosts that share a database. Raises `LogError`."""

    def __init__(self, folder: Path, database_url: str = "") -> None:
        self.db = open_database(CLUBS, folder, database_url, proved=True)

    def found(self, id_: str, name: str, since: int, members: list[str]) -> None:
        with self.db.transaction() as db:
            CLUB.put(db, (id_, name, since))
            for person in members:
                MEMBER.put(db, (id_, person))

    def rename(self, id_: str, name: str) -> bool:
        with self.db.transaction() as db:
            return CLUB.change(db, {"name": name}, "id = ?", [id_]) > 0

    def names(self) -> dict[str, str]:
        return {id_: name for id_, name, _, _ in CLUB.rows(self.db, "order by id")}

    def members(self, club: str) -> set[str]:
        return {person for _, person, _ in MEMBER.rows(self.db, "where club = ?", [club])}

    def close(self) -> None:
        self.db.close()
