"""The connection pool: a few connections, each lent for one statement or transaction."""

from __future__ import annotations

import logging
import threading
from contextlib import closing, contextmanager
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg import Error, ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolTimeout

from events.errors import LogClosedError, LogError
from events.postgres.timely import ANSWER_TIMEOUT, LOCK_TIMEOUT, AnswerTimeoutError, TimedConnection
from events.postgres.translation import log_error_of, raising_log_errors
from events.stores import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from psycopg import Connection

    from events.rows import Row

CONNECTIONS = 8
"""Connections of one process, at most."""

CONNECTION_WAIT = 5.0
"""Seconds to wait for a connection."""

IDLE = 15.0
"""Seconds until an unused connection is closed, also the last one: a process has several pools, and uses few."""

PROBE_TIMEOUT = 1.0
"""Seconds that one that was silent has to answer when it is asked whether it does by now."""

PROBE_WAIT = 0.1
"""Seconds that such a request may wait."""

MIN_CONNECT_TIMEOUT = 2
"""Seconds that a host has to answer, however many there are: fewer the driver does not take."""

T = TypeVar("T")

_DEFAULTS = {
    "application_name": "kifu",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",  # milliseconds after which a database that went silent is given up
}

logger = logging.getLogger(__name__)
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # what it warns of is raised, or tried again


