"""The log in a single SQLite database, with its head file beside it."""

from events.sqlite.backup import backup
from events.sqlite.log import SqliteLog
from events.sqlite.reader import SqliteReader
from events.sqlite.verification import verify

__all__ = ["SqliteLog", "SqliteReader", "backup", "verify"]
