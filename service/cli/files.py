"""Files that commands read: components, as JSON or TOML."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import click

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
                text = file.read().decode()
            found = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
        except (UnicodeDecodeError, json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
            self.fail(f"{value}: neither JSON nor TOML: {error}", param, ctx)
        return found
