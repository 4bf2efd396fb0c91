"""Files that commands read: components, as JSON or TOML."""

from __future__ import annotations

import math
import tomllib
from typing import TYPE_CHECKING, Any

import click
import msgspec

if TYPE_CHECKING:
    from typing import IO


class ComponentsFile(click.File):
    """A file of JSON, or else of TOML, whose object is taken as it is: the service judges it."""

    name = "file"

    def __init__(self) -> None:
        super().__init__("rb")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The object in the file. Fails for what is neither."""
        file: IO[bytes] = super().convert(value, param, ctx)
        try:
            with file:
                return _read(file.read().decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            where = "standard input" if value == "-" else value
            self.fail(f"{where}: neither JSON nor TOML: {error}", param, ctx)


def _read(text: str) -> Any:
    """The object in a text. Raises `ValueError`, `RecursionError`."""
    if not text.strip():
        raise ValueError("there is nothing in it")
    if text.lstrip().startswith("{"):
        return msgspec.json.decode(text)
    return tomllib.loads(text, parse_float=_finite)


def _finite(text: str) -> float:
    """A number; JSON has none that is endless, or none at all."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number to count with")
    return number
