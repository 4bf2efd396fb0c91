"""Webhooks: signed messages to other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from service.api.answers.webhooks import DeliveryInfo, DeliveryList, MadeWebhook, WebhookInfo, WebhookList
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.group import Group
from service.cli.shell.references import game_id, matches_id, short_id
from service.languages import gettext, ngettext
from service.webhooks.messages import FORMATS, STANDARD, TYPES

if TYPE_CHECKING:
    from service.cli.shell.client import Client


@click.group(cls=Group)
def webhooks() -> None:
    """Send signed messages about games, clubs, seasons and tournaments that you may see to other programs."""


@webhooks.command("list")
@click.option("--everybody", is_flag=True, help="Show those of other people, too.")
@json_option
@with_client()
def list_webhooks(client: Client, everybody: bool, as_json: bool) -> None:
    """List the endpoints and their state."""
    if as_json:
        click.echo(client.fetch("/v1/webhooks", everybody=everybody))
        return
    found = client.get("/v1/webhooks", WebhookList, everybody=everybody).webhooks
    rows = screen.table("id", "url", "messages about", "state", "waiting", "failed", right=("waiting", "failed"))
    for each in found:
        rows.add_row(each.id, each.url, _filter_text(each), gettext(each.state), str(each.waiting), str(each.failed))
    screen.out().print(rows) if found else screen.hint(gettext("There are no webhooks."))
    for each in found:
        if each.why:
            screen.warn(f"{each.url}: {each.why}", gettext("`kifu webhooks enable` begins again."))


def _filter_text(webhook: WebhookInfo) -> str:
    filters = webhook.filter
    games, people = len(filters.games or ()), len(filters.people or ())
    parts = [ngettext("%(count)s game", "%(count)s games", games)] * bool(games)
    parts += [ngettext("%(count)s person", "%(count)s people", people)] * bool(people)
    return ", ".join([*parts, *(filters.rulesets or ()), *(filters.types or ())]) or gettext("everything")


@webhooks.command("add")
@click.argument("target", metavar="URL")
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="Only of this game, or the club, season or tournament of this id; can be given several times.",
)
@click.option("--person", "people", multiple=True, metavar="ID", help="Only of games with this player.")
@click.option("--ruleset", "rulesets", multiple=True, help="Only of games of this ruleset.")
@click.option("--type", "types", multiple=True, type=click.Choice(list(TYPES)), help="Only messages of this type.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default=STANDARD,
    show_default=True,
    help="The form of the messages.",
)
@click.option("--description", default="", help="What it is for.")
@json_option
@with_client()
def add_webhook(
    client: Client,
    target: str,
    games: tuple[str, ...],
    people: tuple[str, ...],
    rulesets: tuple[str, ...],
    types: tuple[str, ...],
    form: str,
    description: str,
    as_json: bool,
) -> None:
    """Send messages about new entries to URL, and print the secret that signs them. It is shown only once."""
    wanted = {
        "games": [game_id(client, game) for game in games],
        "people": people,
        "rulesets": rulesets,
        "types": types,
    }
    filters = {name: list(found) for name, found in wanted.items() if found}
    body = {"url": target, "format": form, "description": description, "filter": filters}
    made = client.send("POST", "/v1/webhooks", MadeWebhook, body)
    if as_json:
        screen.data(made)
        return
    click.echo(made.secret)
    screen.hint(gettext("Messages are signed with it. Nobody can show it again."))


@webhooks.command("remove")
@click.argument("named", metavar="ID")
@with_client()
def remove_webhook(client: Client, named: str) -> None:
    """Remove an endpoint by its id, or four or more characters of its beginning or end."""
    found = _named(client, named)
    client.send("DELETE", f"/v1/webhooks/{found.id}", type(None))
    screen.out().print(gettext("%(url)s gets no more messages.", url=found.url))


@webhooks.command("enable")
@click.argument("named", metavar="ID")
@with_client()
def enable_webhook(client: Client, named: str) -> None:
    """Send to a disabled or stopped endpoint again, also the messages that it missed."""
    found = client.send("PATCH", f"/v1/webhooks/{_named(client, named).id}", WebhookInfo, {"enabled": True})
    screen.out().print(gettext("%(url)s is %(state)s.", url=found.url, state=gettext(found.state)))


@webhooks.command("test")
@click.argument("named", metavar="ID")
@json_option
@with_client()
def test_webhook(client: Client, named: str, as_json: bool) -> None:
    """Send a test message to an endpoint."""
    sent = client.send("POST", f"/v1/webhooks/{_named(client, named).id}/test", DeliveryInfo)
    if as_json:
        screen.data(sent)
        return
    screen.out().print(gettext("On its way as %(webhook_id)s.", webhook_id=sent.webhook_id))
    screen.hint(gettext("`kifu webhooks deliveries %(named)s` tells in a moment whether it has arrived.", named=named))


@webhooks.command("deliveries")
@click.argument("named", metavar="ID")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many.")
@json_option
@with_client()
def list_deliveries(client: Client, named: str, limit: int, as_json: bool) -> None:
    """List the messages to an endpoint, the newest first, with its answers."""
    path = f"/v1/webhooks/{_named(client, named).id}/deliveries"
    if as_json:
        click.echo(client.fetch(path, limit=limit))
        return
    rows = screen.table("made", "message", "game", "entries", "state", "attempts", "last answer")
    for each in client.get(path, DeliveryList, limit=limit).deliveries:
        game = short_id(each.game) if each.game else "–"
        entries = "–" if each.from_ is None else f"{each.from_}–{each.to}"
        rows.add_row(
            each.made_at[:19], each.type, game, entries, gettext(each.state), str(len(each.attempts)), _at_last(each)
        )
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("No message was sent to it yet."))


def _at_last(delivery: DeliveryInfo) -> str:
    if not delivery.attempts:
        return "–"
    last = delivery.attempts[-1]
    return last.error or str(last.status)


def _named(client: Client, named: str) -> WebhookInfo:
    found = [each for each in client.get("/v1/webhooks", WebhookList).webhooks if matches_id(each.id, named)]
    if len(found) != 1:
        why = (
            gettext("%(named)s matches %(found)s endpoints", found=len(found), named=named)
            if found
            else gettext("no endpoint has the id %(named)s", named=named)
        )
        raise CommandError(why, gettext("`kifu webhooks list` shows those that there are."))
    return found[0]
