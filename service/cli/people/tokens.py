"""Tokens: credentials of programs and browsers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from events.schemas import is_uuid
from service.access.scopes import ROLES, SCOPES
from service.api.answers.access import LoginLink, MadeToken, TokenFamily, TokenInfo, TokenList, WhoAmI
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.connection import phone_base, with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.group import Group
from service.cli.shell.references import game_id, matches_id
from service.languages import gettext, gettext_noop, ngettext

if TYPE_CHECKING:
    from service.cli.shell.client import Client


@click.group(cls=Group)
def tokens() -> None:
    """Make tokens for programs, list them, revoke them; and links that log a browser in.

    A program can use the rights of its token until the token ends or is revoked. A token is shown only once.
    """


@tokens.command("list")
@click.option("--everybody", is_flag=True, help="Show those of other people, too.")
@json_option
@with_client()
def list_tokens(client: Client, everybody: bool, as_json: bool) -> None:
    """List your tokens, your devices, and the browsers that are logged in."""
    if as_json:
        click.echo(client.fetch("/v1/tokens", everybody=everybody))
        return
    rows = screen.table("id", "kind", "name", "person", "may", "last used", "ends")
    for each in client.get("/v1/tokens", TokenList, everybody=everybody).tokens:
        rows.add_row(
            each.id,
            gettext(KINDS[each.kind]),
            each.name or "–",
            each.person_name or each.person,
            _rights_text(each),
            each.used_on or gettext("never"),
            each.ends_at[:10] if each.ends_at else gettext("never"),
        )
    screen.out().print(rows)


KINDS = {
    "own": gettext_noop("owner's token"),
    "dev": gettext_noop("device"),
    "app": gettext_noop("program"),
    "ses": gettext_noop("browser"),
}


def _rights_text(token: TokenInfo) -> str:
    role = next((name for name, scopes in ROLES.items() if token.scopes == sorted(scopes - {"tokens:write"})), None)
    what = gettext("everything") if token.scopes is None else (role and gettext(role)) or ", ".join(token.scopes)
    if token.games is None:
        return what
    return ngettext("%(what)s, in %(count)s game", "%(what)s, in %(count)s games", len(token.games), what=what)


@tokens.command("make")
@click.argument("name")
@click.option("--role", type=click.Choice(list(ROLES)), help="The rights of the token, as a role.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(list(SCOPES)),
    help="A right of the token. Repeat it for more rights.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="The token works only for this game. Repeat it for more games.",
)
@click.option(
    "--days", type=click.IntRange(1), default=365, show_default=True, help="The number of days until it ends."
)
@json_option
@with_client()
def make_token(
    client: Client,
    name: str,
    role: str | None,
    scopes: tuple[str, ...],
    games: tuple[str, ...],
    days: int,
    as_json: bool,
) -> None:
    """Create a token for a program, NAME, and print it. It is shown only once."""
    body = {"name": name, "role": role, "scopes": list(scopes) or None, "days": days}
    body["games"] = [game_id(client, game) for game in games] or None
    made = client.send("POST", "/v1/tokens", MadeToken, {key: value for key, value in body.items() if value})
    if as_json:
        screen.data(made)
        return
    click.echo(made.token)
    screen.hint(gettext("It may: %(scopes)s. The token is shown only once.", scopes=", ".join(made.info.scopes or [])))


@tokens.command("family")
@click.argument("named", metavar="ID")
@json_option
@with_client()
def show_family(client: Client, named: str, as_json: bool) -> None:
    """Show what was made with a token and still works, and what was read with it.

    Give its id, or four or more characters of its beginning or end. A revoked token needs the whole id.
    """
    id_, _ = _meant(client, named)
    path = f"/v1/tokens/{id_}/family"
    if as_json:
        click.echo(client.fetch(path))
        return
    family = client.get(path, TokenFamily)
    made = screen.table("id", "kind", "name", "last used")
    for each in family.tokens:
        made.add_row(each.id, gettext(KINDS[each.kind]), each.name or "–", each.used_on or gettext("never"))
    for link in family.links:
        made.add_row(link.id, gettext(LINK), link.name or "–", "–")
    for endpoint in family.webhooks:
        made.add_row(endpoint.id, gettext(ENDPOINT), endpoint.url, "–")
    screen.out().print(made) if made.row_count else screen.hint(gettext("Nothing was made with it."))
    read = screen.table("game", "title", "by", "from", "to")
    for seen in family.reads:
        game = seen.game or gettext("all, through the feed")
        read.add_row(game, seen.title or "–", seen.token, seen.first_on, seen.last_on)
    screen.out().print(read) if read.row_count else screen.hint(gettext("Nothing was read with it."))


@tokens.command("revoke")
@click.argument("named", metavar="ID")
@click.option("--keep", is_flag=True, help="Keep what was made with it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_client()
def revoke_token(client: Client, named: str, keep: bool, yes: bool) -> None:
    """Revoke a token by its id, or four or more characters of its beginning or end.

    Everything that was made with it ends, too, such as browsers that were logged in.
    """
    id_, name = _meant(client, named)
    if not keep and not yes and (made := _counted(client.get(f"/v1/tokens/{id_}/family", TokenFamily))):
        click.confirm(
            gettext("This was made with it, and ends with it: %(made)s. Revoke it all?", made=made),
            abort=True,
            err=True,
        )
    client.send("DELETE", f"/v1/tokens/{id_}", type(None), made="keep" if keep else "end")
    screen.out().print(gettext("%(name)s no longer works.", name=name))


LINK, ENDPOINT = gettext_noop("share link"), gettext_noop("endpoint")


def _counted(family: TokenFamily) -> str:
    """What was made with a token: each kind with its number."""
    kinds = (
        [KINDS[each.kind] for each in family.tokens] + [LINK] * len(family.links) + [ENDPOINT] * len(family.webhooks)
    )
    return ", ".join(f"{count} × {gettext(kind)}" for kind, count in Counter(kinds).items())


def _meant(client: Client, named: str) -> tuple[str, str]:
    """The id and the name of the meant token. Raises `CommandError`."""
    everybody = "admin" in client.get("/v1/token", WhoAmI).scopes
    listed = client.get("/v1/tokens", TokenList, everybody=everybody).tokens
    found = [each for each in listed if matches_id(each.id, named)]
    if not found and is_uuid(named):  # it has ended, and its family may go on
        return named, named
    if len(found) != 1:
        why = (
            gettext("%(named)s matches %(found)s tokens", found=len(found), named=named)
            if found
            else gettext("no token has the id %(named)s", named=named)
        )
        raise CommandError(why, gettext("`kifu tokens list` shows all tokens."))
    return found[0].id, found[0].name or gettext(KINDS[found[0].kind])


@tokens.command("rotate")
@click.option("--end", is_flag=True, help="End what was made with it, too: for a token that others may have seen.")
@json_option
@with_client()
def rotate_token(client: Client, end: bool, as_json: bool) -> None:
    """Replace the token that this command uses by a new one.

    The token of the data folder is the owner's. The new one is written there. The old one and all log-ins of the owner
    end.
    """
    made = client.send("POST", "/v1/token/rotation", MadeToken, made="end" if end else None)
    if as_json:
        screen.data(made)
    elif made.info.kind == "own":
        screen.out().print(gettext("The owner's token was replaced. The new one is in owner.token of the data folder."))
    else:
        click.echo(made.token)
        screen.hint(gettext("The old one has ended.") if end else gettext("The old one works for five more minutes."))


@tokens.command("link")
@json_option
@with_client()
def make_link(client: Client, as_json: bool) -> None:
    """Print a link that logs a browser in: once, within fifteen minutes."""
    link = client.send("POST", "/v1/login-links", LoginLink)
    if as_json:
        screen.data(link)
        return
    if "://" not in client.where:
        raise CommandError(gettext("no service is running"), gettext("Start one with `kifu serve`."))
    click.echo(f"{phone_base(client, link.base)}{link.path}")
