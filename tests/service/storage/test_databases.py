"""Every registered small database, and a tiny one that is added here, through all damage that files and tables take.

What a store gives back after it is what was written, or less. It opens, proves and takes new rows again.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import sys
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import psycopg
import pytest

from events.databases import copying, repair
from events.databases.checksums import checksum
from events.databases.file_database import FileDatabase
from events.databases.files import prove
from events.databases.opening import open_database
from events.databases.shared import SharedDatabase, prepare, prove_shared
from events.errors import LogError, LogFullError, LogNewerError
from events.sqlite.files import BESIDE, files_of
from service import databases
from service.access.file import SqliteStore, contradictions
from service.access.tables import ACCESS
from service.app import create_app
from service.databases import DATABASES, Registered
from service.settings import Settings
from service.webhooks.deliveries import WEBHOOKS, Deliveries
from tests import postgres as server
from tests import warm
from tests.choosing import short_or_soak, soak_except
from tests.newer import make_newer
from tests.service.cli.conftest import Kifu
from tests.service.clubs import CLUB, CLUBS, Clubs
from tests.service.conftest import Api
from workers.analyses import Analyses
from workers.results import WORK, Results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.databases.definition import Definition, Table
    from events.databases.rows import Database, Rows

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "databases"
CASES = (*DATABASES, Registered(CLUBS))
ROWS = 40
Facts = set[tuple[Any, ...]]

each_database = pytest.mark.parametrize("registered", CASES, ids=lambda case: case.definition.file)


def row_of(table: Table, number: int) -> tuple[Any, ...]:
    """A row that is unlike all others of its table, and refers to the rows of the same number in others."""
    made = {str: f"text {number} " + "あ" * 20, int: number * 7 + 1, bytes: number.to_bytes(2) * 16}
    return tuple(made[kind] for kind in table.columns.values())


def fill(database: Database, definition: Definition, numbers: range = range(1, ROWS)) -> None:
    with database.transaction() as db:
        for table in definition.tables:
            for number in numbers:
                table.add(db, row_of(table, number))


def _early(definition: Definition) -> Facts:
    """The rows that were written before the write-ahead log was begun."""
    return {row_of(table, number) for table in definition.tables for number in range(1, ROWS // 2)}


def facts(database: Rows, definition: Definition) -> Facts:
    """All that a store would believe."""
    return {(table.name, *row[:-1]) for table in definition.tables for row in table.rows(database)}


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.definition.file)
def killed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Registered, Path, Facts]:
    """The files of a service that was killed, and all that was written: half of it is in the write-ahead log alone."""
    registered: Registered = request.param
    served, kept = (tmp_path_factory.mktemp(name) for name in ("served", "killed"))
    half = ROWS // 2
    with closing(FileDatabase(registered.definition, served)) as database:
        fill(database, registered.definition, range(1, half))
        database.wipe()
        fill(database, registered.definition, range(half, ROWS))
        for path in files_of(served / registered.definition.file):
            shutil.copyfile(path, kept / path.name)
        return registered, kept, facts(database, registered.definition)


@each_database
@pytest.mark.parametrize("proved", [False, True])
def test_a_sound_file_is_opened_once_and_once_more_to_prove_it(
    registered: Registered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, proved: bool
) -> None:
    open_database(registered.definition, tmp_path).close()
    opened, connect = list[object](), sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **more: opened.append(path) or connect(path, **more))
    with closing(open_database(registered.definition, tmp_path, proved=proved)) as database:
        assert facts(database, registered.definition) == set()
    assert len(opened) == 1 + proved


# Damage


def flip(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def cut(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(path.stat().st_size))


def overwrite(path: Path, chance: random.Random) -> None:
    with path.open("r+b") as file:
        file.seek(chance.randrange(path.stat().st_size))
        file.write(chance.randbytes(chance.choice([1, 64, 512, 4096])))


def remove(path: Path, chance: random.Random) -> None:
    path.unlink()


def scribble(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(20_000))


def check_after(registered: Registered, folder: Path, written: Facts) -> Facts:
    """Open a database that may be damaged; what it still has."""
    definition = registered.definition
    early = _early(definition)
    whole = (set(), {row for row in written if row[1:] in early}, written)
    with closing(open_database(definition, folder, proved=True)) as database:
        found = facts(database, definition)
        assert found <= written, "nothing is believed that was not written"
        if definition.loss == "resent":
            assert found in whole, "what was told is known as it was at one moment, or not at all"
        fill(database, definition, range(1000, 1001))
    assert list(prove(definition, folder / definition.file)) == []
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [1, pytest.param(40, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])])
@pytest.mark.parametrize("damage", [flip, cut, overwrite, remove, scribble])
def test_after_any_damage_nothing_false_is_believed_and_work_goes_on(
    killed: tuple[Registered, Path, Facts], tmp_path: Path, damage: Callable[[Path, random.Random], None], seeds: int
) -> None:
    registered, kept, written = killed
    definition, kept_all = registered.definition, 0
    for seed in range(seeds):
        for rest in ("", *BESIDE):
            chance, folder = random.Random(f"{seed}{rest}"), tmp_path / f"{seed}{rest}"
            shutil.copytree(kept, folder)
            damage(folder / f"{definition.file}{rest}", chance)
            found = check_after(registered, folder, written)
            kept_all += found == written
            if not rest and damage is not remove and found != written:
                assert bool(registered.loss(folder)) == (definition.loss == "lost"), "a loss is told"
            assert (folder / definition.aside_name).exists() <= (not definition.is_derived)
    assert kept_all, "some damage harms nothing"


@pytest.mark.slow
def test_flipped_bits_cost_the_rows_that_they_hit_and_no_others(
    killed: tuple[Registered, Path, Facts], tmp_path: Path
) -> None:
    registered, kept, written = killed
    if registered.definition.loss == "resent":
        pytest.skip("its rows are believed as a whole")
    least = len(written)
    for seed in range(short_or_soak(8, 20)):
        folder = tmp_path / str(seed)
        shutil.copytree(kept, folder)
        flip(folder / registered.definition.file, random.Random(seed))
        least = min(least, len(check_after(registered, folder, written)))
    assert least > len(written) // 2


def test_a_bit_that_flips_under_a_running_process_is_never_believed(
    killed: tuple[Registered, Path, Facts], tmp_path: Path
) -> None:
    registered, kept, written = killed
    definition = registered.definition
    for seed in range(20):
        folder = tmp_path / str(seed)
        shutil.copytree(kept, folder)
        path = folder / definition.file
        flip(path, random.Random(seed))
        try:
            with closing(open_database(definition, folder)) as database:
                assert facts(database, definition) <= written
        except LogError:
            assert not definition.is_derived, "a derived one is made anew by anybody"


@pytest.mark.programs
@pytest.mark.parametrize(
    ("killed", "point"),
    soak_except(
        product(CASES, repair.POINTS),
        *((CASES[0], point) for point in repair.POINTS),
        *((case, repair.POINTS[0]) for case in CASES),
    ),
    indirect=["killed"],
    ids=lambda of: of.definition.file if isinstance(of, Registered) else of,
)
def test_a_repair_that_is_killed_is_finished_at_the_next_start(
    killed: tuple[Registered, Path, Facts], tmp_path: Path, point: str
) -> None:
    registered, kept, written = killed
    definition, found = registered.definition, []
    for name in ("killed", "whole"):
        folder = tmp_path / name
        shutil.copytree(kept, folder)
        with closing(sqlite3.connect(folder / definition.file, isolation_level=None)) as db:
            table = definition.tables[0]
            db.execute(f"update {table} set checksum = checksum + 1 where rowid = 3")
        if name == "killed":
            code = (
                "import sys; from pathlib import Path\n"
                "from tests.service.storage.test_databases import CASES, FileDatabase\n"
                "(case,) = (case for case in CASES if case.definition.file == sys.argv[2])\n"
                "FileDatabase(case.definition, Path(sys.argv[1]), proved=True)"
            )
            command = [sys.executable, "-c", code, str(folder), definition.file]
            ended = warm.run(command, env=os.environ | {"KIFU_FAILPOINT": point}, cwd=ROOT)
            assert ended.returncode == -signal.SIGKILL
        found.append(check_after(registered, folder, written))
    assert found[0] == found[1]
    assert sorted(path.name for path in (tmp_path / "killed").iterdir() if path.suffix in {".new", ".mended"}) == []


@each_database
def test_an_empty_file_is_a_loss_only_where_rows_are_lost_for_good(registered: Registered, tmp_path: Path) -> None:
    (tmp_path / registered.definition.file).touch()
    assert check_after(registered, tmp_path, set()) == set()
    assert bool(registered.loss(tmp_path)) == (registered.definition.loss == "lost")


@each_database
def test_what_a_newer_release_has_made_is_refused_and_left_alone(registered: Registered, tmp_path: Path) -> None:
    definition, path = registered.definition, tmp_path / registered.definition.file
    FileDatabase(definition, tmp_path).close()
    schema = make_newer(path)
    before = path.read_bytes()
    with pytest.raises(LogNewerError, match=rf"{definition.file} has schema {schema}"):
        open_database(definition, tmp_path, proved=True)
    assert list(prove(definition, path)) == []
    assert path.read_bytes() == before


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file grows beyond a size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_takes_nothing_by_halves_and_loses_nothing(
    killed: tuple[Registered, Path, Facts], tmp_path: Path
) -> None:
    registered, kept, written = killed
    definition, folder = registered.definition, tmp_path / "data"
    shutil.copytree(kept, folder)
    with closing(open_database(definition, folder)) as database:
        with full_disk((folder / f"{definition.file}-wal").stat().st_size + 2048), pytest.raises(LogFullError):
            fill(database, definition, range(2000, 2200))
        assert facts(database, definition) == written
        fill(database, definition, range(2000, 2001))


@each_database
def test_a_repair_without_room_changes_nothing_and_is_made_later(registered: Registered, tmp_path: Path) -> None:
    definition = registered.definition
    with closing(FileDatabase(definition, tmp_path)) as database:
        fill(database, definition)
        written = facts(database, definition)
        database.wipe()
    path = tmp_path / definition.file
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"update {definition.tables[0]} set checksum = checksum + 1 where rowid = 3")
    before = path.read_bytes()
    with full_disk(8192), pytest.raises(LogFullError):
        open_database(definition, tmp_path, proved=True)
    assert path.read_bytes() == before
    assert len(check_after(registered, tmp_path, written)) == (0 if definition.loss == "resent" else len(written) - 1)


@each_database
def test_a_copy_beside_a_writer_is_whole_and_what_is_derived_is_not_copied(
    registered: Registered, tmp_path: Path
) -> None:
    definition, target = registered.definition, tmp_path / "copy"
    target.mkdir()
    with closing(FileDatabase(definition, tmp_path)) as database:
        fill(database, definition)
        registered.back_up(tmp_path, target)
        fill(database, definition, range(500, 501))
    assert (target / definition.file).exists() == (not definition.is_derived)
    with closing(FileDatabase(definition, target, proved=True)) as copied:
        assert len(facts(copied, definition)) == (0 if definition.is_derived else (ROWS - 1) * len(definition.tables))
    assert registered.loss(target) is None


@each_database
def test_no_byte_is_left_of_what_is_wiped(registered: Registered, tmp_path: Path) -> None:
    definition = registered.definition
    with closing(FileDatabase(definition, tmp_path)) as database:
        fill(database, definition)
        assert any(b"text 7 " in path.read_bytes() for path in tmp_path.iterdir())
        names = [str(table) for table in definition.tables if str(table) not in definition.append_only]
        for name in reversed(names):
            database.execute(f"delete from {name}")
        database.wipe(*names)
        left = sum(path.read_bytes().count(b"text 7 ") for path in tmp_path.iterdir())
        if not definition.append_only:
            assert left == 0


@each_database
def test_a_file_that_was_taken_away_is_noticed(registered: Registered, tmp_path: Path) -> None:
    definition, path = registered.definition, tmp_path / registered.definition.file
    with closing(FileDatabase(definition, tmp_path)) as database:
        assert database.replaced_file == ""
        path.rename(tmp_path / "elsewhere")
        assert database.replaced_file == ("" if definition.is_derived else definition.file)
        if definition.is_derived:
            fill(database, definition)
            assert path.exists(), "what is derived goes on in a new file"


# Both engines


@pytest.fixture
def kifu(tmp_path: Path) -> Kifu:
    return Kifu(tmp_path / "data")


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("database")) if request.param == "postgres" else ""


def name_of(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


@each_database
def test_rows_are_kept_changed_and_given_back_alike(registered: Registered, place: str, tmp_path: Path) -> None:
    definition = registered.definition
    with closing(open_database(definition, tmp_path, place)) as database:
        fill(database, definition)
        written = facts(database, definition)
        assert len(written) == (ROWS - 1) * len(definition.tables)
        with pytest.raises(LogError):
            fill(database, definition, range(99, 0, -1))  # until it comes to rows that are there
        with database.consistent_read() as rows:
            assert facts(rows, definition) == written
        table = definition.tables[-1]
        if str(table) not in definition.append_only:
            column = [name for name, kind in table.columns.items() if kind is str and name not in table.key][-1:]
            changed = database.run(lambda db: table.change(db, dict.fromkeys(column, "other"), "true"))
            assert changed == ROWS - 1
            assert len(facts(database, definition) & written) == len(written) - (ROWS - 1) * len(column)
        database.wipe(*map(str, definition.tables))


@each_database
@pytest.mark.empty_database
def test_rows_move_from_a_folder_to_a_database_and_back(registered: Registered, database: str, tmp_path: Path) -> None:
    definition, (one, two) = registered.definition, (tmp_path / "one", tmp_path / "two")
    for folder in (one, two):
        folder.mkdir()
    with (
        closing(FileDatabase(definition, one)) as first,
        closing(SharedDatabase(definition, database)) as shared,
        closing(FileDatabase(definition, two)) as last,
    ):
        fill(first, definition)
        copying.transfer(definition, first, shared)
        copying.transfer(definition, shared, last)
        for each in (shared, last):
            assert facts(each, definition) == facts(first, definition)
            fill(each, definition, range(700, 701))
        copying.transfer(definition, first, shared)
        assert len(facts(shared, definition)) == ROWS * len(definition.tables), "rows that are there stay"


@each_database
def test_a_row_in_a_database_that_is_not_what_was_written_is_named_and_not_believed(
    registered: Registered, database: str
) -> None:
    definition = registered.definition
    with closing(SharedDatabase(definition, database)) as shared:
        fill(shared, definition)
        written = facts(shared, definition)
        assert list(prove_shared(definition, database)) == []
        table = definition.tables[0]
        column = next(name for name in table.columns if name not in table.key)
        where = f"{table.key[0]} = (select min({table.key[0]}) from {definition.schema}.{table})"
        server.as_superuser(
            name_of(database),
            f'update {definition.schema}.{table} set "{column}" = null where {where}',
        )
        assert len(facts(shared, definition)) == len(written) - 1
        (finding,) = prove_shared(definition, database)
        assert f"a row of {table} is not what was written" in finding


@each_database
def test_tables_of_a_newer_release_are_refused(registered: Registered, database: str) -> None:
    definition = registered.definition
    prepare(definition, database)
    table, column = definition.release_in
    server.as_superuser(name_of(database), f"update {definition.schema}.{table} set {column} = 99")
    with pytest.raises(LogNewerError, match=f"the tables {definition.schema} have schema 99"):
        SharedDatabase(definition, database)


# A store that is added


def test_a_store_that_is_added_lives_from_its_first_day(place: str, tmp_path: Path) -> None:
    with closing(Clubs(tmp_path, place)) as clubs:
        clubs.found("a", "いろは", 1, ["p", "q"])
        clubs.found("b", "Clube do Porto", 2, ["p"])
        assert clubs.rename("b", "Porto")
        assert not clubs.rename("c", "nobody")
    with closing(Clubs(tmp_path, place)) as clubs:
        assert clubs.names() == {"a": "いろは", "b": "Porto"}
        assert clubs.members("a") == {"p", "q"}


def test_what_a_service_does_with_all_databases_it_does_with_one_that_is_added(
    kifu: Kifu, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(databases, "DATABASES", CASES)
    kifu.play()
    with closing(Clubs(kifu.data)) as clubs:
        for number in range(ROWS):
            clubs.found(str(number), f"club {number}", number, [])
    assert kifu.run("backup", str(tmp_path / "copy")).exit_code == 0
    with closing(Clubs(tmp_path / "copy")) as copied:
        assert len(copied.names()) == ROWS
    with closing(sqlite3.connect(kifu.data / CLUBS.file, isolation_level=None)) as db:
        db.execute(f"update {CLUB} set name = 'somebody else''s' where id = '7'")
    assert "clubs.db (the rest still works): a row of club is not what was written: 7" in said(kifu)
    with closing(Clubs(kifu.data)) as clubs:
        assert clubs.names().keys() == {str(number) for number in range(ROWS)} - {"7"}
    assert "clubs.db was damaged and is set aside as clubs.db.damaged" in said(kifu)
    app = create_app(Settings(data=kifu.data))
    try:
        api = Api(app)
        health = api.get("/v1/health").get_json()
        assert (health["status"], health["access"], health["lost"].keys()) == ("database-damaged", None, {CLUBS.file})
        api.token = None
        assert api.get("/v1/health").get_json()["lost"] == {}
    finally:
        app.close()


def said(kifu: Kifu) -> str:
    found = kifu.run("verify")
    assert found.exit_code == 1
    return " ".join(found.output.split())


# Rows of an older release


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A data folder as the release wrote it that had a formula for each store."""
    for path in GOLDEN.glob("*.sql"):
        with closing(sqlite3.connect(tmp_path / f"{path.stem}.db")) as db:
            db.executescript(path.read_text(encoding="utf-8"))
    shutil.copyfile(GOLDEN / "access.head", tmp_path / "access.head")
    return tmp_path


