"""The tables of the log in PostgreSQL, and how older ones are brought up to this release.

Every row of a record has its *lane*, and every unique key begins with it. A lane is an order of its own, and a database
on many machines could be distributed by it. Still there is one feed. The table of stretches says which lane has the
entry at each of its places (`events.postgres.order`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from psycopg import errors, sql

from events import components, failpoints, people
from events.errors import LogError, LogNewerError, LogUnwritableError
from events.postgres import distributed
from events.postgres.database import name_of
from events.postgres.people import RECORDS, records_of
from events.postgres.translation import raising_log_errors
from events.rows import uuid_text

if TYPE_CHECKING:
    from psycopg import Connection

LANE = 0
"""The first lane, where what has to have one order over all of them is noted."""

SELECT = """
    select seq, uuid_send(game), version, uuid_send(id), type, schema, recorded_at, happened_at, recorder, data, hash,
    sealed from kifu.event
"""
"""The statement for stored entries as rows (`events.rows`)."""

MARKS = "select uuid_send(id), version, position, hash from kifu.game"
"""The statement for the marks of games."""

_LOCK = 0x4B494655
"""The advisory lock for changes of the tables: the letters KIFU."""

_ORDERING = 0x4B494603
"""The advisory lock for giving entries their places in the feed."""

STRETCH = 256
"""The places of a stretch of the feed at most. They are one row, which is written anew until it is full."""

_ARRANGE_BY_TRANSACTIONS = f"""
    create function kifu.arrange(most integer) returns bigint language plpgsql as $$
    declare reached bigint;
    begin
        perform pg_advisory_xact_lock({_ORDERING});
        select coalesce(max(position), 0) into reached from kifu.stretch;
        insert into kifu.stretch (lane, seq, position, length)
        with lane as (
            select lane, head, done from kifu.lane, lateral (
                select coalesce(max(seq), 0) as done from kifu.stretch where stretch.lane = lane.lane
            ) as arranged where head > done
        ), entry as (
            select lane, seq, max(-age(moved)) over (partition by lane order by seq) as moment from (
                select lane.lane, event.seq, event.moved from lane, lateral (
                    select seq, xmin as moved from kifu.event where event.lane = lane.lane
                    and event.seq > lane.done and event.seq <= least(lane.head, lane.done + most)
                    order by seq limit most
                ) as event
            ) as found
        ), part as (
            select lane, moment, max(seq) as seq from entry group by lane, moment
            union all select lane, null, least(head, done + most) from lane
        ), sized as (
            select lane, moment, part.seq, part.seq - lag(part.seq, 1, done) over of_lane as length
            from part join lane using (lane) window of_lane as (partition by lane order by part.seq, moment)
        ), placed as (
            select *, sum(length) over (order by moment, lane, seq) as place,
            row_number() over (order by moment, lane, seq) - row_number() over (partition by lane order by seq) as run
            from sized where length > 0
        )
        select lane, max(seq), reached + max(place), sum(length) from placed group by lane, run;
        select coalesce(max(position), 0) into reached from kifu.stretch;
        return reached;
    end $$;
