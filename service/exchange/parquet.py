"""The tables of a dataset as Parquet files, for pandas, DuckDB and others. It needs the package pyarrow."""

from __future__ import annotations

from importlib.util import find_spec
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database

    from service.exchange.tables import Row, Table

BATCH = 10_000
"""The most rows held in memory."""


def is_installed() -> bool:
    """Whether pyarrow is installed: it comes with `pip install kifu[parquet]`."""
    return find_spec("pyarrow") is not None


def write_parquet(database: Database, table: Table, file: IO[bytes]) -> None:
    """Write a table of a dataset to a file, in the order of its key. The metadata of each column describes it.

    Integers are `int64`. All other types are `string`, as in the dataset.
    """
    import pyarrow  # noqa: PLC0415 - an extra of the package
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415

    schema = pyarrow.schema(
        [
            pyarrow.field(
                column.name,
                pyarrow.int64() if column.type == "integer" else pyarrow.string(),
                metadata={"comment": column.meaning},
            )
            for column in table.columns
        ]
    )
    with ParquetWriter(file, schema) as writer:
        for rows in _batches(database, table):
            columns = zip(zip(*rows, strict=True), schema, strict=True)
            arrays = [pyarrow.array(cells, field.type) for cells, field in columns]
            writer.write_batch(pyarrow.record_batch(arrays, schema=schema))


def _batches(database: Database, table: Table) -> Iterator[list[Row]]:
    names = ", ".join(f"[{column.name}]" for column in table.columns)
    key = ", ".join(f"[{column.name}]" for column in table.columns[: table.key])
    cursor = database.execute(f"select {names} from [{table.name}] order by {key}")
    while rows := cursor.fetchmany(BATCH):
        yield rows
