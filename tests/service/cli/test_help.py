"""Every command is explained, by itself and in the README."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from service import __version__
from service.cli.commands import kifu as command

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    for name, each in group.commands.items():
        if isinstance(each, click.Group):
            yield from commands(each, f"{path} {name}")
        else:
            yield f"{path} {name}", each


COMMANDS = dict(commands(command, "kifu"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_says_what_it_is_for(kifu, name):
    helped = kifu(*name.split()[1:], "--help")
    assert helped.startswith(f"Usage: {name} ")
    assert COMMANDS[name].help
    undescribed = [each.name for each in COMMANDS[name].params if isinstance(each, click.Option) and not each.help]
    assert undescribed == []


def test_the_readme_has_every_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`{name}" not in readme] == []


def test_the_commands_stand_in_the_order_in_which_one_needs_them(kifu):
    helped = kifu("--help")
    places = [
        helped.index(f"\n  {name} ") for name in ("serve", "open", "record", "show", "export", "verify", "rulesets")
    ]
    assert places == sorted(places)


def test_the_version_is_told(kifu):
    assert kifu("--version") == f"kifu {__version__}\n"