"""
"""How it was until schema 6: by the transactions of one server, which wrote the rows."""

_ARRANGE = f"""
    create function kifu.heads_after(heads bigint[], lanes smallint[]) returns bigint[] language sql immutable as $$
        select array_agg(head + (select count(*) from unnest(lanes) as lane where lane = number - 1) order by number)
        from unnest(heads) with ordinality as of_lane (head, number)
    $$;
    create function kifu.extend(more smallint[]) returns void language plpgsql as $$
    declare last record; room integer;
    begin
        while cardinality(more) > 0 loop
            select first, heads, lanes into last from kifu.stretch order by first desc limit 1;
            if not found then
                insert into kifu.stretch
                select 0, array_fill(0::bigint, array[log.lanes::integer]), '{{}}' from kifu.log;
            elsif cardinality(last.lanes) >= {STRETCH} then
                insert into kifu.stretch values (
                    last.first + cardinality(last.lanes), kifu.heads_after(last.heads, last.lanes), '{{}}'
                );
            else
                room := {STRETCH} - cardinality(last.lanes);
                update kifu.stretch set lanes = last.lanes || more[:room] where first = last.first;
                more := more[room + 1:];
            end if;
        end loop;
    end $$;
    create function kifu.arrange(most integer) returns bigint language plpgsql as $$
    declare
        last record; bound bigint; given bigint; done bigint; until bigint; of_lane record; added smallint[];
        some_seqs bigint[]; some_moments bigint[]; cut smallint[] := '{{}}';
        lanes smallint[] := '{{}}'; seqs bigint[] := '{{}}'; moments bigint[] := '{{}}';
    begin
        perform pg_advisory_xact_lock({_ORDERING});
        select first + cardinality(stretch.lanes) as reached, kifu.heads_after(heads, stretch.lanes) as heads into last
        from kifu.stretch order by first desc limit 1;
        bound := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
        for of_lane in select lane, head from kifu.lane order by lane loop
            done := coalesce(last.heads[of_lane.lane + 1], 0);
            continue when of_lane.head <= done;
            until := least(of_lane.head, done + most);
            select array_agg(seq), array_agg(moment) into some_seqs, some_moments from kifu.event
            where lane = of_lane.lane and seq > done and seq <= until;
            lanes := lanes || array_fill(of_lane.lane, array[2 + coalesce(cardinality(some_seqs), 0)]);
            seqs := seqs || done || some_seqs || until;
            moments := moments || -1::bigint || some_moments || 0::bigint;
            if until < of_lane.head then cut := cut || of_lane.lane; end if;
        end loop;
        given := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
        with entry as (
            select lane, seq, max(case when moment < given then moment else 0 end) over (
                partition by lane order by seq
            ) as moment from unnest(lanes, seqs, moments) as found (lane, seq, moment)
        ), part as (
            select lane, moment, max(seq) as seq from entry group by lane, moment
        ), sized as (
            select lane, seq, moment, seq - lag(seq) over (partition by lane order by seq) as length from part
        )
        select array_agg(lane order by moment, lane, seq) into added from sized, generate_series(1, length)
        where length > 0 and moment < bound
        and moment <= all (select max(moment) from part where lane = any(cut) group by lane);
        perform kifu.extend(added);
        return coalesce(last.reached, 0) + coalesce(cardinality(added), 0);
    end $$;
"""
"""`kifu.arrange` gives the new entries of all lanes their places, at most `most` of each lane; returns the new end of
the feed. `kifu.extend` notes the lanes of the next places, and `kifu.heads_after` says how far each lane is after a
stretch.

Each entry has a moment: a number that one server gave, after the entry was sent and before it was committed. So an
entry that was acknowledged before another was sent has the lower number. The order is that of the numbers. Within a
lane nothing overtakes. Lanes may be read one after another, also from several machines: only entries with numbers from
before the first look get places. One that was missed was not acknowledged before any of those was sent.
A number that was not given yet comes from a server whose numbers went further. It is from before a restore, so such
entries come first. Lost entries keep their places.
"""

_PACK = f"""
    alter table kifu.stretch rename to stretch_of_lane;
    alter index kifu.stretch_pkey rename to stretch_of_lane_pkey;
    create table kifu.stretch (
        first bigint primary key,
        heads bigint[] not null,
        lanes smallint[] not null
    ) with (fillfactor = 50);
    {_ARRANGE}
    do $$ declare part record; reached bigint := 0; lanes smallint[] := '{{}}'; begin
        for part in select * from kifu.stretch_of_lane order by position loop
            if part.position - part.length <> reached then
                raise exception 'the stretches of the feed do not follow one another after position %', reached
                using errcode = 'data_corrupted';
            end if;
            reached := part.position;
            lanes := lanes || array_fill(part.lane, array[part.length::integer]);
            continue when cardinality(lanes) < {STRETCH};
            perform kifu.extend(lanes);
            lanes := '{{}}';
        end loop;
        perform kifu.extend(lanes);
    end $$;
    drop table kifu.stretch_of_lane;
    create function kifu.refuse_other_places() returns trigger language plpgsql as $$ begin
        if new.first = old.first and new.heads = old.heads and new.lanes[:cardinality(old.lanes)] = old.lanes then
            return new;
        end if;
        raise exception 'places in the feed never change' using errcode = 'insufficient_privilege';
    end $$;
    create trigger stretch_keeps_places before update on kifu.stretch
        for each row execute function kifu.refuse_other_places();
    create trigger stretch_no_delete before delete or truncate on kifu.stretch
        for each statement execute function kifu.refuse();
"""
"""Schema 7. Until then each run of one lane's entries was a row, which was nearly one for each entry."""

