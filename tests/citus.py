"""Databases on a Citus cluster for the tests, if `KIFU_CITUS_URL` names one.

It is the URL of the coordinator's superuser, such as `postgresql://postgres@127.0.0.1:5432/postgres`. The same user
reaches the workers without a password.
"""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.postgres import EMPTIED, PATIENCE, ROLE, kill_tree

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "KIFU_CITUS_URL"
"""The environment variable that names the cluster."""

MISSING = f"{URL} names no cluster of Citus"
"""The reason of a skipped test."""

_NODES = "select nodename, nodeport from pg_dist_node where groupid > 0 order by nodeid"


def cluster() -> str:
    """The URL of the cluster; empty if there is none."""
    return os.environ.get(URL, "")


def of(database: str, user: str | None = None, **more: Any) -> str:
    """The URL of a database of the cluster."""
    parts = conninfo_to_dict(cluster()) | more
    return f"postgresql://{user or parts['user']}@{parts['host']}:{parts.get('port', 5432)}/{database}"


def port() -> int:
    """The port of the coordinator."""
    return int(conninfo_to_dict(cluster()).get("port", 5432))


class Node:
    """A server of the cluster on this machine. Tests can kill and restart it."""

    def __init__(self, port: int) -> None:
        self._url = make_conninfo(cluster(), port=port)
        self._data = Path(self.do("show data_directory"))
        self._program = Path(f"/proc/{self._process()}/exe").readlink()

    def do(self, statement: str) -> Any:
        """Run a statement as its superuser. Returns its single value, if any."""
        with psycopg.connect(self._url, autocommit=True) as connection:
            found = connection.execute(statement)
            row = found.fetchone() if found.description else None
            return row and row[0]

    def _process(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """Kill the server and all its processes, as a power cut does."""
        kill_tree(self._process())

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        status = self._data.stat()
        owner: dict[str, Any] = {} if os.geteuid() == status.st_uid else {"user": status.st_uid, "group": status.st_gid}
        command = [self._program.with_name("pg_ctl"), "start", "-s", "-w", "-D", self._data, "-l", os.devnull]
        home = {"HOME": str(self._data)}  # as a client of the others it looks for certificates there
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            subprocess.run(command, check=False, capture_output=True, cwd="/", env=home, **owner)
            with suppress(psycopg.OperationalError):
                psycopg.connect(self._url).close()
                return
            time.sleep(0.1)
        raise TimeoutError(f"{self._data} does not answer")


class CitusDatabases:
    """Databases of the cluster, reused by one test after the other. They stay for the next session, empty."""

    def __init__(self) -> None:
        self._free: list[str] = []
        self._made = 0

    def take(self, _kind: str = "", make: Callable[[str], object] | None = None) -> str:
        """Take an empty database; its name. `make` creates its tables, if given."""
        name = self._free.pop() if self._free else self._create()
        if make is not None:
            make(name)
        return name

    def _create(self) -> str:
        self._made += 1
        name = f"kifu_citus_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{self._made}"
        if not _exists(name):
            _make(name)
        _empty(name)
        return name

    def give_back(self, name: str) -> None:
        """Empty a database for the next test."""
        _empty(name)
        self._free.append(name)


def as_superuser(database: str, *statements: str) -> None:
    """Act with the rights over all servers: no trigger fires on any worker."""
    with psycopg.connect(of(database)) as connection:
        connection.execute("set citus.propagate_set_commands = 'local'")
        connection.execute("set local session_replication_role = replica")
        for statement in statements:
            connection.execute(statement)


def _exists(name: str) -> bool:
    with psycopg.connect(cluster()) as connection:
        return connection.execute("select from pg_database where datname = %s", (name,)).fetchone() is not None


def _make(name: str) -> None:
    with psycopg.connect(cluster(), autocommit=True) as connection:
        database = str(connection.info.dbname)
        workers = connection.execute(_NODES).fetchall()
        ((host, port),) = connection.execute("select nodename, nodeport from pg_dist_node where groupid = 0").fetchall()
    for node in ((host, port), *workers):
        address = {"host": node[0], "port": node[1]}
        with psycopg.connect(make_conninfo(cluster(), dbname=database, **address), autocommit=True) as connection:
            connection.execute("set citus.enable_create_role_propagation = off")
            with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):  # another worker can make it
                connection.execute(sql.SQL("create role {} login").format(sql.Identifier(ROLE)))
            connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        with psycopg.connect(make_conninfo(cluster(), dbname=name, **address), autocommit=True) as connection:
            connection.execute("create extension citus")
    with psycopg.connect(of(name), autocommit=True) as connection:
        connection.execute("select citus_set_coordinator_host(%s, %s)", (host, port))
        for worker in workers:
            connection.execute("select citus_add_node(%s, %s)", worker)


def _empty(name: str) -> None:
    end = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid != "
    with psycopg.connect(of(name), autocommit=True) as connection:
        connection.execute(f"{end} pg_backend_pid()")
        connection.execute(EMPTIED)
