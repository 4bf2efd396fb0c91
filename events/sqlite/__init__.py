"""The log in a single SQLite database, with its head file beside it."""

from events.sqlite.log import SqliteLog
from events.sqlite.reader import SqliteReader

__all__ = ["SqliteLog", "SqliteReader"]