_MIGRATIONS = (
    """
    create table kifu.lane (
        lane smallint primary key,
        head bigint not null default 0
    ) with (fillfactor = 10);
    insert into kifu.lane (lane) values (0);

    create table kifu.game (
        lane smallint not null,
        id uuid not null,
        opened bigint not null,
        version integer not null,
        position bigint not null,
        hash bytea not null,
        primary key (lane, id)
    ) with (fillfactor = 70);
    create index game_opened on kifu.game (lane, opened);

    create table kifu.event (
        lane smallint not null,
        seq bigint not null,
        game uuid not null,
        version integer not null,
        id uuid not null,
        type text not null,
        schema integer not null,
        recorded_at bigint not null,
        happened_at text,
        recorder text not null,
        data bytea not null,
        hash bytea not null,
        sealed bytea,
        primary key (lane, seq),
        unique (lane, game, version),
        unique (lane, id)
    );

    create table kifu.person (
        id uuid primary key,
        name text collate "C" not null
    );
    create table kifu.component (
        ruleset text collate "C" not null,
        name text collate "C" not null,
        data bytea not null,
        created_at bigint not null,
        primary key (ruleset, name)
    );

    create function kifu.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'the log is append-only' using errcode = 'insufficient_privilege'; end $$;
    create trigger event_no_update before update of lane, seq, game, version, id, type, schema, recorded_at,
        happened_at, recorder, data, hash on kifu.event for each statement execute function kifu.refuse();
    create trigger event_no_delete before delete or truncate on kifu.event
        for each statement execute function kifu.refuse();
    create trigger game_no_update before update of lane, id, opened on kifu.game
        for each statement execute function kifu.refuse();
    create trigger game_no_delete before delete or truncate on kifu.game
        for each statement execute function kifu.refuse();
    create trigger lane_no_delete before delete or truncate on kifu.lane
        for each statement execute function kifu.refuse();
    """,
    """
    create table kifu.merge (
        number integer primary key,
        person uuid not null,
        kept uuid,
        at bigint not null,
        by text not null
    );
    create trigger merge_no_change before update or delete or truncate on kifu.merge
        for each statement execute function kifu.refuse();
    """,
    """
    create table kifu.erasure (
        lane smallint not null,
        number bigint not null,
        game uuid not null,
        primary key (lane, number)
    );
    create trigger erasure_no_change before update or delete or truncate on kifu.erasure
        for each statement execute function kifu.refuse();
    """,
    f"""
    alter table kifu.log add column lanes smallint not null default 1;
    create table kifu.stretch (
        lane smallint not null,
        seq bigint not null,
        position bigint not null unique,
        length bigint not null,
        primary key (lane, seq)
    );
    create trigger stretch_no_change before update or delete or truncate on kifu.stretch
        for each statement execute function kifu.refuse();
    {_ARRANGE_BY_TRANSACTIONS}
    """,
    """
    create table kifu.notice (
        number bigint primary key,
        name text not null,
        value text not null
    );
    create trigger notice_no_change before update or delete or truncate on kifu.notice
        for each statement execute function kifu.refuse();
    """,
    """
    lock table kifu.event in exclusive mode;
    do $$ declare before bigint := -1; reached bigint := 0; begin
        while before < reached and (select lanes from kifu.log) > 1 loop
            before := reached;
            reached := kifu.arrange(5000);
        end loop;
    end $$;
    drop function kifu.arrange(integer);
    alter table kifu.event add column moment bigint default pg_current_xact_id()::text::bigint;
    create trigger event_keeps_moment before update of moment on kifu.event
        for each statement execute function kifu.refuse();
    alter table kifu.log add column distributed boolean not null default false;
    """,
    f"""
    drop function if exists kifu.arrange(integer);
    {_PACK}
    """,
    """
    alter table kifu.person add column checksum bigint;
    alter table kifu.component add column checksum bigint;
    grant trigger on kifu.person, kifu.component to current_user;
    create function kifu.note_checksum() returns trigger language plpgsql as $$ begin
        perform set_config('kifu.summed', 'yes', true);
        return new;
    end $$;
    create function kifu.refuse_old_checksum() returns trigger language plpgsql as $$ begin
        if current_setting('kifu.summed', true) = 'yes' or new.checksum is null or new = old then
            perform set_config('kifu.summed', '', true);
            return new;
        end if;
        raise exception 'a host of an older release cannot change a name or components: bring it up to this release'
        using errcode = 'insufficient_privilege';
    end $$;
    create trigger person_gets_checksum before update of checksum on kifu.person
        for each row execute function kifu.note_checksum();
    create trigger component_gets_checksum before update of checksum on kifu.component
        for each row execute function kifu.note_checksum();
    create trigger person_keeps_checksum before update on kifu.person
        for each row execute function kifu.refuse_old_checksum();
    create trigger component_keeps_checksum before update on kifu.component
        for each row execute function kifu.refuse_old_checksum();
    """,
    """
    alter table kifu.merge add column checksum bigint;
    grant trigger on kifu.merge to current_user;
    """,
)

