"""The log in a single SQLite database, with its head file beside it."""

from events.sqlite.backup import backup
from events.sqlite.log import SqliteLog
from events.sqlite.reader import SqliteReader
from events.sqlite.verification import verify

LOG = "kifu.db"
"""The file name of the database in a data folder."""

__all__ = ["LOG", "SqliteLog", "SqliteReader", "backup", "verify"]