class Database:
    """The connections of one process to a database. Safe to share between threads.

    Nothing that matters is kept in a session, so a pooler may stand between. Raises `LogError` for what is no URL of a
    database, and `LogUnreachableError`.
    """

    def __init__(
        self,
        url: str,
        patience: float = CONNECTION_WAIT,
        answer: float = ANSWER_TIMEOUT,
        most: int = CONNECTIONS,
        prepare: Callable[[Connection[Row]], None] | None = None,
        **more: str,
    ) -> None:
        """`patience` are the seconds to wait for a connection, `answer` those that each answer of it may take.

        There are at most so many connections. `prepare` is called with the first one, without a limit of time, and may
        make tables. `more` are further words of the URL.
        """
        self.name = name_of(url)
        self._closed = False
        self._silence: Error | None = None
        """Its last failure to answer."""
        self._knocking = threading.Lock()
        parts = _parsed(url)
        settings = _DEFAULTS | {"connect_timeout": _share(parts)} | more | parts | {"autocommit": True}
        opened = partial(TimedConnection.connect, **settings)  # it fails at once; a pool tries for a while
        with raising_log_errors(self.name), closing(opened()) as connection:
            if prepare:
                connection.patience = inf
                prepare(connection)
        self._pool: ConnectionPool[TimedConnection] = ConnectionPool(
            kwargs=settings,
            connection_class=TimedConnection,
            min_size=0,
            max_size=most,
            max_idle=IDLE,
            timeout=patience,
            reconnect_timeout=CONNECTION_WAIT,  # pauses between tries double, up to that
            configure=partial(_configure, answer),
            open=False,
            name=self.name,
        )
        self._pool.open()

    def wait(self, seconds: float) -> None:
        """Wait until there is a connection. Raises `LogError`."""
        with raising_log_errors(self.name):
            self._pool.putconn(self._pool.getconn(seconds))

    def add_connections(self, more: int) -> None:
        """Raise the limit of connections by `more`."""
        self._pool.resize(0, self._pool.max_size + more)

    def close(self) -> None:
        """Close the connections."""
        self._closed = True
        self._pool.close()

    @contextmanager
    def connection(self) -> Iterator[Connection[Row]]:
        """A connection that raises the errors of the driver. Raises `LogClosedError`."""
        if self._closed:
            raise LogClosedError(f"{self.name} is closed")
        if self._silence:
            self._check_silence(self._silence)
        try:
            with self._pool.connection() as connection:
                yield connection
        except (AnswerTimeoutError, PoolTimeout) as error:
            self._silence = error
            raise

    def _check_silence(self, silence: Error) -> None:
        """Check whether a silent database answers again. Callers in the meantime learn at once that it does not.

        Otherwise requests for stored entries would take the threads of all other requests.
        """
        if not self._knocking.acquire(timeout=PROBE_WAIT):
            raise AnswerTimeoutError(str(silence))
        try:
            with TimedConnection.time_limit(PROBE_TIMEOUT), self._pool.connection(timeout=PROBE_TIMEOUT) as connection:
                _answers(connection)
            self._silence = None
        finally:
            self._knocking.release()

    @contextmanager
    def live_connection(self) -> Iterator[Connection[Row]]:
        """A connection that has just answered, for work that must not be repeated. Raises the driver's errors."""
        for _ in range(CONNECTIONS):
            with self.connection() as connection:
                if _answers(connection):
                    yield connection
                    return
        with self.connection() as connection:
            yield connection

    def retry_once(self, work: Callable[[Connection[Row]], T]) -> T:
        """Run `work` on a connection, and once more on another one if the first turns out to be cut.

        All that lay idle can have been; each that fails is one fewer. Who waited for an answer waits for no other one.
        Errors are those of the driver.
        """
        for _ in range(CONNECTIONS):
            with self.connection() as connection:
                try:
                    return work(connection)
                except Error as error:
                    if not connection.broken or isinstance(error, AnswerTimeoutError):
                        raise
                    logger.info("%s: once more: %s", self.name, log_error_of(error, self.name))
        with self.connection() as connection:
            return work(connection)

    def query(self, statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """The rows of a statement. Raises `LogError`."""
        with raising_log_errors(self.name):
            return self.retry_once(lambda c: c.execute(statement, parameters, binary=True).fetchall())

    def change(self, statement: str, parameters: Sequence[Any] = ()) -> int:
        """Run a statement that may be run twice; the number of rows changed. Raises `LogError`."""
        with raising_log_errors(self.name):
            return self.retry_once(lambda c: c.execute(statement, parameters).rowcount)


def _share(parts: Mapping[str, Any]) -> str:
    """Seconds for each host of a URL, so that those behind one that went silent are asked while somebody waits."""
    hosts = 1 + str(parts.get("host", "")).count(",")
    return str(max(int(CONNECTION_WAIT) // hosts, MIN_CONNECT_TIMEOUT))


def _configure(answer: float, connection: TimedConnection) -> None:
    """Limit the time that a statement waits for a lock or an answer."""
    connection.patience = answer
    connection.execute(f"set lock_timeout = {int(LOCK_TIMEOUT * 1000)}")


def _answers(connection: Connection[Row]) -> bool:
    """Whether a connection was not cut while it lay idle."""
    try:
        connection.execute("select")
    except Error:
        if not connection.broken:
            raise
        return False
    return True


def count_connections(url: str) -> int:
    """The number of connections that other processes have to a database. Raises `LogError`."""
    sql = "select count(*) from pg_stat_activity where datname = current_database() and application_name = %s"
    with raising_log_errors(name_of(url)), psycopg.connect(url, application_name="kifu move") as connection:
        ((count,),) = connection.execute(sql, (_DEFAULTS["application_name"],)).fetchall()
    return int(count)


def connections_allowed(url: str) -> int:
    """The number of connections that a server allows to ordinary roles. Raises `LogError`."""
    sql = "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
    with raising_log_errors(name_of(url)), psycopg.connect(url, application_name="kifu") as connection:
        ((count,),) = connection.execute(sql).fetchall()
    return int(count)


def can_hold(value: object) -> bool:
    """Whether PostgreSQL can store a value. It refuses texts with NUL or half a surrogate pair."""
    if not isinstance(value, str):
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in value


def storable_text(text: str) -> str:
    """A text that PostgreSQL can store: U+FFFD replaces each NUL of a damaged one."""
    return text.replace("\0", "\ufffd")


def name_of(url: str) -> str:
    """The name of the database in messages: its URL without user and password. Raises `LogError`."""
    parts = _parsed(url)
    port = f":{parts['port']}" if "port" in parts else ""
    return f"postgresql://{parts.get('host', '')}{port}/{parts.get('dbname', '')}"


def _parsed(url: str) -> dict[str, Any]:
    try:
        if url.startswith(SCHEMES):
            return {name: value for name, value in conninfo_to_dict(url).items() if value is not None}
    except ProgrammingError:
        pass  # its message repeats what was given, with the password
    raise LogError("KIFU_DATABASE_URL is not a URL like postgresql://user:password@host:5432/name")