_PACKED = 7
"""The schema since which stretches have the entries of all lanes."""

_SUMMED = 8
"""The schema since which names and components have checksums."""

_MERGES_SUMMED = 9
"""The schema since which merges have checksums."""

SCHEMA = len(_MIGRATIONS)
"""The number of the newest migration. A higher one was made by a newer release."""

_RIGHTS = """
    revoke all on all tables in schema kifu from {role};
    grant usage on schema kifu to {role};
    grant select on kifu.log to {role};
    grant select, insert on kifu.event, kifu.game, kifu.merge, kifu.erasure, kifu.stretch, kifu.notice to {role};
    grant select on kifu.lane to {role};
    grant update (lanes) on kifu.stretch to {role};
    grant select, insert, update, delete on kifu.person, kifu.component to {role};
"""
"""The rights of the service's role: it can close seals, but not change or delete events."""

_COLUMNS = """
    grant update (sealed) on kifu.event to {role};
    grant update (version, position, hash) on kifu.game to {role};
    grant update (head) on kifu.lane to {role};
"""


def migrate(connection: Connection[Any], name: str, lanes: int = 1) -> None:
    """Bring the tables up to this release, all at once or not at all. Their maker keeps no more rights than a service.

    New tables get so many lanes. Raises `LogNewerError`, `LogUnwritableError` for older tables of somebody else, and
    `psycopg.errors.InsufficientPrivilege` if the role may not make them.
    """
    if (found := _release(connection, name)) == SCHEMA:
        return
    try:
        _migrate(connection, name, lanes)
    except errors.InsufficientPrivilege as error:
        if found == 0:
            raise
        raise LogUnwritableError(
            f"{name} has schema {found}, of an older release: run `kifu prepare-database ROLE` again, "
            "as the owner of its tables"
        ) from error


def _migrate(connection: Connection[Any], name: str, lanes: int) -> None:
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        done = _release(connection, name)
        if done == SCHEMA:  # somebody else was faster
            return
        if done == 0:
            connection.execute("create schema if not exists kifu")
            connection.execute("create table kifu.log (one boolean primary key check (one), schema integer not null)")
            connection.execute("insert into kifu.log values (true, 0)")
        for script in _MIGRATIONS[done:]:
            connection.execute(script)
        connection.execute("grant update on kifu.log to current_user")  # who made it keeps no such right
        connection.execute("update kifu.log set schema = %s", (SCHEMA,))
        if done == 0:
            connection.execute("update kifu.log set lanes = %s", (lanes,))
            connection.execute("insert into kifu.lane (lane) select generate_series(1, %s - 1)", (lanes,))
        if done < _PACKED:
            _index_stretches(connection)
        if done < _SUMMED:
            _sum_rows(connection)
        if done < _MERGES_SUMMED:
            _sum_merges(connection)
        _grant(connection, sql.SQL("current_user"), layout_of(connection, name))
        failpoints.reach("tables.migrated")


def _index_stretches(connection: Connection[Any]) -> None:
    """Index the stretches, so that the place of an entry is found by its number in its lane."""
    ((lanes,),) = connection.execute("select lanes from kifu.log").fetchall()
    for lane in range(lanes):
        connection.execute(f"create index on kifu.stretch ((heads[{lane + 1}]), first)")


def _sum_rows(connection: Connection[Any]) -> None:
    """Give the names and components of an older release their checksums, as they are."""
    names = connection.execute("select uuid_send(id), convert_to(name, 'UTF8') from kifu.person").fetchall()
    for key, name in names:
        checksum = people.name_sum(key, name)
        connection.execute("update kifu.person set checksum = %s where id = %s", (checksum, uuid_text(key)))
    kept = connection.execute("select ruleset, name, data, created_at from kifu.component").fetchall()
    for ruleset, name, data, created_at in kept:
        checksum = components.sum_of(ruleset.encode(), name.encode(), data, created_at)
        where = "where ruleset = %s and name = %s"
        connection.execute(f"update kifu.component set checksum = %s {where}", (checksum, ruleset, name))


