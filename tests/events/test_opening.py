from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlite_utils import Database

from events.errors import LogError, LogLockedError, LogNewerError, LogUnwritableError
from events.sqlite import SqliteLog, SqliteReader, verify
from events.sqlite.database import open_writer
from events.sqlite.tables import APPLICATION_ID, migrations
from tests import warm
from tests.events.stores import sqlite_alone
from tests.newer import make_newer

store = pytest.fixture(sqlite_alone)

ROOT = Path(__file__).parents[2]

HOLD = """
import sys, time
from events.sqlite import SqliteLog
log = SqliteLog(sys.argv[1])
print("open", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(path):
    """Another process that has the log open for writing."""
    with warm.Popen([sys.executable, "-c", HOLD, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


@pytest.mark.programs
def test_a_second_writing_process_is_told_who_holds_the_log(path, holder):
    with pytest.raises(LogLockedError, match=f"process {holder.pid} has the log"):
        SqliteLog(path)


@pytest.mark.programs
def test_a_killed_process_holds_nothing(path, holder, make):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with SqliteLog(path) as log:
        make.game(log)


@pytest.mark.programs
def test_a_reader_opens_beside_a_writing_process(path, holder):
    with SqliteReader(path) as reader:
        assert list(reader.feed()) == []


def test_a_second_log_in_this_process_is_refused_until_the_first_is_closed(path, log):
    with pytest.raises(LogLockedError, match="this process"):
        SqliteLog(path)
    log.close()
    SqliteLog(path).close()


def test_a_database_of_a_newer_release_is_left_alone(path, make):
    with SqliteLog(path) as log:
        game = make.game(log)
    schema = make_newer(path)
    for opened in (SqliteLog, SqliteReader):
        with pytest.raises(LogNewerError, match=f"schema {schema}, of a newer release"):
            opened(path)
    connection = sqlite3.connect(path)
    connection.execute("pragma user_version = 1")
    connection.close()
    with SqliteLog(path) as log:
        assert log.head(game).version == 1


def test_a_folder_that_is_no_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LogUnwritableError, match="file"):
        SqliteLog(tmp_path / "file" / "kifu.db")
    (tmp_path / "kifu.db").mkdir()
    with pytest.raises(LogUnwritableError, match=r"kifu\.db"):
        SqliteLog(tmp_path / "kifu.db")


OPEN_AS_NOBODY = """
import os, sys
from events.sqlite import SqliteLog, SqliteReader, verify
if os.geteuid() == 0:
    os.setuid(65534)
try:
    SqliteLog(sys.argv[1])
except Exception as error:
    print(type(error).__name__)
try:
    print(sum(1 for _ in SqliteReader(sys.argv[1]).feed()))
except Exception as error:
    print(type(error).__name__)
"""


@pytest.fixture
def path():
    """A log in a folder that everybody may come to: those of pytest are closed again by every other run of it."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "data" / "kifu.db"


@pytest.fixture
def as_nobody():
    """Open the log of a folder with these modes, for itself and its files, as somebody without rights."""

    def run(path, files, folder):
        for file in path.parent.iterdir():
            file.chmod(files)
        path.parent.chmod(folder)
        command = [sys.executable, "-c", OPEN_AS_NOBODY, str(path)]
        done = warm.run(command, cwd=ROOT, text=True)
        assert done.returncode == 0, done.stderr
        path.parent.chmod(0o755)
        return done.stdout.split()

    return run


@pytest.mark.parametrize("folder", [0o555, 0o777])
@pytest.mark.programs
def test_what_may_not_be_written_is_named_and_can_be_read(path, make, as_nobody, folder):
    with SqliteLog(path) as log:
        make.game(log, 3)
    assert as_nobody(path, 0o444, folder) == ["LogUnwritableError", "4"]


@pytest.mark.programs
def test_a_folder_that_may_not_be_written_is_named(path, as_nobody):
    path.parent.mkdir(exist_ok=True)
    assert as_nobody(path, 0o444, 0o555) == ["LogUnwritableError", "FileNotFoundError"]


def test_a_file_that_is_no_log_is_left_alone(tmp_path):
    text = tmp_path / "text.db"
    text.write_text("dear diary\n" * 1000)
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("create table things (id)")
    connection.close()
    before = text.read_bytes(), other.read_bytes()
    for path in (text, other):
        for opened in (SqliteLog, SqliteReader):
            with pytest.raises(LogError, match=path.name):
                opened(path)
    assert (text.read_bytes(), other.read_bytes()) == before


def test_a_reader_of_no_file_says_so(path):
    with pytest.raises(FileNotFoundError, match=r"kifu\.db"):
        SqliteReader(path)
    assert not path.exists()


def test_a_reader_reads_a_closed_log_and_writes_nothing(path, make):
    with SqliteLog(path) as log:
        game = make.game(log, 3)
        log.people.put(game, "Ada")
        events = list(log.feed())
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    with SqliteReader(path) as reader:
        assert list(reader.feed()) == events
        assert reader.head(game) == next(reader.heads())
        assert reader.people.all() == {game: "Ada"}
        for write in (
            lambda: reader.append(game, [make.move()], expected=4, recorder="owner"),
            lambda: reader.adopt([events[0][1]]),
            lambda: reader.accept_loss(game),
            lambda: reader.people.put(game, "Eve"),
            lambda: reader.people.erase(game),
        ):
            with pytest.raises(LogUnwritableError):
                write()
    assert {file: file.read_bytes() for file in before} == before


def test_the_database_itself_refuses_changes(path, log, make):
    game = make.game(log, 1)
    connection = sqlite3.connect(path)
    for statement in (
        "update event set recorder = 'x'",
        "delete from event",
        "update game set id = x'00'",
        "delete from game",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(statement)
    connection.close()
    assert log.head(game).version == 2


def test_a_disk_that_cannot_hold_a_write_ahead_log_is_named():
    """As a database in memory cannot: SQLite takes its path for that."""
    with pytest.raises(LogUnwritableError, match="the disk of :memory: cannot hold a write-ahead log"):
        open_writer(Path(":memory:"))


@pytest.mark.parametrize(
    ("setting", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("wal_autocheckpoint", 0), ("secure_delete", 1)],
)
def test_the_writer_waits_for_the_disk_checkpoints_when_told_and_overwrites_what_is_deleted(tmp_path, setting, value):
    with closing(open_writer(tmp_path / "kifu.db")) as connection:
        assert connection.execute(f"pragma {setting}").fetchone() == (value,)


@pytest.mark.parametrize("schema", [1, 2])
def test_a_log_of_an_older_release_says_what_to_do_until_it_was_opened_for_writing(path, schema):
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        names = [each.name for each in migrations.pending(Database(connection))]
        migrations.apply(Database(connection), stop_before=names[schema])
        connection.execute(f"pragma application_id = {APPLICATION_ID}")
        connection.execute(f"pragma user_version = {schema}")
    for opening in (verify, SqliteReader):
        with pytest.raises(LogError, match=f"schema {schema}, of an older release: start the service there once"):
            opening(path)
    SqliteLog(path).close()
    assert verify(path).sound
