"""The cells of a pasted table: separated by tabs, signs or blanks, or from an HTML table."""

from __future__ import annotations

import csv
import io
import re
from html import unescape
from typing import TYPE_CHECKING, Any

from service.exchange.incoming.csv_plays import next_row, without_apostrophe
from service.exchange.incoming.plays import BadFileError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_LINES, MOST_CELLS = 1_000, 20_000
"""The most rows and columns of a table, and the most cells in all."""

_RULE = re.compile(r"[\s|:+=-]*")
"""A line that only separates others, as in tables drawn with signs."""
_TABLE = re.compile(r"<table\b[^<>]*>", re.IGNORECASE)
_PART = re.compile(r"<([^<>]*)>|([^<>]+|[<>])")
"""An HTML tag, or the text between two tags."""
_SPAN = re.compile(r"\b(col|row)span\W{1,3}([0-9]{1,5})", re.IGNORECASE)


def too_large() -> BadFileError:
    """The error for a table that is too large."""
    return BadFileError(f"a table has {MOST_LINES:,} rows and columns and {MOST_CELLS:,} cells at most")


def parse_cells(text: str) -> list[list[str]]:
    """The cells of a table, in rows of equal length, without empty rows and columns at the end. Raises `BadFileError`.

    Spreadsheets separate cells with tabs, and quote only cells that need it: a name can begin with a quotation mark.
    Other tables separate cells with signs or blanks. In HTML, the first table is read.
    """
    if begin := _TABLE.search(text):
        return _cells(iter(_HtmlTable(text[begin.end() :]).rows))
    if "\t" in text:
        try:
            return _cells(_rows(text, delimiter="\t", strict=True))
        except BadFileError:
            return _cells(_rows(text, delimiter="\t", quoting=csv.QUOTE_NONE))
    lines = text.splitlines()
    sign = max(";|,", key=lambda sign: sum(sign in line for line in lines))
    if sign not in text:
        return _cells(_rows("\n".join(_split_at_blanks(lines)), delimiter="\t", quoting=csv.QUOTE_NONE))
    if sign == "|":
        text = "\n".join(line.strip().strip("|") for line in lines if not _RULE.fullmatch(line))
    return _cells(_rows(text, delimiter=sign, strict=True))


def _rows(text: str, **dialect: Any) -> Iterator[list[str]]:
    """The rows of a text with separated cells. Raises `BadFileError`."""
    reader = csv.reader(io.StringIO(text, newline=""), **dialect)
    while (row := next_row(reader)) is not None:
        yield row


def _split_at_blanks(lines: Sequence[str]) -> list[str]:
    """Lines with aligned cells, changed to cells separated by tabs. Raises `BadFileError`.

    Two or more blanks separate cells, or one blank if there are never two. Empty cells cannot be seen, so all lines
    need the same number of cells. A title is an exception, and so are heads without one above the first column.
    """
    lines = [line.rstrip() for line in lines if line.strip()]
    part = re.compile(r"\s{2,}" if any(re.search(r"\S\s{2,}\S", line) for line in lines) else r"\s+")
    rows = [part.split(line) for line in lines]
    most = max(map(len, rows), default=0)
    heads = next((row for row in rows if len(row) > 1), [])
    if len(heads) == most - 1:
        heads.insert(0, "")
    for number, row in enumerate(rows, 1):
        if len(row) not in {1, most}:
            raise BadFileError(
                f"row {number} has {len(row)} values, and others have {most}: separate the cells by tabs or semicolons"
            )
    return ["\t".join(row) for row in rows]


def _cells(read: Iterator[list[str]]) -> list[list[str]]:
    """The cells in rows of equal length. Raises `BadFileError`."""
    rows, cells = list[list[str]](), 0
    for row in read:
        rows.append([one_line(without_apostrophe(cell)) for cell in row[: MOST_CELLS + 1]])
        cells += len(row)
        if len(rows) > MOST_LINES or len(row) > MOST_LINES or cells > MOST_CELLS:
            raise too_large()
    while rows and not any(rows[-1]):
        rows.pop()
    wide = max((at for row in rows for at, cell in enumerate(row, 1) if cell), default=0)
    if not wide:
        raise BadFileError("the table is empty")
    return [[*row, *[""] * wide][:wide] for row in rows]


class _HtmlTable:
    """The rows of an HTML table. A merged cell leaves the other cells empty, as in copied cells."""

    def __init__(self, text: str) -> None:
        """The text begins after the opening tag of the table. Raises `BadFileError`."""
        self.rows: list[list[str]] = []
        self._open: int | None = None
        self._below: dict[int, int] = {}
        self._cells = 0
        for tag, between in _PART.findall(text):
            if tag.lower().startswith("/table"):
                break
            if between:
                self._write(unescape(between))
            else:
                self._follow(tag)

    def _follow(self, tag: str) -> None:
        name = re.split(r"[\s/]", tag.lower().removesuffix("/"), maxsplit=1)[0]
        if name == "tr":
            self.rows.append([])
            self._open = None
        elif name in {"td", "th"}:
            self._cell({kind.lower(): min(int(count), MOST_LINES) for kind, count in _SPAN.findall(tag)})
        elif tag.lower() in {"/td", "/th"}:
            self._open = None
        else:
            self._write(" ")

    def _cell(self, spans: dict[str, int]) -> None:
        """Begin a cell, to the right of merged cells from rows above."""
        self.rows = self.rows or [[]]
        row, number = self.rows[-1], len(self.rows)
        while self._below.get(len(row), 0) >= number:
            row.append("")
        self._open = len(row)
        for _ in range(max(spans.get("col", 1), 1)):
            self._below[len(row)] = number + spans.get("row", 1) - 1
            row.append("")
        self._cells += len(row) - self._open
        if self._cells > MOST_CELLS:
            raise too_large()

    def _write(self, text: str) -> None:
        if self._open is not None:
            self.rows[-1][self._open] += text
