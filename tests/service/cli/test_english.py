"""No English on a command line that speaks Japanese: what commands print and complain of is read through."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from games.rulesets import SHIPPED
from tests.english import english
from tests.service.languages.test_english import typed

if TYPE_CHECKING:
    from tests.service.cli.conftest import Kifu

USAGE = re.compile(
    r"^(?:使い方:|  ?--|'kifu ).*|--option .*|^[a-z]+ \w+=.*(?:\n\S+=?\S*$)?|\bkifu(?: open \w+)?\b", re.MULTILINE
)
"""What is typed: how a command is called, options with their choices, and samples of rulings."""
NAMES = re.compile(r"Anna|Ben|Ctrl-C|seat=|\b(?:resign|adjudge|option|bridge|ship|card|url|[0-9a-f]{8})\b")
"""What rulings are called as one types them, and ends of ids."""


def commands(game: str, sheet: str) -> tuple[tuple[str, ...], ...]:
    """Commands that print something or complain, each in another way."""
    return (
        *(("rulesets", name) for name in SHIPPED if name != "scoresheet"),
        *((name, game) for name in ("show", "score", "replay", "moves", "claims", "forks")),
        ("rulesets",),
        ("games",),
        ("verify",),
        ("players", "list"),
        ("tokens", "list"),
        ("show", sheet),
        ("show", game, "--at", "99"),
        ("show", "nonsense"),
        ("rule", game, "points", "seat=White", "points=-3", "--reason", "日"),
        ("rule", game, "nonsense", "--reason", "日"),
        ("undo", game, "99"),
        ("replace", game, "3", "x", "--reason", "日"),
        ("close", game, "--how", "finished"),
        ("webhooks", "add", "http://192.0.2.1"),
        ("open", "chess"),
        ("open", "kahuna", "--option", "x=1"),
        ("import", "/dev/null"),
        ("serve", "--port", "99999"),
        ("serve", "--port", "x"),
        ("serve", "--help"),
        ("show",),
    )


@pytest.mark.slow
def test_no_command_speaks_english_in_japanese(kifu: Kifu) -> None:
    game = kifu.play()
    sheet = kifu("open", "scoresheet", "--option", "template=plain").strip()
    known, found = typed(), {}
    for command in commands(game, sheet):
        printed = kifu.run("--lang", "ja", *command).output
        if runs := english(NAMES.sub("", USAGE.sub("", printed)), known):
            found[command] = runs
    assert found == {}


@pytest.mark.slow
def test_a_complaint_without_advice_does_not_show_the_head_of_a_catalogue(kifu: Kifu) -> None:
    kifu.open()
    output = kifu.fails("--lang", "ja", "webhooks", "add", "http://192.0.2.1")
    assert "https だけが使えます" in output
    assert "Content-Type" not in output
