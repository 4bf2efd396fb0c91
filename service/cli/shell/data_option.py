"""The option that names a data folder. It stands alone, because `kifu serve` starts with it and little else."""

from __future__ import annotations

from pathlib import Path

import click

data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="KIFU_DATA",
    default=Path("data"),
    show_default=True,
    show_envvar=True,
    help="The data folder.",
)
