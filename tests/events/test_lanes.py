"""Several lanes in PostgreSQL: each commits by itself, and the feed is one all the same."""

from __future__ import annotations

import random
import re
import threading
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from events.errors import IdReusedError, LogDamagedError, LogError, LogUnreachableError, StaleVersionError
from events.event import NewEvent
from events.lanes import lane_of, number_of
from events.postgres import PostgresLog, PostgresReader, order, prepare, tables, together, verify
from events.sqlite import SqliteLog
from events.tree.tree import Tree
from service import moving
from service.cli.commands import kifu
from tests.choosing import short_or_soak, soak_except
from tests.events.stores import LANES, Lanes
from tests.events.test_tree import leaves, root_of
from tests.postgres import ROLE, as_superuser, url

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(postgres):
    opened = Lanes()
    yield opened
    opened.clean()


def name_of(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


def in_lanes(log, make, lanes=range(LANES)) -> list[str]:
    """A game in each lane."""
    games = {}
    while len(games) < LANES:
        game = make.id()
        games.setdefault(lane_of(game, LANES), game)
    for lane in lanes:
        log.append(games[lane], [make.opening()], expected=0, recorder="owner")
    return [games[lane] for lane in range(LANES)]


def read_only(path: str) -> str:
    """The URL of a database in which nothing can be written, as if it were that of a standby."""
    return f"{path}&options=-c%20default_transaction_read_only%3Don"


def test_the_lane_of_a_game_is_the_same_for_ever():
    """It is stored with the game, and looked for there by every release."""
    assert number_of("018f0000-0000-7000-8000-000000000000") == 0xAC94
    assert [lane_of("018f0000-0000-7000-8000-000000000000", lanes) for lanes in (1, 2, 3, 4, 16)] == [0, 0, 2, 0, 4]


# The order of the feed


def test_entries_of_all_lanes_come_in_the_order_of_their_commits(log, make):
    """Also if nobody looked meanwhile, and one was erased since, which is a newer transaction's row from then on."""
    games = in_lanes(log, make)
    for version in range(1, 4):
        for game in reversed(games):
            note = NewEvent(id=make.id(), type="note.added", data={"text": "a note"})
            log.append(game, [note], expected=version, recorder="owner")
    log.erase(games[2], 2, "text", "ann")
    expected = [*((game, 1) for game in games), *((game, v) for v in range(2, 5) for game in reversed(games))]
    found = [(event.game, event.version) for _, event in log.feed()]
    assert [each for each in found if each[0] != games[2]] == [each for each in expected if each[0] != games[2]]
    assert [version for game, version in found if game == games[2]] == [1, 2, 3, 4, 5]


def test_a_lane_with_more_than_is_arranged_at_once_is_not_overtaken(log, make, monkeypatch):
    """What was acknowledged after all of its entries comes after them, although they get their places in parts."""
    games = in_lanes(log, make)
    assert log.position() == LANES
    log.append(games[0], make.moves(10), expected=1, recorder="owner")
    for version in range(11, 15):
        log.append(games[0], [make.move()], expected=version, recorder="owner")
    log.append(games[2], make.moves(2), expected=1, recorder="owner")
    monkeypatch.setattr(order, "ARRANGED_AT_ONCE", 3)
    later = [(event.game, event.version) for _, event in log.feed(LANES)]
    assert later == [*((games[0], version) for version in range(2, 16)), (games[2], 2), (games[2], 3)]


def test_what_had_no_place_when_a_log_was_restored_comes_first(path, log, make):
    """On a server that has not given so many numbers yet, as after a dump. It holds up nothing that comes after it."""
    games = in_lanes(log, make)
    assert log.position() == LANES
    log.append(games[1], [make.move()], expected=1, recorder="owner")
    as_superuser(name_of(path), "update kifu.event set moment = moment + 1000000 where lane = 1 and seq = 2")
    for game, version in ((games[0], 1), (games[1], 2), (games[0], 2)):
        log.append(game, [make.move()], expected=version, recorder="owner")
    later = [(event.game, event.version) for _, event in log.feed(LANES)]
    assert later == [(games[1], 2), (games[0], 2), (games[1], 3), (games[0], 3)]


_OLDER = (
    "drop function kifu.note_checksum(), kifu.refuse_old_checksum() cascade",
    "alter table kifu.person drop column checksum",
    "alter table kifu.component drop column checksum",
    "alter table kifu.merge drop column checksum",
    "drop function kifu.arrange(integer), kifu.extend(smallint[])",
    "alter table kifu.stretch rename to newer",
    "alter index kifu.stretch_pkey rename to newer_pkey",
    """
    create table kifu.stretch (
        lane smallint not null, seq bigint not null, position bigint not null unique, length bigint not null,
        primary key (lane, seq)
    )
    """,
    """
    insert into kifu.stretch select lane, max(seq), max(place), count(*) from (
        select *, place - seq as run from (
            select first + nth as place, lane,
            heads[lane + 1] + row_number() over (partition by first, lane order by nth) as seq
            from kifu.newer, unnest(lanes) with ordinality as of_place (lane, nth)
        ) as entry
    ) as entry group by lane, run
    """,
    "drop table kifu.newer",
    "drop function kifu.heads_after(bigint[], smallint[]), kifu.refuse_other_places()",
    """
    create trigger stretch_no_change before update or delete or truncate on kifu.stretch
    for each statement execute function kifu.refuse()
    """,
    "update kifu.log set schema = 6",
)
"""Makes the tables what they were in schema 6: each run of entries of one lane was a row."""


def test_a_log_of_an_older_release_keeps_the_order_of_what_had_no_place_yet(path, make):
    """Its entries were ordered by their transactions: they get their places before the tables are changed."""
    with PostgresLog(path) as log:
        games = in_lanes(log, make)
        for version in range(1, 4):
            for game in reversed(games):
                log.append(game, [make.move()], expected=version, recorder="owner")
    older = (
        "alter table kifu.event drop column moment cascade",
        "alter table kifu.log drop column distributed",
        tables._ARRANGE_BY_TRANSACTIONS,
        "update kifu.log set schema = 5",
    )
    as_superuser(name_of(path), *_OLDER, *older)
    prepare(url(name_of(path), "postgres"), ROLE)
    with PostgresLog(path) as log:
        log.append(games[3], [make.move()], expected=4, recorder="owner")
        expected = [(game, 1) for game in games] + [(game, v) for v in range(2, 5) for game in reversed(games)]
        assert [(event.game, event.version) for _, event in log.feed()] == [*expected, (games[3], 5)]
    assert verify(path).sound


@pytest.mark.parametrize("size", soak_except([1, 3, tables.STRETCH, tables.STRETCH + 1], 1, 3, tables.STRETCH + 1))
def test_a_log_of_an_older_release_keeps_all_places(path, make, size):
    """Runs of all lengths, also longer than a stretch; what had no place yet comes after them."""
    with PostgresLog(path) as log:
        games = in_lanes(log, make)
        for turn in range(3):
            for game in random.Random(turn).sample(games, LANES):
                log.append(game, make.moves(size), expected=log.head(game).version, recorder="owner")
        before = list(log.feed())
        log.append(games[2], [make.move()], expected=log.head(games[2]).version, recorder="owner")
    as_superuser(name_of(path), *_OLDER)
    prepare(url(name_of(path), "postgres"), ROLE)
    with PostgresLog(path) as log:
        assert list(log.feed())[:-1] == before
        for place, event in before[:: 1 + size // 16]:
            assert log.position_of(event.game, event.version)[0] == place
        assert list(log.heads()) == list(map(log.head, games))
    assert verify(path).sound


def test_older_stretches_with_a_gap_are_not_taken_over(path, make):
    """Places would move up, and cursors and the tree would be wrong."""
    with PostgresLog(path) as log:
        in_lanes(log, make)
        assert log.position() == LANES
    as_superuser(name_of(path), *_OLDER, "delete from kifu.stretch where position = 2")
    with pytest.raises(LogDamagedError, match="do not follow one another after position 1"):
        prepare(url(name_of(path), "postgres"), ROLE)


def test_single_appends_take_few_rows_of_the_order(path, log, make):
    """Also if somebody looks after each of them, and the lanes take turns. Each entry leads to its place."""
    games = in_lanes(log, make)
    versions = short_or_soak(tables.STRETCH // 2, tables.STRETCH)
    for version in range(1, versions):
        for game in random.Random(version).sample(games, LANES):
            log.append(game, [make.move()], expected=version, recorder="owner")
            log.position()
    entries = LANES * versions
    with psycopg.connect(path) as connection:
        rows = connection.execute("select first, cardinality(lanes) from kifu.stretch order by first").fetchall()
    assert rows == [(tables.STRETCH * number, tables.STRETCH) for number in range(entries // tables.STRETCH)]
    feed = list(log.feed())
    assert [place for place, _ in feed] == list(range(1, entries + 1))
    for place, event in feed[:: entries // 50]:
        assert log.position_of(event.game, event.version)[0] == place
    for after in (tables.STRETCH - 1, tables.STRETCH, tables.STRETCH + 1):
        assert list(log.feed(after, 3)) == feed[after : after + 3]
    assert verify(path).sound


def test_the_order_once_given_stays(path, log, make, monkeypatch):
    """Places are given once, without a gap, for any batch size and any reader."""
    monkeypatch.setattr(order, "ARRANGED_AT_ONCE", 3)
    games, seen = in_lanes(log, make), []
    with PostgresReader(path) as reader:
        for version in range(1, 20, 3):
            for game in games:
                log.append(game, make.moves(3), expected=version, recorder="owner")
            whole = list((log, reader)[version % 2].feed())
            assert whole[: len(seen)] == seen
            assert [position for position, _ in whole] == list(range(1, len(whole) + 1))
            seen = whole
    assert len(seen) == LANES * 22
    assert verify(path).sound


def test_readers_at_the_same_time_give_each_entry_one_place(path, log, make):
    games = in_lanes(log, make)
    barrier, found = threading.Barrier(8), []

    def look() -> None:
        with PostgresReader(path) as reader:
            barrier.wait()
            found.append(list(reader.feed()))

    for version in range(1, 40):
        for game in games:
            log.append(game, [make.move()], expected=version, recorder="owner")
    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each == found[0] for each in found)
    assert [position for position, _ in found[0]] == list(range(1, LANES * 40 + 1))


def test_who_cannot_write_follows_the_feed_as_far_as_others_have_put_it_in_order(path, log, make):
    games = in_lanes(log, make)
    assert log.position() == LANES
    with PostgresReader(read_only(path)) as standby:
        assert len(list(standby.feed())) == LANES
        log.append(games[2], make.moves(5), expected=1, recorder="owner")
        assert (standby.position(), standby.wait(LANES, 0.05), len(list(standby.feed()))) == (LANES, False, LANES)
        assert standby.lane_lags() == {0: 0, 1: 0, 2: 5, 3: 0}
        assert len(list(standby.read(games[2]))) == 6
        with pytest.raises(LogUnreachableError, match="its place yet"):
            standby.position_of(games[2], 6)
        assert log.position() == LANES + 5
        assert standby.position_of(games[2], 6) == log.position_of(games[2], 6)
        assert list(standby.feed()) == list(log.feed())
        assert standby.lane_lags() == dict.fromkeys(range(LANES), 0)


def test_the_tree_and_receipts_are_over_the_feed_of_all_lanes(path, log, make, tmp_path):
    games = in_lanes(log, make)
    tree = Tree(tmp_path, log, grows=True)
    for version in range(1, 10):
        for game in games:
            log.append(game, [make.move()], expected=version, recorder="owner")
        tree.grow()
    whole = list(log.feed())
    assert (tree.size, tree.checkpoint().checkpoint.root) == (LANES * 10, root_of(leaves(log)))
    for position, event in whole:
        assert log.position_of(event.game, event.version) == (position, bytes.fromhex(event.hash))


# Each lane by itself


def test_a_lane_that_is_held_holds_no_other_one_up(path, log, make):
    games = in_lanes(log, make)
    with psycopg.connect(path) as holding:
        holding.execute("select from kifu.lane where lane = 1 for update")
        stuck = threading.Thread(
            target=log.append, args=(games[1], [make.move()]), kwargs={"expected": 1, "recorder": "a"}
        )
        stuck.start()
        for version in range(1, 4):
            for game in (games[0], *games[2:]):
                assert log.append(game, [make.move()], expected=version, recorder="owner").new == 1
        assert stuck.is_alive()
        assert log.position() == LANES + 9
    stuck.join()
    assert log.position() == LANES + 10


def test_what_an_append_says_is_about_the_lane_of_its_game_alone(path, log, make, monkeypatch):
    """Whether it is alone or not: a transaction of one lane is one of one machine, where tables are spread by it."""
    result, execute = [], psycopg.Connection.execute

    def listen(connection, query, parameters=(), **named):
        result.append((str(query), parameters))
        return execute(connection, query, parameters, **named)

    with PostgresLog(path) as other:
        games = in_lanes(log, make)
        monkeypatch.setattr(psycopg.Connection, "execute", listen)
        for lane, game in enumerate(games):
            for version, (writer, count) in enumerate(((log, 1), (other, 1), (other, 1), (log, 1)), 1):
                result.clear()
                writer.append(game, make.moves(count), expected=version, recorder="owner")
                about = [(query, parameters) for query, parameters in result if "kifu." in query]
                assert about
                for query, parameters in about:
                    tables = set(re.findall(r"kifu\.(\w+)", query))
                    assert tables <= {"lane", "game", "event"}
                    given = parameters if isinstance(parameters, dict) else dict(enumerate(parameters))
                    assert given["lane"] == lane if "lane" in given else lane in given.values()
                    for part in re.split(r"\b(?=where|on conflict|insert into)", query)[1:]:
                        assert re.search(r"\blane\b", part)


def test_an_id_that_comes_again_in_a_game_of_another_lane_is_that_games_own(path, log, make):
    """Ids are unique within a lane: both are found, and each answered again as it was."""
    one, two, *_ = in_lanes(log, make)
    move = make.move()
    first = log.append(one, [move], expected=1, recorder="owner").events[0]
    second = log.append(two, [move], expected=1, recorder="owner").events[0]
    for game, stored in ((one, first), (two, second)):
        assert log.find(move.id, game) == stored
        assert log.append(game, [move], expected=1, recorder="owner").events == (stored,)
    assert log.find(move.id) in (first, second)
    beside = make.game(log, beside=one)
    with pytest.raises(IdReusedError):
        log.append(beside, [move], expected=1, recorder="owner")
    with pytest.raises(StaleVersionError):
        log.append(one, [make.move()], expected=1, recorder="owner")


# How many there are


def test_the_number_of_lanes_is_fixed_when_the_tables_are_made(path, log, make):
    prepare(path, ROLE)
    prepare(path, ROLE, LANES)
    with pytest.raises(LogError, match="made with 4 lanes, not 2"):
        prepare(path, ROLE, 2)
    for change in ("insert into kifu.lane (lane) values (4)", "delete from kifu.lane where lane > 2"):
        as_superuser(name_of(path), change)
        for opened in (PostgresLog, PostgresReader, verify):
            with pytest.raises(LogError, match="made with lanes 0 to 3, and has"):
                opened(path)


# Moving


def test_a_log_moves_to_lanes_and_back_with_all_its_places(path, make, tmp_path):
    """Also if it is copied in parts, and goes on in between: cursors and the tree stay what they are."""
    with SqliteLog(tmp_path / "kifu.db") as source, PostgresLog(path) as lanes:
        games = in_lanes(source, make)
        for version in range(1, 30):
            for game in games[: version % LANES + 1]:
                source.append(game, [make.move()], expected=source.head(game).version, recorder="owner")
            if version % 10 == 0:
                assert moving.copy(source, lanes) > 0
        moving.complete(source, lanes)
        assert list(lanes.feed()) == list(source.feed())
        assert list(lanes.heads()) == list(source.heads())
        for game in games:
            lanes.append(game, [make.move()], expected=lanes.head(game).version, recorder="owner")
        with SqliteLog(tmp_path / "back.db") as back:
            moving.complete(lanes, back)
            assert list(back.feed()) == list(lanes.feed())
            total = back.position()
    report = verify(path)
    assert (report.sound, report.games, report.events) == (True, LANES, total)


def test_a_log_with_one_id_in_two_lanes_is_refused_before_anything_is_copied(path, log, make, tmp_path):
    one, two, *_ = in_lanes(log, make)
    move, folder = make.move(), tmp_path / "folder"
    for game in (one, two):
        assert log.repeated_id() is None
        log.append(game, [move], expected=1, recorder="owner")
    assert log.repeated_id() == (move.id, [one, two])
    for words in (["move", "--to", str(folder), "--copy"], ["backup", str(folder)]):
        result = CliRunner().invoke(kifu, words, env={"KIFU_DATA": str(tmp_path / "data"), "KIFU_DATABASE_URL": path})
        assert result.exit_code != 0
        for each in (move.id, one, two, "nothing was copied"):
            assert each in " ".join(result.stderr.split())
        assert not folder.exists()


def test_a_copy_with_a_lost_answer_is_stored_once_in_its_place(path, make, tmp_path, monkeypatch):
    place, lost = together._place, []

    def cut(connection, *more):
        place(connection, *more)
        if not lost:
            lost.append(1)
            connection.execute("commit")
            connection.pgconn.finish()
            raise psycopg.OperationalError("the connection was cut")

    monkeypatch.setattr(together, "_place", cut)
    with SqliteLog(tmp_path / "kifu.db") as source, PostgresLog(path) as lanes:
        for game in in_lanes(source, make) * 3:
            source.append(game, [make.move()], expected=source.head(game).version, recorder="owner")
        moving.complete(source, lanes)
        assert lost == [1]
        assert list(lanes.feed()) == list(source.feed())


# What is wrong


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("update kifu.stretch set first = first + 1", "do not follow one another"),
        ("update kifu.stretch set heads = '{0, 0, 1, 0}'", "do not follow one another"),
        ("update kifu.stretch set heads = '{0, 0, 0}'", "do not follow one another"),
        ("update kifu.stretch set lanes = lanes || 2::smallint", "do not follow one another"),
        ("update kifu.stretch set lanes = '{0, 1, 4, 3}'", "do not follow one another"),
        ("update kifu.stretch set lanes = '{0, 1, null, 3}'", "do not follow one another"),
        ("insert into kifu.stretch values (5, '{1, 1, 1, 1}', '{}')", "do not follow one another"),
        ("insert into kifu.stretch values (4, '{1, 1, 0, 1}', '{}')", "do not follow one another"),
        (
            "update kifu.game set lane = 1 where lane = 0; update kifu.event set lane = 1, seq = 9 where lane = 0",
            "lies in lane 1",
        ),
    ],
)
def test_an_order_that_was_changed_is_noticed(path, log, make, change, why):
    in_lanes(log, make)
    log.position()
    assert verify(path).sound
    as_superuser(name_of(path), change)
    assert any(why in problem.why for problem in verify(path).problems)


@pytest.mark.parametrize(
    "what",
    [
        "update kifu.stretch set first = 1",
        "update kifu.stretch set heads = '{1, 1, 1, 1}'",
        "update kifu.stretch set lanes = '{1, 0, 2, 3}'",
        "update kifu.stretch set lanes = '{0, 1, 2}'",
        "update kifu.stretch set lanes = '{0, 1, 2, null, 3}'",
        "delete from kifu.stretch",
        "truncate kifu.stretch",
    ],
)
def test_nobody_changes_the_order(path, log, make, what):
    """Neither the service's role can, nor the owner of the tables: triggers hold for the owner, too."""
    in_lanes(log, make)
    log.position()
    for role in (ROLE, "postgres"):
        place, refused = url(name_of(path), role), pytest.raises(psycopg.errors.InsufficientPrivilege)
        with psycopg.connect(place, autocommit=True) as connection, refused:
            connection.execute(what)


def test_lost_entries_keep_their_places(path, log, make):
    """Also those that had none yet: what comes after them is fed, and their games are damaged."""
    games = in_lanes(log, make)
    for version in range(1, 3):
        for game in games:
            log.append(game, make.moves(2), expected=2 * version - 1, recorder="owner")
    whole = [event for game in games for event in log.read(game)]
    as_superuser(
        name_of(path), "delete from kifu.event where lane = 0 and seq > 3", "delete from kifu.event where lane = 1"
    )
    with PostgresReader(path) as reader:
        fed = list(reader.feed())
        assert reader.position() == len(whole)
        assert [event for game in games for _, event in fed if event.game == game] == [
            event for event in whole if (lane := lane_of(event.game, LANES)) > 1 or (lane == 0 and event.version < 4)
        ]
        assert set(reader.damage) == set(games[:2])
        assert len(list(reader.hashes())) == len(fed)
