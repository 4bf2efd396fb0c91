"""The log in a PostgreSQL database, which many processes on many machines can have open at once."""

from events.postgres.database import connections_allowed, count_connections
from events.postgres.log import PostgresLog
from events.postgres.reader import PostgresReader
from events.postgres.standbys import RoutedLog, RoutedReader
from events.postgres.tables import prepare
from events.postgres.verification import verify

__all__ = [
    "PostgresLog",
    "PostgresReader",
    "RoutedLog",
    "RoutedReader",
    "connections_allowed",
    "count_connections",
    "prepare",
    "verify",
]