def proved(folder: Path) -> list[str]:
    return [finding for case in DATABASES for finding in prove(case.definition, folder / case.definition.file)]


def test_a_folder_of_an_older_release_opens_and_proves(older: Path) -> None:
    assert proved(older) == []
    with closing(SqliteStore(older)) as access:
        assert access.stopped == ""
        (phone,) = access.credentials()
        assert (phone.name, phone.used) == ("居間の電話", 20000)
        assert access.find(b"2" * 32).ended is not None  # type: ignore[union-attr]
        (link,), (webhook,) = access.links(), access.webhooks()
        assert (link.name, link.opened, webhook.description) == ("Cão", 1, "クラブ")
        assert [code.person for code in access.codes("login")] == [phone.person]
        assert len([*access.trail(0, 99)]) == 8
        assert access.roles(phone.person).games.keys() == {link.game}
        access.relabel(str.upper)
    with closing(Results(older, proved=True)) as results:
        assert results.cursor() == (7, "cd" * 32)
        (snapshot,) = results.find_snapshots(link.game, None, 9)
        assert (snapshot.version, snapshot.audit.scores) == (5, [1, 2])
        analyses = Analyses(results)
        done, going = sorted(analyses.of_game(link.game, None, 9), key=lambda each: each.status)
        assert (done.status, done.data, going.status) == ("done", '{"standings":["あ"]}', "running")
        assert analyses.results_of_units("record", ["piece-1"]) == {"piece-1": {"a": [1, "あ"]}}
        analyses.finish(going.id, {"later": 1})
        assert results.count_letters() == 1
    with closing(Deliveries(older, proved=True)) as deliveries:
        (cursor,) = deliveries.cursors()
        assert (cursor.endpoint, cursor.position) == ("w1", 9)
        result = deliveries.list_deliveries("w1", None, None, 9)
        assert [(each.number, each.type, each.attempts) for each in result] == [
            (2, "webhook.test", 0),
            (1, "game.appended", 1),
        ]
    assert proved(older) == []
    assert list(contradictions(older, databases.NOTHING)) == []
    assert list(older.glob("*.damaged")) == []