def _sum_merges(connection: Connection[Any]) -> None:
    """Give the merges of an older release their checksums, as they are, with the triggers off."""
    connection.execute("drop trigger merge_no_change on kifu.merge; grant update on kifu.merge to current_user")
    for record in records_of(connection.execute(RECORDS).fetchall()):
        change = "update kifu.merge set checksum = %s where number = %s"
        connection.execute(change, (record.with_checksum().checksum, record.number))
    connection.execute(
        "create trigger merge_no_change before update or delete or truncate on kifu.merge"
        " for each statement execute function kifu.refuse()"
    )


def check(connection: Connection[Any], name: str) -> None:
    """Check the tables. Raises `FileNotFoundError`, `LogNewerError`, `LogError` for tables of an older release."""
    found = _release(connection, name)
    if found == 0:
        raise FileNotFoundError(f"no log in {name}")
    if found < SCHEMA:
        raise LogError(f"{name} has schema {found}, of an older release, and nobody has opened it for writing since")


class Layout(NamedTuple):
    """The layout of a log in its tables."""

    lanes: int
    distributed: bool
    """Whether the lanes lie on the workers of a cluster (`events.postgres.distributed`)."""


def layout_of(connection: Connection[Any], name: str) -> Layout:
    """The layout of a log. Raises `LogError` if its number of lanes is another: no game would be found."""
    there = "select array_agg(lane order by lane) as there from kifu.lane"
    found = connection.execute(f"select lanes, distributed, there from kifu.log, ({there}) as lane").fetchall()
    ((lanes, spread, there),) = found
    if there != list(range(lanes)):
        made = ", ".join(map(str, there or ())) or "none"
        raise LogError(f"{name} was made with lanes 0 to {lanes - 1}, and has {made}")
    if not spread and distributed.is_spread(connection):
        raise LogError(f"{name} was distributed by hand; make its tables with `kifu prepare-database` alone")
    return Layout(int(lanes), bool(spread))


class PreparedDatabase(NamedTuple):
    """The result of preparing a database."""

    layout: Layout
    workers: int | None
    """How many workers its cluster has; None without Citus."""


def prepare(url: str, role: str, lanes: int | None = None) -> PreparedDatabase:
    """Make the tables, or bring them up to this release, and let `role` use them as a service does, and no further.

    All of it is done, or nothing: a mistyped role makes no tables, because their number of lanes would be fixed. The
    URL is for a role that may make tables. Raises `LogNewerError`, `LogUnwritableError`, `LogUnreachableError`. Raises
    `LogError` for an unknown role, or if the log has another number of lanes already.

    Where the database has Citus, several lanes are distributed, unless there are entries.
    """
    name = name_of(url)
    with raising_log_errors(name), psycopg.connect(url, autocommit=True) as connection, connection.transaction():
        migrate(connection, name, lanes or 1)
        made = layout_of(connection, name)
        if lanes not in (None, made.lanes):
            raise LogError(
                f"{name} was made with {made.lanes} lanes, not {lanes}: that is fixed; move it to another database"
            )
        workers = distributed.workers(connection) if distributed.is_cluster(connection) else None
        if workers is not None and made.lanes > 1 and not made.distributed and _is_empty(connection):
            distributed.distribute(connection, name, made.lanes)
            made = layout_of(connection, name)
            _grant(connection, sql.SQL("current_user"), made)
        _grant(connection, sql.Identifier(role), made)
    return PreparedDatabase(made, workers)


def _is_empty(connection: Connection[Any]) -> bool:
    return connection.execute("select from kifu.event limit 1").fetchone() is None


def _grant(connection: Connection[Any], role: sql.Composable, layout: Layout) -> None:
    connection.execute(sql.SQL(_RIGHTS).format(role=role))
    connection.execute(sql.SQL(distributed.RIGHTS if layout.distributed else _COLUMNS).format(role=role))


def _release(connection: Connection[Any], name: str) -> int:
    """The schema of the tables, 0 if there are none. Raises `LogNewerError`."""
    tables = "select from pg_catalog.pg_tables where schemaname = 'kifu' and tablename = 'log'"
    if connection.execute(tables).fetchone() is None:
        return 0
    ((schema,),) = connection.execute("select schema from kifu.log").fetchall()
    if schema > SCHEMA:
        raise LogNewerError(f"{name} has schema {schema}, of a newer release; this one knows {SCHEMA}")
    return int(schema)
