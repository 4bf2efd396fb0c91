"""The limits of a record: every length, count and depth that a writer can meet, in one place.

The API's schemas, `openapi.yaml`, the command line, the pages and the README take them from here. A ruleset has limits
of its own with its components.
"""

LINE = 200
"""Characters of a line of free text: a title, a place, what a claim's line is for."""
TEXT = 4000
"""Characters of a note, or of the text of a claim."""
REASON = 1000
"""Characters of a reason."""
NAME = 200
"""Characters of a person's name, of the name of components, and of a recorder's."""

KEY = 200
"""Characters of a public key, or of a signature."""

SEATS = 20
"""Seats of a game."""
ADJUSTMENTS = 100
"""Adjustments of one ruling."""
LINES = 500
"""Lines of the table's own paper in one claim."""
CHOSEN = 5000
"""Entries that one correction keeps or withdraws."""
TABLE_LINES = 40_000
"""Characters in which a request says what the rows, or the columns, of a table mean."""
POINTS = 10**12
"""Points that a claim can have, up or down."""
VERSION = 2**53
"""The highest number that a version can be asked for by: what every JSON reader can hold."""

BATCH = 1000
"""Entries of one request."""
MISSED = 1000
"""The missed entries in the answer to a stale request."""
GAME = 100_000
"""Entries of one game."""
DATA = 64 * 1024
"""Bytes of JSON that the data of one entry can have."""
DEPTH = 32
"""Levels of objects and lists in the data of one entry."""
EXPORT_LINE = 128 * 1024
"""Bytes of a line of an export: an entry with its data."""
EXPORT_HEADER = 64 * EXPORT_LINE
"""Bytes of the first line of an export, which has the names and the entries that broke rules."""

BODY = 1 << 20
"""Bytes of a request, unless a setting says otherwise."""
IMPORT = 256 << 20
"""Bytes of an imported file, unless a setting says otherwise."""
