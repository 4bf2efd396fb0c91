"""Tables as CSV (RFC 4180) and as a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
import zlib
from datetime import UTC, datetime
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

from service.languages.cldr import countries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from service.exchange.tables import Cell, Row, Table

_AnyCell = TypeVar("_AnyCell", bound="Cell | float")

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""The byte order mark that spreadsheets need to read letters beyond ASCII."""

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\0", "＝", "＋", "－", "＠")
"""The first characters of a text that spreadsheets may run as a formula."""
_SIGNS = frozenset(FORMULAS)

TOGETHER = 100
"""The lines of CSV written at a time, after the first one."""

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
"""A text that is a number."""

ROWS, LONGEST = 1_048_576, 32_767
"""The most rows of a sheet in a spreadsheet, and characters of a cell. Longer texts are cut."""


class Dialect(NamedTuple):
    """A dialect of CSV: the separator between cells, and the decimal separator."""

    delimiter: str = ","
    decimal: str = "."


def dialect_of(tag: str) -> Dialect:
    """The dialect that spreadsheets of a country read: with decimal commas, semicolons separate the cells.

    Raises `ValueError` if `tag` is not a language or country.
    """
    return Dialect(";", ",") if countries().has_comma(tag.replace("_", "-")) else Dialect()


USUAL = Dialect()
"""The dialect of RFC 4180."""


def csv_lines(table: Table, rows: Iterable[Row], *, dialect: Dialect = USUAL, bom: bool = False) -> Iterator[bytes]:
    """A CSV file: the header, then several lines at a time.

    Texts that begin like a formula get an apostrophe before them.
    """
    written = io.StringIO()
    writer = csv.writer(written, delimiter=dialect.delimiter, lineterminator="\r\n")
    writer.writerow([column.name for column in table.columns])
    yield ((BOM if bom else "") + written.getvalue()).encode()
    told = map(_row_formatter(table, dialect), rows)
    while some := list(islice(told, TOGETHER)):
        written.seek(0)
        written.truncate()
        writer.writerows(some)
        yield written.getvalue().encode()


def _row_formatter(table: Table, dialect: Dialect) -> Callable[[Row], list[Cell]]:
    """A function that formats the cells of a row for CSV. Columns of numbers need no check for formulas."""
    texts = [at for at, column in enumerate(table.columns) if column.type not in {"integer", "value"}]
    values = [at for at, column in enumerate(table.columns) if column.type == "value"]

    def format_row(row: Row) -> list[Cell]:
        cells: list[Any] = list(row)
        for at in texts:
            if (cell := cells[at]) and cell[0] in _SIGNS:
                cells[at] = f"'{cell}"
        for at in values:
            cells[at] = _format_value(cells[at], dialect)
        return cells

    return format_row


def csv_text(
    head: Sequence[str], rows: Iterable[Sequence[Cell | float]], *, dialect: Dialect = USUAL, bom: bool = False
) -> str:
    """A table as CSV with this head. Texts that begin like a formula get an apostrophe before them."""
    written = io.StringIO()
    written.write(BOM if bom else "")
    writer = csv.writer(written, delimiter=dialect.delimiter, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_format_cell(cell, dialect) for cell in row] for row in rows)
    return written.getvalue()


def _format_cell(cell: Cell | float, dialect: Dialect) -> Cell | float:
    """Format a cell: fractions get the decimal separator of the dialect."""
    return str(cell).replace(".", dialect.decimal) if isinstance(cell, float) else _harmless(cell)


def _format_value(cell: Cell, dialect: Dialect) -> Cell:
    """Format a number or label: numbers get the decimal separator of the dialect."""
    if isinstance(cell, str) and NUMBER.fullmatch(cell):
        return cell.replace(".", dialect.decimal)
    return _harmless(cell)


def _harmless(cell: _AnyCell) -> _AnyCell | str:
    return f"'{cell}" if cell and isinstance(cell, str) and cell[0] in _SIGNS else cell


UNTOLD = datetime(2000, 1, 1, tzinfo=UTC)
"""The creation time in every spreadsheet: the same rows make the same file."""


def write_xlsx(file: IO[bytes], tables: Sequence[Table], rows: Iterable[tuple[Table, Row]]) -> None:
    """Write a spreadsheet with one sheet per table, its head frozen. Memory is constant.

    A table with more rows than a sheet can have continues in another sheet: *entries 2*.
    """
    import xlsxwriter  # noqa: PLC0415 - the service starts without it

    book = xlsxwriter.Workbook(file, {"constant_memory": True})
    book.set_properties({"created": UNTOLD})
    head = book.add_format({"bold": True})
    sheets = {table.name: _begun(book.add_worksheet(table.name), table, head) for table in tables}
    counts = dict.fromkeys(sheets, 0)
    try:
        for table, row in rows:
            before, place = divmod(counts[table.name], ROWS - 1)
            if before and not place:
                sheets[table.name] = _begun(book.add_worksheet(f"{table.name} {before + 1}"), table, head)
            counts[table.name] += 1
            _write_row(sheets[table.name], place + 1, row)
    finally:
        book.close()


PACKED_CELL = 2.9
"""The bytes that a cell takes in a sheet, beside what its text takes when it is packed as CSV: measured."""


def added_size(table: Table, rows: Iterable[Row]) -> int:
    """About how many bytes the rows of a table add to a spreadsheet. To write them takes five times as long."""
    packer, packed, count = zlib.compressobj(), 0, 0
    for piece in islice(csv_lines(table, rows), 1, None):
        packed += len(packer.compress(piece))
        count += piece.count(b"\r\n")
    return round(packed + len(packer.flush()) + PACKED_CELL * len(table.columns) * count)


def _begun(sheet: Worksheet, table: Table, head: Format) -> Worksheet:
    sheet.freeze_panes(1, 1)
    for at, column in enumerate(table.columns):
        sheet.write_string(0, at, column.name, head)
    return sheet


def _write_row(sheet: Worksheet, number: int, row: Row) -> None:
    for at, cell in enumerate(row):
        if isinstance(cell, int):
            sheet.write_number(number, at, cell)
        elif cell is not None:
            sheet.write_string(number, at, cell[:LONGEST])