@pytest.mark.parametrize("case", DATABASES, ids=lambda case: case.definition.file)
def test_a_damaged_file_of_an_older_release_is_named_and_repaired(older: Path, case: Registered) -> None:
    path, definition = older / case.definition.file, case.definition
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute(
            "select rootpage from sqlite_schema where name = ?", [str(definition.tables[0])]
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 64)
    assert list(prove(definition, path)) != []
    with closing(open_database(definition, older, proved=True)) as database:
        fill(database, definition, range(50, 60))
    assert proved(older) == []


@pytest.mark.parametrize(
    ("definition", "change"),
    [
        (ACCESS, "update credential set name = 'other' where id = 'c1'"),
        (WORK, "update result set over = 1"),
        (WORK, "update piece set data = '{}'"),
    ],
)
def test_a_row_of_an_older_release_is_proved_by_its_formula(older: Path, definition: Definition, change: str) -> None:
    if definition is ACCESS:
        SqliteStore(older).close()  # which brings it up to this release
    with closing(sqlite3.connect(older / definition.file, isolation_level=None)) as db:
        db.execute(change)
    (finding,) = prove(definition, older / definition.file)
    assert "is not what was written" in finding


def test_deliveries_of_an_older_release_are_summed_when_they_are_opened(older: Path) -> None:
    Deliveries(older).close()
    with closing(sqlite3.connect(older / WEBHOOKS.file, isolation_level=None)) as db:
        db.execute("update cursor set position = 10")
    (finding,) = prove(WEBHOOKS, older / WEBHOOKS.file)
    assert finding == "a row of cursor is not what was written: w1, 10, " + "01" * 32 + ", None"


def test_a_checksum_is_the_same_under_every_version_of_python() -> None:
    """All characters are escaped: one version prints those of Unicode 15 that another one escapes."""
    assert checksum(["居\U0001fae8", 7, None, b"\0"]) == crc32(rb"('\u5c45\U0001fae8', 7, None, b'\x00')")
