"""Rulesets: which games are known, and their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from games.contract import choice_texts, option_text
from service.answers import RulesetDetail, RulesetList
from service.cli import screen, wording
from service.cli.arguments import json_option
from service.cli.connection import connected
from service.cli.references import segment

if TYPE_CHECKING:
    from service.answers import AdjustmentInfo
    from service.cli.client import Client

SWITCH = "option"
"""The adjustment that switches an option of the ruleset."""


@click.command()
@click.argument("name", default="")
@json_option
@connected(anywhere=True)
def rulesets(client: Client, name: str, as_json: bool) -> None:
    """List the rulesets, or show one: seats, options, notation and rules."""
    path = f"/v1/rulesets/{segment(name)}" if name else "/v1/rulesets"
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
        choices = " | ".join(choice_texts(option.choices))
        out.print(f"--option {option.name}={choices}   {option.title.en} (default {option_text(option.default)})")
    out.print(Text("\nNotation", style="bold"))
    out.print(ruleset.notation_help)
    if ruleset.adjustments:
        out.print(Text("\nAdjustments of a ruling", style="bold"))
    for adjustment in ruleset.adjustments:
        out.print(f"{example_of(ruleset, adjustment)}\n    {adjustment.help}")
    out.print(Text("\nRules", style="bold"))
    for rule in ruleset.rules:
        out.print(Text(f"{rule.id}  {rule.en} / {rule.ja}", style="bold"))
        out.print(wording.prose(rule.text))


def example_of(ruleset: RulesetDetail, adjustment: AdjustmentInfo) -> str:
    """An adjustment as one types it, with values that its fields can have."""
    switched = _switched(ruleset) if adjustment.name == SWITCH else {}
    fields = {name: form for name, form in adjustment.schema["properties"].items() if name != "type"}
    values = [
        f"{name}={switched.get(name) or _sample(ruleset, form, number)}"
        for number, (name, form) in enumerate(fields.items())
    ]
    return " ".join([adjustment.name, *values])


def _sample(ruleset: RulesetDetail, form: dict[str, Any], number: int) -> str:
    """A value of the field `number`, which has this JSON Schema."""
    form = form.get("anyOf", [form])[0]
    if "x-seat" in form:
        return ruleset.seat_names[0].en.replace(" ", "")
    if "enum" in form:
        return str(form["enum"][number % len(form["enum"])])
    if form["type"] == "array":
        items: dict[str, Any] = form["items"]
        count = ruleset.min_seats if items.get("type") == "integer" else 1
        return ",".join(_sample(ruleset, items, place) for place in range(count))
    return str(min(number + 1, form.get("maximum", number + 1)))


def _switched(ruleset: RulesetDetail) -> dict[str, str]:
    """The values that switch an option of the ruleset."""
    for option in ruleset.options:
        if option.switchable:
            other = next(choice for choice in option.choices if choice != option.default)
            return {"name": option.name, "value": option_text(other)}
    return {}


def _seats(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"
