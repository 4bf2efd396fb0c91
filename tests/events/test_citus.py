"""A log on a cluster: the places of lanes, the servers that an append asks, and the order across machines."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg
import pytest
from click.testing import CliRunner

from events.errors import LogError, LogUnreachableError
from events.postgres import PostgresLog, RoutedLog, distributed, prepare, verify
from events.sqlite import SqliteLog
from service import moving
from service.cli.commands import kifu
from tests import citus
from tests.citus import MISSING, Node, as_superuser, cluster
from tests.events.stores import LANES, Citus
from tests.events.test_lanes import in_lanes, name_of
from tests.postgres import ROLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.event import NewEvent
    from events.log import Log
    from tests.events.conftest import Maker

pytestmark = pytest.mark.skipif(not cluster(), reason=MISSING)


@pytest.fixture
def store() -> Iterator[Citus]:
    opened = Citus()
    yield opened
    opened.clean()


def shards(path: str) -> list[tuple[str, int, str]]:
    """The parts of the distributed tables: the table, the port of its worker, the name of the part."""
    sql = "select table_name::text, nodeport, shard_name from citus_shards where citus_table_type = 'distributed'"
    with psycopg.connect(citus.of(name_of(path))) as connection:
        return connection.execute(sql).fetchall()


# What is made


def test_the_command_says_what_it_did(store, tmp_path):
    store.databases.give_back(database := store.databases.take())
    environment = {"KIFU_DATA": str(tmp_path), "KIFU_DATABASE_URL": citus.of(database)}
    assert store.databases.take() == database
    store._taken.append(database)
    one = CliRunner().invoke(kifu, ["prepare-database", ROLE], env=environment)
    assert one.exit_code == 0, one.output
    assert "all tables stay on the coordinator" in " ".join(one.stdout.split())
    with psycopg.connect(citus.of(database)) as connection:
        assert not distributed.is_spread(connection)
    with PostgresLog(citus.of(database, ROLE)) as log:
        assert list(log.lanes) == [0]
    store.databases.give_back(database)
    assert store.databases.take() == database
    for _ in range(2):
        many = CliRunner().invoke(kifu, ["prepare-database", ROLE, "--lanes", "4"], env=environment)
        assert many.exit_code == 0, many.output
        assert "4 lanes with their games and entries are distributed over 2 workers" in " ".join(many.stdout.split())


def test_lanes_games_and_entries_lie_on_workers_and_nothing_else_does(path, log):
    found = shards(path)
    assert {table for table, _, _ in found} == {"kifu.lane", "kifu.game", "kifu.event"}
    assert len({port for _, port, _ in found}) > 1
    for table in ("kifu.lane", "kifu.game", "kifu.event"):
        assert sum(each == table for each, _, _ in found) == LANES * distributed.SHARDS_A_LANE


def test_no_part_of_an_entry_can_be_changed_on_any_worker(path, log, make):
    """By the role of the service, through the coordinator and on the workers themselves."""
    for game in in_lanes(log, make):
        log.append(game, make.moves(2), expected=1, recorder="owner")
    url = psycopg.conninfo.conninfo_to_dict(path)
    changes = [
        "update {event} set data = 'x'",
        "update {event} set moment = 0",
        "delete from {event}",
        "truncate {event}",
    ]
    for table, port, shard in [("kifu.event", url["port"], "kifu.event"), *shards(path)]:
        if table == "kifu.event":
            with psycopg.connect(**url | {"port": port}, autocommit=True) as connection:
                connection.execute("set citus.override_table_visibility = off")
                connection.execute("set citus.enable_manual_changes_to_shards = on")
                for change in changes:
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        connection.execute(change.format(event=shard if "." in shard else f"kifu.{shard}"))
    assert verify(path).sound


def test_tables_that_were_distributed_by_hand_are_refused(store):
    database = store.databases.take()
    store._taken.append(database)
    prepare(citus.of(database), ROLE)
    with psycopg.connect(citus.of(database), autocommit=True) as connection:
        connection.execute("set citus.enable_unsafe_triggers = on")
        for table in ("lane", "game", "event"):
            connection.execute(f"select create_distributed_table('kifu.{table}', 'lane')")
    with pytest.raises(LogError, match="distributed by hand"):
        PostgresLog(citus.of(database, ROLE))


def test_a_standby_is_refused(path, log):
    with pytest.raises(LogError, match="no standbys to read from"):
        RoutedLog(path, path)


def test_a_worker_that_acknowledges_before_it_is_safe_is_refused(path):
    nodes = [Node(port) for port in {port for _, port, _ in shards(path)}]
    database = name_of(path)
    for node in nodes:
        node.do(f'alter database "{database}" set synchronous_commit = off')
    try:
        with pytest.raises(LogError, match="not on disk"):
            PostgresLog(path)
    finally:
        for node in nodes:
            node.do(f'alter database "{database}" reset synchronous_commit')


# Appending


def test_an_append_goes_to_one_worker_alone(path, log, make):
    """In one transaction of that worker: nothing is prepared, and no other worker has to be there."""
    notices = list[str]()
    games = in_lanes(log, make)
    with psycopg.connect(path, autocommit=True) as connection:
        connection.add_notice_handler(
            lambda notice: notices.append(f"{notice.message_primary} {notice.message_detail}")
        )
        connection.execute("set citus.log_remote_commands = on")
        connection.execute("set client_min_messages = notice")
        for lane, game in enumerate(games):
            head = connection.execute("select head from kifu.lane where lane = %s", (lane,)).fetchone()[0]
            log.append(game, [make.move()], expected=1, recorder="owner")
            batch = {name: [] if kind.endswith("[]") else 0 for name, kind in distributed._PARAMETERS.items()}
            notices.clear()
            assert not distributed.store(connection, batch | {"lane": lane, "from": head + 1, "to": head + 1})
            assert len(notices) == 1
            assert "kifu.append" in notices[0]


@pytest.mark.soak
def test_lanes_of_workers_that_are_there_go_on_without_the_others(path, make):
    """Only the lanes of the worker that is away stand still."""
    by_lane = {}
    with psycopg.connect(citus.of(name_of(path))) as connection:
        for lane in range(LANES):
            sql = """
                select nodeport from citus_shards where table_name = 'kifu.lane'::regclass
                and shardid = get_shard_id_for_distribution_column('kifu.lane', %s::smallint)
            """
            by_lane[lane] = connection.execute(sql, (lane,)).fetchone()[0]
    away = by_lane[0]
    if set(by_lane.values()) == {away}:
        pytest.skip("all lanes fell to one worker")
    with PostgresLog(path) as log:
        games = in_lanes(log, make)
        node = Node(away)
        node.kill()
        try:
            for lane, game in enumerate(games):
                if by_lane[lane] == away:
                    with pytest.raises(LogUnreachableError):
                        log.append(game, [make.move()], expected=1, recorder="owner")
                else:
                    assert log.append(game, [make.move()], expected=1, recorder="owner").new == 1
        finally:
            node.start()


# The order


def test_an_earlier_acknowledged_entry_comes_first_on_every_host_and_worker(path, log, make):
    """While somebody arranges all the time: an order that was read from workers one after the other would be wrong."""
    ended = threading.Event()

    def look() -> None:
        with PostgresLog(path) as reader:
            while not ended.is_set():
                reader.position()

    looking = [threading.Thread(target=look) for _ in range(2)]
    for each in looking:
        each.start()
    try:
        with PostgresLog(path) as other:
            games = in_lanes(log, make)
            sent = [(game, 1) for game in games]
            for version in range(1, 25):
                for game in random.sample(games, LANES):
                    random.choice((log, other)).append(game, [make.move()], expected=version, recorder="owner")
                    sent.append((game, version + 1))
    finally:
        ended.set()
        for each in looking:
            each.join()
    assert [(event.game, event.version) for _, event in log.feed()] == sent
    assert verify(path).sound


def test_a_coordinator_that_knows_fewer_numbers_than_entries_have_keeps_no_reader_waiting(path, log, make):
    """It was restored from an older copy than a worker. What had no place yet comes first."""
    games = in_lanes(log, make)
    assert log.position() == LANES
    log.append(games[1], [make.move()], expected=1, recorder="owner")
    as_superuser(name_of(path), "update kifu.event set moment = moment + 1000000 where lane = 1 and seq = 2")
    log.append(games[0], [make.move()], expected=1, recorder="owner")
    assert [(event.game, event.version) for _, event in log.feed(LANES)] == [(games[1], 2), (games[0], 2)]
    assert set(log.lane_lags().values()) == {0}


# Moving


def test_a_log_moves_to_a_cluster_and_back_with_all_its_places(path, make, tmp_path):
    with SqliteLog(tmp_path / "kifu.db") as source, PostgresLog(path) as lanes:
        games = in_lanes(source, make)
        for version in range(1, 12):
            for game in games[: version % LANES + 1]:
                source.append(game, [make.move()], expected=source.head(game).version, recorder="owner")
            if version == 6:
                assert moving.copy(source, lanes) > 0
        moving.complete(source, lanes)
        assert list(lanes.feed()) == list(source.feed())
        for game in games:
            lanes.append(game, [make.move()], expected=lanes.head(game).version, recorder="owner")
        with SqliteLog(tmp_path / "back.db") as back:
            moving.complete(lanes, back)
            assert list(back.feed()) == list(lanes.feed())
    assert verify(path).sound


# The long form


class Recorder(threading.Thread):
    """Records games in all lanes, one entry after the other, each again until it is acknowledged."""

    def __init__(self, log: Log, make: Maker, games: list[str], ended: threading.Event) -> None:
        super().__init__(daemon=True)
        self.log, self.make, self.games, self.ended = log, make, games, ended
        self.acknowledged: list[tuple[str, float, float]] = []
        """The id, when it was sent first, and when it was acknowledged."""
        self.failed = 0

    def run(self) -> None:
        version = 0
        while not self.ended.is_set():
            for game in self.games:
                event: NewEvent = self.make.opening() if version == 0 else self.make.move()
                sent = time.monotonic()
                while True:
                    with suppress(LogError):
                        self.log.append(game, [event], expected=version, recorder="owner")
                        break
                    self.failed += 1
                    time.sleep(0.1)
                self.acknowledged.append((event.id, sent, time.monotonic()))
            version += 1


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_nothing_acknowledged_is_lost_doubled_or_moved_by_kills_of_any_node(path, make):
    """Two hosts record in all lanes, somebody reads, and the workers and the coordinator are killed by turns.

    It ends the servers of the cluster at their process ids, and starts them again: they have to be on this machine.
    """
    ended = threading.Event()
    nodes = [Node(port) for port in sorted({port for _, port, _ in shards(path)} | {citus.port()})]
    with PostgresLog(path) as one, PostgresLog(path) as other:
        recorders = [Recorder(log, make, in_lanes(log, make, ()), ended) for log in (one, other, one, other)]
        for recorder in recorders:
            recorder.start()
        for kill in range(18):
            time.sleep(random.uniform(1, 4))
            node = nodes[kill % len(nodes)]
            node.kill()
            time.sleep(random.uniform(0, 1))
            node.start()
            with suppress(LogError):
                one.position()
        ended.set()
        for recorder in recorders:
            recorder.join(120)
            assert not recorder.is_alive()
        assert sum(recorder.failed for recorder in recorders) > 0
        acknowledged = {id_: times for recorder in recorders for id_, *times in recorder.acknowledged}
        fed = [event.id for _, event in other.feed()]
    assert len(fed) == len(set(fed))
    assert acknowledged.keys() == set(fed)
    latest = 0.0
    for id_ in fed:
        sent, at = acknowledged[id_]
        assert at > latest, "something that was sent after its answer came before it"
        latest = max(latest, sent)
    assert verify(path).sound
