"""What is PostgreSQL's own: many processes at once, rights, tables, and connections that are cut."""

from __future__ import annotations

import random
import re
import socket
import threading
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from events import ndjson
from events.errors import (
    DamagedError,
    LogError,
    LogNewerError,
    LogUnreachableError,
    LogUnwritableError,
    StaleVersionError,
)
from events.event import NewEvent
from events.postgres import PostgresLog, PostgresReader, calls, prepare, tables, timely, verify
from events.postgres import reader as reading
from events.postgres import writer as writing
from events.postgres.calls import Listener
from events.postgres.database import Database
from events.sqlite import SqliteLog
from tests import postgres as server
from tests.cases import cases
from tests.choosing import short_or_soak
from tests.events.stores import Lanes, Postgres
from tests.waiting import until

ROOT = Path(__file__).parents[2]
SENDER = Path(__file__).with_name("sender.py")


BOTH = pytest.mark.parametrize("store", [Postgres, Lanes], ids=["one lane", "four lanes"], indirect=True)
"""For a test of facts that hold for any number of lanes."""


@pytest.fixture
def store(request, postgres):
    opened = getattr(request, "param", Postgres)()
    yield opened
    opened.clean()


def name_of(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


@pytest.fixture
def superuser(path):
    """A connection of somebody who may do everything."""
    with psycopg.connect(server.url(name_of(path), "postgres"), autocommit=True) as connection:
        yield connection


def cut(superuser) -> int:
    """End all other connections to the database, as a server that restarts does; how many there were."""
    sql = "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() "
    return superuser.execute(sql + "and pid != pg_backend_pid()").fetchone()[0]


# The same as in SQLite


def test_an_export_has_the_same_bytes_and_the_game_goes_on_in_either_store(log, make, tmp_path):
    game = make.game(log, 40)
    exported = list(ndjson.export(log, game, now=0))
    with SqliteLog(tmp_path / "kifu.db") as other:
        other.adopt([ndjson.parse_event(line) for line in exported[1:]])
        assert list(ndjson.export(other, game, now=0)) == exported
        assert other.head(game) == log.head(game)
        more = other.append(game, make.moves(3), expected=41, recorder="owner")
        assert log.adopt(more.events).new == 3
        assert list(ndjson.export(log, game, now=0)) == list(ndjson.export(other, game, now=0))


# Many processes


def test_logs_of_several_processes_take_entries_of_one_game_by_turns(path, log, make):
    """Neither may believe what it remembers of a chain that the other has lengthened."""
    game = make.game(log)
    with PostgresLog(path) as other:
        for version in range(1, 20, 2):
            other.append(game, [make.move()], expected=version, recorder="b")
            with pytest.raises(StaleVersionError) as stale:
                log.append(game, [make.move()], expected=version, recorder="a")
            assert stale.value.head == version + 1
            log.append(game, [make.move()], expected=version + 1, recorder="a")
        assert list(other.read(game)) == list(log.read(game))
        assert other.head(game) == log.head(game)
    assert [event.recorder for event in log.read(game, 1)] == ["b", "a"] * 10
    assert verify(path).sound


def test_a_request_that_another_process_stored_is_answered_as_it_was_there(path, log, make):
    game, moves = make.id(), make.moves(3)
    opening = make.opening()
    first = log.append(game, [opening, *moves], expected=0, recorder="a")
    with PostgresLog(path) as other:
        again = other.append(game, [opening, *moves], expected=0, recorder="b")
        assert (again.events, again.new) == (first.events, 0)
        more = other.append(game, [*moves, make.move()], expected=1, recorder="b")
        assert more.new == 1
    assert log.head(game).version == 5


def test_a_process_that_is_not_alone_waits_for_the_lane_once_a_group(path, log, make, monkeypatch):
    """It locks the lane at once, where what it remembers would not do; when it is alone again, one statement does."""
    result, execute = [], psycopg.Connection.execute

    def listen(connection, query, *more, **named):
        result.append(str(query))
        return execute(connection, query, *more, **named)

    def statements(writer) -> list[str]:
        result.clear()
        game = games[writer]
        writer.append(game, [make.move()], expected=log.head(game).version, recorder="owner")
        return [each for each in result if "update kifu.lane" in each or "for update" in each]

    with PostgresLog(path) as other:
        games = {writer: make.game(writer) for writer in (log, other)}
        statements(log)
        monkeypatch.setattr(psycopg.Connection, "execute", listen)
        for _ in range(3):
            for writer in (other, log):
                lock, store = statements(writer)
                assert "for update" in lock
                assert "update kifu.lane" in store
        statements(log)
        (store,) = statements(log)
        assert "update kifu.lane" in store


def test_hosts_with_different_clocks_record_no_entry_before_the_one_before_it(path, make):
    noon = 1_800_000_000_000
    with PostgresLog(path, lambda: noon) as right, PostgresLog(path, lambda: noon - 3_600_000) as slow:
        game = make.game(right)
        for version in range(1, 7):
            log = (slow, right)[version % 2]
            log.append(game, [make.move()], expected=version, recorder="owner")
        other = make.game(slow)
        assert {event.recorded_at for event in right.read(game)} == {noon}
        assert next(right.read(other)).recorded_at == noon - 3_600_000
    assert verify(path).sound


@BOTH
@pytest.mark.slow
def test_a_reader_misses_nothing_while_processes_append_delay_and_roll_back(path, log, make, superuser):
    delayed_and_rolled_back(path, log, make, superuser, 2, 20)


@BOTH
@pytest.mark.soak
def test_a_reader_misses_nothing_for_a_long_time(path, log, make, superuser):
    delayed_and_rolled_back(path, log, make, superuser, 6, 400)


def delayed_and_rolled_back(path, log, make, superuser, each: int, count: int) -> None:
    """So many games of each of three processes get so many entries.

    The feed is read on and on, from the last position seen, while commits take their time and some come to nothing.

    With positions of a sequence, one that is given early and committed late is passed over for ever.
    """
    superuser.execute(
        """
        create function kifu.dawdle() returns trigger language plpgsql as $$ begin
            perform pg_sleep(random() * 0.004);
            if random() < 0.1 then raise exception 'rolled back' using errcode = '40001'; end if;
            return new;
        end $$;
        create constraint trigger dawdle after insert on kifu.event deferrable initially deferred
            for each row when (new.type = 'move.made') execute function kifu.dawdle();
        """
    )
    stored: list[str] = []

    def write(log: PostgresLog, game: str) -> None:
        version = 1
        for move in make.moves(count):
            while True:
                try:
                    version = log.append(game, [move], expected=version, recorder="owner").events[-1].version
                    stored.append(move.id)
                    break
                except LogError:
                    continue

    logs = [log, PostgresLog(path), PostgresLog(path)]
    threads = [threading.Thread(target=write, args=(process, make.game(log))) for process in logs * each]
    for thread in threads:
        thread.start()
    seen, position = [], 0
    with PostgresReader(path) as reader:
        while any(thread.is_alive() for thread in threads) or position < reader.position():
            for position, event in reader.feed(position):  # noqa: B020 - the cursor is where the feed was left
                seen.append((position, event))
    for other in logs[1:]:
        other.close()
    assert [position for position, _ in seen] == list(range(1, 3 * each * (count + 1) + 1))
    assert seen == list(log.feed())
    assert len(stored) == 3 * each * count
    assert set(stored) <= {event.id for _, event in seen}
    assert verify(path).sound


def test_a_waiter_hears_of_what_another_process_stores(path, log, make):
    with PostgresReader(path) as reader:
        threading.Timer(0.1, make.game, [log]).start()
        assert reader.wait(0, 20)
        assert not reader.wait(1, 0.05)


def test_one_look_serves_all_who_wait(path, log, monkeypatch):
    looks = []
    with PostgresReader(path) as reader:
        end = reader._order.end
        monkeypatch.setattr(reader._order, "end", lambda: (looks.append(1), end())[1])
        threads = [threading.Thread(target=reader.wait, args=(0, 0.4)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(looks) < 20 + 40  # one each at first; by themselves they would look 400 times


@BOTH
def test_one_that_waits_is_called_and_hardly_asks(path, log, make, monkeypatch):
    """It is woken long before it would look by itself, and asks twice for each entry of another process."""
    monkeypatch.setattr(reading, "SILENCE", 30.0)
    monkeypatch.setattr(reading, "SETTLED", 0.2)
    looks = []
    with PostgresReader(path) as reader:
        end = reader._order.end
        monkeypatch.setattr(reader._order, "end", lambda: (looks.append(1), end())[1])
        until(lambda: reader.wait(0, 0.05) or connected(reader))
        game = make.game(log)
        assert reader.wait(0, 10)
        time.sleep(0.3)
        looks.clear()
        threading.Timer(0.5, log.append, [game, make.moves(1)], {"expected": 1, "recorder": "owner"}).start()
        assert reader.wait(1, 10)
        assert len(looks) <= 6 + 20 * (len(log.lanes) > 1)


@BOTH
def test_one_that_looks_again_and_again_hardly_asks_and_hears_of_entries_and_erasures(path, log, make, monkeypatch):
    """It is what the read models, the tree and the streams of an idle host look at."""
    monkeypatch.setattr(reading, "SILENCE", 30.0)
    monkeypatch.setattr(reading, "SETTLED", 0.2)
    looks = []
    with PostgresReader(path) as reader:
        end = reader._order.end
        monkeypatch.setattr(reader._order, "end", lambda: (looks.append(1), end())[1])
        until(lambda: reader.wait(0, 0.05) or connected(reader))
        game = make.game(log)
        until(lambda: reader.recent_end() == (1, 0))
        note = NewEvent(id=make.id(), type="note.added", data={"text": "a secret"})
        log.append(game, [note], expected=1, recorder="owner")
        until(lambda: reader.recent_end() == (2, 0))
        log.erase(game, 2, "text", "ann")
        until(lambda: reader.recent_end() == (3, 1))
        time.sleep(0.3)
        reader.recent_end()
        looks.clear()
        for _ in range(100):
            assert reader.recent_end() == (3, 1)
        assert not looks


def connected(reader) -> bool:
    return bool(reader._listener and reader._listener.connected)


def test_one_that_waits_hears_again_after_its_connection_was_cut(path, log, make, superuser, monkeypatch):
    monkeypatch.setattr(calls, "RETRY", 0.05)
    with PostgresReader(path) as reader:
        until(lambda: reader.wait(0, 0.05) or connected(reader))
        assert cut(superuser)
        until(lambda: not connected(reader))
        until(lambda: reader.wait(0, 0.05) or connected(reader))
        threading.Timer(0.1, make.game, [log]).start()
        assert reader.wait(0, 20)


def test_one_that_may_not_listen_looks_often(path, log, make, monkeypatch):
    """So it is on a standby, and behind a pooler that passes no calls on."""
    monkeypatch.setattr(reading, "SILENCE", 60.0)
    monkeypatch.setattr(Listener, "_listen", lambda *_: None)
    with PostgresReader(path) as reader:
        threading.Timer(0.1, make.game, [log]).start()
        assert reader.wait(0, 20)


def test_a_reader_that_is_closed_while_it_listens_leaves_no_thread_and_no_file(path, log):
    files = len([*Path("/proc/self/fd").iterdir()])
    with PostgresReader(path) as reader:
        until(lambda: reader.wait(0, 0.05) or connected(reader))
        began = time.monotonic()
    assert time.monotonic() - began < 30
    until(lambda: all(thread.name != "listener" for thread in threading.enumerate()))
    until(lambda: len([*Path("/proc/self/fd").iterdir()]) <= files)


def test_nobody_holds_up_others_by_a_transaction_left_open(path, log, make, superuser):
    """A reader's old snapshot delays no feed; one that keeps the lane's lock is ended."""
    game = make.game(log)
    superuser.execute("begin isolation level repeatable read")
    superuser.execute("select count(*) from kifu.event")
    log.append(game, [make.move()], expected=1, recorder="owner")
    assert [event.version for _, event in log.feed()] == [1, 2]
    superuser.execute("rollback")


def test_a_process_that_goes_silent_while_it_stores_loses_the_lane(path, log, make, monkeypatch):
    """Its machine is cut off: nobody tells the server, which would wait for hours."""
    monkeypatch.setattr(writing, "IDLE_LOCK_TIMEOUT", 200)
    game = make.game(log)
    with psycopg.connect(path) as silent:
        silent.execute(writing._LOCK, (str(writing.IDLE_LOCK_TIMEOUT), tables.LANE))
        assert log.append(game, [make.move()], expected=1, recorder="owner").new == 1
        with pytest.raises(psycopg.Error):
            silent.execute("select 1")


def test_a_store_that_was_silent_is_found_to_answer_again_without_anybody_asking(
    path, log, make, superuser, monkeypatch
):
    game, move = make.game(log), make.move()
    superuser.execute("begin")
    superuser.execute("select from kifu.lane for update")
    with monkeypatch.context() as impatient:
        impatient.setattr(timely, "ANSWER_TIMEOUT", 0.2)
        with pytest.raises(LogUnreachableError, match="does not answer in time"):
            log.append(game, [move], expected=1, recorder="owner")
    assert "does not answer in time" in log.unwritable
    superuser.execute("rollback")
    until(lambda: not log.unwritable)
    log.append(game, [move], expected=1, recorder="owner")  # which may have been stored meanwhile
    assert [event.version for event in log.read(game)] == [1, 2]


# Connections that are cut


def test_an_idle_connection_that_was_cut_is_not_noticed(path, log, make, superuser):
    game = make.game(log)
    for version in range(1, 4):
        assert cut(superuser) > 0
        assert log.head(game).version == version
        assert cut(superuser) > 0
        assert log.append(game, [make.move()], expected=version, recorder="owner").new == 1
    log.people.put(game, "Ada")
    assert cut(superuser) > 0
    log.people.put(game, "Bo")
    assert cut(superuser) > 0
    assert log.people.name(game) == "Bo"


def test_a_host_of_the_url_that_went_silent_is_passed_over_while_somebody_waits(path):
    """A primary without power refuses nothing. Its first caller must not wait in vain."""
    parts = psycopg.conninfo.conninfo_to_dict(path)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hosts = f"host=127.0.0.1,{parts['host']}&port={silent.getsockname()[1]},5432&target_session_attrs=read-write"
        with closing(Database(f"postgresql://{parts['user']}@/{parts['dbname']}?{hosts}")) as database:
            assert database.query("select 1") == [(1,)]


def test_what_is_sent_while_connections_are_cut_is_stored_once(path, log, make, superuser):
    """In every state of the running statement, a request is answered, or asked to come again."""
    game, done = make.game(log), threading.Event()

    def saw() -> None:
        while not done.is_set():
            cut(superuser)
            time.sleep(random.uniform(0.01, 0.05))

    thread = threading.Thread(target=saw)
    thread.start()
    moves = make.moves(short_or_soak(20, 60))
    try:
        for version, move in enumerate(moves, 1):
            while True:
                try:
                    stored = log.append(game, [move], expected=version, recorder="owner").events
                    break
                except LogUnreachableError:
                    continue
            assert [(event.id, event.version) for event in stored] == [(move.id, version + 1)]
    finally:
        done.set()
        thread.join()
    assert [event.id for event in log.read(game, 1)] == [move.id for move in moves]
    assert verify(path).sound


def test_an_answer_that_was_lost_after_the_commit_is_found_again(path, log, make, monkeypatch):
    """The worst moment: it is stored, and the connection is cut before anybody hears of it."""
    insert = writing.Writer._insert
    lost = []

    def cut_after(self, connection, batch):
        stored = insert(self, connection, batch)
        if not lost:
            lost.append(1)
            connection.pgconn.finish()
            raise psycopg.OperationalError("the connection was cut")
        return stored

    game, heard = make.game(log), []
    log.subscribe(heard.append)
    monkeypatch.setattr(writing.Writer, "_insert", cut_after)
    moves = make.moves(2)
    answer = log.append(game, moves, expected=1, recorder="owner")
    assert lost == [1]
    assert [event.id for event in answer.events] == [move.id for move in moves]
    assert log.append(game, [make.move()], expected=3, recorder="owner").new == 1
    assert log.head(game).version == 4


def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path):
    with pytest.raises(LogUnreachableError) as error:
        PostgresReader(f"postgresql://ann:secret@/kifu?host={tmp_path}")
    assert str(tmp_path) in str(error.value)
    assert "secret" not in str(error.value)


@cases("url", ["", "mysql://a/b", "host=secret", "postgresql://%zz"])
def test_what_is_no_url_of_a_database_is_refused_without_repeating_it(url):
    with pytest.raises(LogError, match="not a URL like") as error:
        PostgresReader(url)
    assert "secret" not in str(error.value)


# Rights


@pytest.mark.parametrize(
    "statement",
    [
        "update kifu.event set data = data",
        "update kifu.event set hash = hash where version = 2",
        "update kifu.event set seq = seq + 1",
        "delete from kifu.event",
        "truncate kifu.event",
        "truncate kifu.game, kifu.event",
        "delete from kifu.game",
        "update kifu.game set id = gen_random_uuid()",
        "update kifu.game set opened = 0",
        "delete from kifu.lane",
    ],
)
@pytest.mark.parametrize("user", [server.ROLE, "postgres"])
def test_nobody_changes_what_is_stored(path, log, make, statement, user):
    """The role of the service has no right to it, and a role with all rights is refused by a trigger."""
    make.game(log, 3)
    with psycopg.connect(server.url(name_of(path), user), autocommit=True) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)
        assert connection.execute("select count(*) from kifu.event").fetchone() == (4,)


@pytest.fixture
def stranger(superuser):
    """A role that owns nothing."""
    role = f"service_{name_of(superuser.info.dsn)}"
    superuser.execute(f"create role {role} login")
    yield role
    superuser.execute(f"drop owned by {role}")
    superuser.execute(f"drop role {role}")


@pytest.mark.empty_database
def test_a_role_that_was_let_in_can_do_all_that_a_service_does_and_no_more(path, make, superuser, stranger):
    other = server.url(name_of(path), stranger)
    with pytest.raises(LogUnwritableError):
        PostgresLog(other)
    with pytest.raises(LogError, match="nobody"):
        prepare(path, "nobody")
    prepare(path, stranger)
    prepare(path, stranger)
    with PostgresLog(other) as log:
        game = log.append(make.id(), [make.opening(title="secret")], expected=0, recorder="a").events[0].game
        log.append(game, make.moves(2), expected=1, recorder="a")
        log.people.put(game, "Ada")
        assert log.people.erase(game)
        log.components.put("kahuna", "mine", {})
        assert log.components.remove("kahuna", "mine")
        log.erase(game, 1, "text", "ann")
        assert log.head(game).version == 4
    with psycopg.connect(other, autocommit=True) as connection:
        for statement in ("update kifu.event set data = data", "delete from kifu.event", "drop table kifu.event"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


# Tables


def test_tables_of_a_newer_release_are_left_alone(path, make, superuser):
    with PostgresLog(path) as log:
        make.game(log)
    superuser.execute("update kifu.log set schema = schema + 1")
    for opened in (PostgresLog, PostgresReader, verify):
        with pytest.raises(LogNewerError, match=f"this one knows {tables.SCHEMA}"):
            opened(path)


@pytest.mark.empty_database
def test_a_reader_of_an_empty_database_says_so(path):
    with pytest.raises(FileNotFoundError):
        PostgresReader(path)
    with pytest.raises(FileNotFoundError):
        verify(path)


@pytest.mark.empty_database
def test_processes_that_begin_a_log_together_make_one(path, make):
    barrier, logs = threading.Barrier(4), []

    def begin() -> None:
        barrier.wait()
        logs.append(PostgresLog(path))

    threads = [threading.Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for log in logs:
        make.game(log)
    assert logs[0].position() == 4
    for log in logs:
        log.close()


def test_a_database_that_acknowledges_before_it_is_safe_is_refused(path, superuser):
    superuser.execute(f"alter database {name_of(path)} set synchronous_commit = off")
    try:
        with pytest.raises(LogError, match="not on disk"):
            PostgresLog(path)
    finally:
        superuser.execute(f"alter database {name_of(path)} reset synchronous_commit")


def test_every_key_and_every_statement_on_records_carries_the_lane(path, log, superuser):
    """So that the tables can be spread over many machines by it."""
    keys = superuser.execute(
        """
        select c.relname, i.relname, a.attname from pg_index x join pg_class c on c.oid = x.indrelid
        join pg_class i on i.oid = x.indexrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
        where c.relnamespace = 'kifu'::regnamespace and c.relname in ('event', 'game', 'lane')
        """
    ).fetchall()  # stretches of the feed are over all lanes, and made behind the appends
    assert len(keys) == 6
    assert {column for _, _, column in keys} == {"lane"}
    source = "".join(file.read_text() for file in (ROOT / "events/postgres").glob("*.py") if file.stem != "tables")
    statements = re.findall(r'"""[^"]*"""|"[^"\n]*"', source)
    about = re.compile(r"(SELECT|MARKS|kifu\.(event|game)).* where ", re.DOTALL)
    conditions = list(filter(about.search, statements))
    assert len(conditions) > 8
    assert [found for found in conditions if "lane" not in found] == []


# Loss


def test_an_entry_without_a_game_is_found(path, log, make, tamper):
    make.game(log, 5)
    tamper("delete from game where number = 1")
    (problem,) = verify(path).problems
    assert "6 entries belong to no game" in problem.why


def test_a_game_without_any_of_its_entries_is_not_opened_again(path, make, tamper):
    with PostgresLog(path) as log:
        game = make.game(log, 3)
        make.game(log)
        tamper("delete from event where game = 1")
        with PostgresLog(path) as other, pytest.raises(DamagedError):
            other.append(game, [make.opening()], expected=0, recorder="owner")
        log._writer(game)._chains.clear()
        with pytest.raises(DamagedError):
            log.append(game, [make.opening()], expected=0, recorder="owner")


def test_a_hole_in_the_feed_is_told_and_passed_over(path, log, make, tamper, caplog):
    lost, sound = make.game(log, 3), make.game(log, 2)
    tamper("delete from event where game = 1 and version > 2")
    assert [(position, event.game) for position, event in log.feed()] == [
        *((position, lost) for position in (1, 2)),
        *((position, sound) for position in (5, 6, 7)),
    ]
    assert "2 entries after position 2 are missing" in caplog.text
    assert log.damage[lost].version == 3


def test_a_host_of_an_older_release_cannot_leave_a_name_with_the_checksum_of_another(path, log, make, superuser):
    """It goes on beside this release until it is restarted. A name that it gives to somebody new has no checksum."""
    ada, bo = make.id(), make.id()
    log.people.put(ada, "Ada")
    put = "insert into kifu.person (id, name) values (%s, %s) on conflict (id) do update set name = excluded.name"
    superuser.execute(put, (ada, "Ada"))
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="older release cannot change a name"):
        superuser.execute(put, (ada, "Adb"))
    superuser.execute(put, (bo, "Bo"))
    superuser.execute(put, (bo, "Bob"))
    assert log.people.names([ada, bo]) == {ada: "Ada", bo: "Bob"}
    assert log.people.unreadable() == []


def test_names_and_components_of_an_older_release_get_checksums(path, make, superuser):
    ada = make.id()
    with PostgresLog(path) as log:
        log.people.put(ada, "Ada")
        log.components.put("kahuna", "mine", {})
        log.people.merge(merged := make.id(), ada, by="x")
    superuser.execute("alter table kifu.merge drop column checksum")
    for table in ("person", "component"):
        for what in ("gets", "keeps"):
            superuser.execute(f"drop trigger {table}_{what}_checksum on kifu.{table}")
        superuser.execute(f"alter table kifu.{table} drop column checksum")
    superuser.execute("drop function kifu.refuse_old_checksum(), kifu.note_checksum()")
    superuser.execute("update kifu.log set schema = 7")
    with PostgresLog(path) as log:
        assert (log.people.unreadable(), log.components.unreadable()) == ([], [])
        assert superuser.execute("select count(*) from kifu.person where checksum is null").fetchone() == (0,)
        assert superuser.execute("select count(*) from kifu.component where checksum is null").fetchone() == (0,)
        assert superuser.execute("select count(*) from kifu.merge where checksum is null").fetchone() == (0,)
        assert log.people.merges().final_id(merged) == ada
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            superuser.execute("update kifu.merge set by = 'y'")
        old_host = "insert into kifu.merge select coalesce(max(number), 0) + 1, %s, %s, %s, %s from kifu.merge"
        superuser.execute(old_host, (ada, late := make.id(), 1, "x"))
        assert (log.people.merges().final_id(merged), log.people.damaged_merges()) == (late, [])
        log.people.split(ada, by="x")
        log.people.put(ada, "Ada L.")
        assert log.people.name(ada) == "Ada L."


def test_older_tables_of_somebody_else_are_named_with_what_to_do(path, superuser, stranger, make):
    with PostgresLog(path) as log:
        make.game(log, 2)
    prepare(path, stranger)
    superuser.execute(f"update kifu.log set schema = {tables.SCHEMA - 1}")
    with pytest.raises(
        LogUnwritableError, match=f"schema {tables.SCHEMA - 1}, of an older release: run `kifu prepare-database"
    ):
        PostgresLog(server.url(name_of(path), stranger))


# The databases of these tests


def test_a_database_that_a_test_used_or_spoilt_is_as_after_a_first_start(postgres, make, tmp_path):
    store = Postgres()
    store.databases = server.Databases()
    first = store.place(tmp_path)
    for harm in ("update event set data = ''", "drop trigger event_no_update on kifu.event"):
        with PostgresLog(first) as log:
            log.people.put(make.game(log, 3), "Ada")
        store.tamper(first, harm)
        store.clean()
        assert store.place(tmp_path) == first
        with PostgresLog(first) as log:
            assert (log.position(), list(log.heads()), log.people.all()) == (0, [], {})
            make.game(log, 3)
        assert verify(first).sound
        superuser = psycopg.connect(server.url(name_of(first), "postgres"))
        with superuser, pytest.raises(psycopg.errors.InsufficientPrivilege):
            superuser.execute("update kifu.event set data = ''")
    store.clean()
