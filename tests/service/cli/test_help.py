"""Every command is explained, by itself and in the document of the commands."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.shell_completion import ShellComplete

from service import __version__
from service.cli.commands import kifu as command
from service.languages import locales
from tests import documents, warm
from tests.cases import cases

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    for name, each in group.commands.items():
        if isinstance(each, click.Group):
            yield from commands(each, f"{path} {name}")
        else:
            yield f"{path} {name}", each


DOCUMENT = documents.TEXTS["docs/commands.md"]
COMMANDS = dict(commands(command, "kifu"))


@cases("name", COMMANDS)
def test_every_command_and_option_says_what_it_is_for(untouched, name):
    helped = untouched(*name.split()[1:], "--help")
    assert helped.startswith(f"Usage: {name} ")
    assert COMMANDS[name].help
    undescribed = [each.name for each in COMMANDS[name].params if isinstance(each, click.Option) and not each.help]
    assert undescribed == []


def test_the_document_has_every_command():
    assert [name for name in COMMANDS if f"`{name}" not in DOCUMENT] == []


def test_the_commands_stand_in_the_order_in_which_one_needs_them(kifu):
    helped = kifu("--help")
    places = [
        helped.index(f"\n  {name} ") for name in ("serve", "open", "record", "show", "export", "verify", "rulesets")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("language", locales())
def test_a_list_of_commands_has_whole_sentences(kifu, language):
    """It had `export  ...` in Japanese, and half of an English sentence for most commands."""
    for group in ((), ("tokens",), ("clubs",), ("rulesets",)):
        helped = kifu("--lang", language, *group, "--help")
        listed = helped[helped.rindex("\n\n") :]
        assert "  " in listed
        assert "..." not in listed


COMPLETED = {
    "exp": {"export"},
    "export last --fo": {"--format", "--force"},
    "export last --format t": {"text"},
    "players ": {"list", "listing", "name", "erase", "held"},
    "close last --as a": {"adjudicated", "abandoned"},
}


@cases("words", COMPLETED)
def test_commands_options_and_values_are_completed(words):
    *before, last = words.split(" ")
    offered = ShellComplete(command, {}, "kifu", "_KIFU_COMPLETE").get_completions(before, last)
    assert {each.value for each in offered if each.value.startswith(last)} == COMPLETED[words]


@pytest.mark.programs
def test_bash_completes_a_command_as_the_document_has_it():
    """The script for bash asks the same completion; to start the command takes half a second for each of the words."""
    (setting_up,) = [line for line in DOCUMENT.splitlines() if "bash_source" in line]
    words = "export last --fo"
    *before, last = f"kifu {words}".split(" ")
    script = f"""{setting_up.strip()}
        COMPREPLY=() COMP_WORDS=({shlex.join(before)} {shlex.quote(last)}) COMP_CWORD={len(before)}
        _kifu_completion kifu 2>/dev/null; echo "${{COMPREPLY[@]}}" """
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", f"{script}\ncomplete -p kifu"],
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    found, bound = done.stdout.splitlines()
    assert set(found.split()) == COMPLETED[words]
    assert bound.endswith("-F _kifu_completion kifu")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.programs
def test_every_shell_of_the_document_has_a_completion(shell):
    assert f"_KIFU_COMPLETE={shell}_source kifu" in DOCUMENT
    program = [sys.executable, "-m", "service.cli"]
    asked = os.environ | {"_KIFU_COMPLETE": f"{shell}_source", "PYTHONPATH": str(ROOT)}
    script = warm.run(program, env=asked, text=True).stdout
    assert f"_KIFU_COMPLETE={shell}_complete" in script


ANSWERED = {
    "kifu components show",
    "kifu export",
    "kifu players held",
    "kifu rulesets sheet",
    "kifu tables",
    "kifu dataset",
    "kifu clubs export",
    "kifu tournaments export",
    "kifu seasons export",
    "kifu tournaments open",
    "kifu tree checkpoint",
    "kifu tree key",
}
"""Commands that answer with JSON, a file, or one line, anyway."""
SILENT = {
    "kifu clubs uninvite",
    "kifu links revoke",
    "kifu tokens revoke",
    "kifu webhooks remove",
    "kifu webhooks enable",
    "kifu people forbid",
    "kifu people split",
    "kifu people withdraw",
    "kifu login",
    "kifu logout",
    "kifu serve",
    "kifu players erase",
    "kifu players listing",
    "kifu components delete",
    "kifu prepare-database",
}
"""Commands that have nothing to tell but that it is done."""


def test_every_command_that_prints_data_can_print_it_as_json():
    plain = {name for name, each in COMMANDS.items() if all("--json" not in option.opts for option in each.params)}
    assert plain == ANSWERED | SILENT


def test_exit_codes_are_those_of_the_document(kifu):
    codes = dict(re.findall(r"^\| `(\d)` \| (.+?) \|$", DOCUMENT, re.MULTILINE))
    assert list(codes) == ["0", "1", "2", "3"]  # the last one is that of an audit: see `test_witness`
    assert kifu.run("rulesets").exit_code == 0
    assert kifu.run("show", "last").exit_code == 1
    assert kifu.run("show").exit_code == 2
    assert kifu.run("show", "last", "--at", "x").exit_code == 2
    assert kifu.run("nonsense").exit_code == 2
    kifu.open()
    assert kifu.run("players", "erase", "Nobody").exit_code == 1
    assert kifu.run("note", "last", " ").exit_code == 1


def test_the_version_is_told(kifu):
    assert kifu("--version") == f"kifu {__version__}\n"
