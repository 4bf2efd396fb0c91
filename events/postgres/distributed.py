"""A log on a cluster of Citus: its lanes lie on the workers, and everything else on the coordinator.

Hosts talk to the coordinator alone. Lanes, games and entries are distributed by lane, together. So an append concerns
one worker, which carries it out as a function (`kifu.append`). As the statements of other databases it would go through
all workers, in two phases. The order over all lanes needs numbers that one server gives (`kifu.arrange`): the
coordinator gives one before each append, in a transaction of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from psycopg import sql

from events.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from psycopg import Connection

SHARDS_A_LANE = 2
"""Parts of the tables, for each lane. Lanes fall into them by chance, and a worker holds several parts."""

_TABLES = ("lane", "game", "event")

_PARAMETERS = {
    "lane": "smallint",
    "from": "bigint",
    "to": "bigint",
    "moment": "bigint",
    "entry_game": "uuid[]",
    "entry_version": "integer[]",
    "entry_id": "uuid[]",
    "entry_type": "text[]",
    "entry_schema": "integer[]",
    "entry_recorded_at": "bigint[]",
    "entry_happened_at": "text[]",
    "entry_recorder": "text[]",
    "entry_body": "bytea[]",
    "entry_hash": "bytea[]",
    "entry_sealed": "bytea[]",
    "entry_position": "bigint[]",
    "ending_game": "uuid[]",
    "ending_opened": "bigint[]",
    "ending_version": "integer[]",
    "ending_position": "bigint[]",
    "ending_hash": "bytea[]",
}
"""The parameters of the function that appends, with their types."""


def _given(what: str) -> str:
    return ", ".join(f"_{name}" for name in _PARAMETERS if name.startswith(what))


_APPEND = f"""
    create function kifu.append({", ".join(f"_{name} {kind}" for name, kind in _PARAMETERS.items())})
    returns integer language plpgsql as $$
    begin
        if current_setting('synchronous_commit') = 'off' then
            raise exception 'a worker would acknowledge what is not on disk yet; set synchronous_commit = on there'
            using errcode = 'object_not_in_prerequisite_state';
        end if;
        update kifu.lane set head = _to where lane = _lane and head = _from;
        if not found then
            return 0;
        end if;
        insert into kifu.game (lane, id, opened, version, position, hash)
        select _lane, ending.* from unnest({_given("ending")}) as ending
        on conflict (lane, id) do update
        set version = excluded.version, position = excluded.position, hash = excluded.hash;
        insert into kifu.event (
            lane, game, version, id, type, schema, recorded_at, happened_at, recorder, data, hash, sealed, seq, moment
        )
        select _lane, entry.*, _moment from unnest({_given("entry")}) as entry;
        return cardinality(_entry_id);
    end $$
"""
"""Stores a batch at the end of a lane, if the head is where the batch begins; returns how many entries it stored."""

_SIGNATURE = f"kifu.append({', '.join(_PARAMETERS.values())})"

_STORE = f"select kifu.append({', '.join(f'%({name})b::{kind}' for name, kind in _PARAMETERS.items())})"

_TICK = "select pg_current_xact_id()::text::bigint, pg_logical_emit_message(true, 'kifu', '')"
"""A number of the coordinator. The message has it be on disk when it is told: a restart gives no number twice."""

_DISTRIBUTE = (
    "set local citus.enable_unsafe_triggers = on",  # those of statements, which refuse changes, on each shard
    "set local citus.multi_shard_modify_mode = sequential",
    "alter table kifu.event alter column moment drop default",  # it would be a number of the worker
    "create trigger lane_no_move before update of lane on kifu.lane for each statement execute function kifu.refuse()",
    "alter table kifu.lane disable trigger user",
    "delete from kifu.lane",  # what lies there now would stay behind, unseen
    "alter table kifu.lane enable trigger user",
    "select create_distributed_table('kifu.lane', 'lane', colocate_with => 'none', "
    f"shard_count => {SHARDS_A_LANE} * lanes) from kifu.log",
    "select create_distributed_table('kifu.game', 'lane', colocate_with => 'kifu.lane')",
    "select create_distributed_table('kifu.event', 'lane', colocate_with => 'kifu.lane')",
    _APPEND,
    f"select create_distributed_function('{_SIGNATURE}', '_lane', 'kifu.lane', force_delegation => true)",
)

RIGHTS = "grant update on kifu.event, kifu.game, kifu.lane to {role}"
"""A right of single columns is not passed on to workers. The triggers of the tables refuse the other columns."""


def is_cluster(connection: Connection[Any]) -> bool:
    """Whether a database has Citus."""
    return connection.execute("select from pg_catalog.pg_extension where extname = 'citus'").fetchone() is not None


def is_spread(connection: Connection[Any]) -> bool:
    """Whether entries lie on workers, for any reason."""
    found = "select from pg_catalog.pg_dist_partition where logicalrelid = 'kifu.event'::regclass and partmethod = 'h'"
    return is_cluster(connection) and connection.execute(found).fetchone() is not None


def workers(connection: Connection[Any]) -> int:
    """The number of workers that take lanes."""
    sql = "select count(*) from pg_catalog.pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'"
    ((count,),) = connection.execute(sql).fetchall()
    return int(count)


def distribute(connection: Connection[Any], name: str, lanes: int) -> None:
    """Distribute the tables of a log without entries. Raises `LogError` if there are no workers."""
    if not workers(connection):
        raise LogError(f"{name} has Citus, and no worker that takes tables: add one with citus_add_node")
    for statement in _DISTRIBUTE:
        connection.execute(statement)
    connection.execute("insert into kifu.lane (lane) select generate_series(0, %s - 1)", (lanes,))
    connection.execute("update kifu.log set distributed = true")
    database = connection.info.dbname
    connection.execute(  # shards that move to another worker take their triggers along
        sql.SQL("alter database {} set citus.enable_unsafe_triggers = on").format(sql.Identifier(database))
    )


def moment(connection: Connection[Any]) -> int:
    """A number for the next entries, higher than the numbers of all acknowledged ones."""
    ((number, _),) = connection.execute(_TICK).fetchall()
    return int(number)


def store(connection: Connection[Any], parameters: Mapping[str, Any]) -> bool:
    """Store a batch if the lane ends where the batch begins. True if it was stored."""
    ((stored,),) = connection.execute(_STORE, parameters).fetchall()
    return bool(stored)


def check_workers(connection: Connection[Any], lanes: int) -> None:
    """Check that the worker of each lane answers, and acknowledges only what is on its disk."""
    nothing: dict[str, Any] = {name: [] if kind.endswith("[]") else -1 for name, kind in _PARAMETERS.items()}
    for lane in range(lanes):
        store(connection, nothing | {"lane": lane})
