"""Rulesets: which games are known, and their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import click
from rich.text import Text

from service.answers import RulesetDetail, RulesetList
from service.cli import screen
from service.cli.connection import connected
from service.cli.games import json_option

if TYPE_CHECKING:
    from service.cli.client import Client


@click.command()
@click.argument("name", default="")
@json_option
@connected(anywhere=True)
def rulesets(client: Client, name: str, as_json: bool) -> None:
    """List the rulesets, or show one: seats, options, notation and rules."""
    path = f"/v1/rulesets/{quote(name, safe='')}" if name else "/v1/rulesets"
    if as_json:
        click.echo(client.fetch(path))
    elif name:
        _show(client.get(path, RulesetDetail))
    else:
        rows = screen.table("name", "title", "", "seats", "revision", right=("revision",))
        for known in client.get(path, RulesetList).rulesets:
            rows.add_row(
                known.name,
                known.title.en,
                known.title.ja,
                _seats(known.min_seats, known.max_seats),
                str(known.revision),
            )
        screen.out().print(rows)


def _show(ruleset: RulesetDetail) -> None:
    out = screen.out()
    out.print(
        Text(f"{ruleset.title.en} / {ruleset.title.ja}", style="bold").append(
            f"  {ruleset.name}, revision {ruleset.revision}", style="not bold dim"
        )
    )
    names = ", ".join(title.en for title in ruleset.seat_names)
    out.print(f"{_seats(ruleset.min_seats, ruleset.max_seats)} seats: {names}")
    for option in ruleset.options:
        choices = " | ".join(str(choice).lower() for choice in option.choices)
        out.print(f"--option {option.name}={choices}   {option.title.en} (default {str(option.default).lower()})")
    out.print(Text("\nNotation", style="bold"))
    out.print(ruleset.notation_help)
    out.print(Text("\nRules", style="bold"))
    for rule in ruleset.rules:
        out.print(Text(f"{rule.id}  {rule.en} / {rule.ja}", style="bold"))
        out.print(" ".join(rule.text.split()))


def _seats(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"
