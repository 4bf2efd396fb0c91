"""Logging in to a service elsewhere, by a code that somebody types in a browser there; and logging out."""

from __future__ import annotations

import platform
import time
from typing import TYPE_CHECKING

import click

from events import limits
from service.access.scopes import ROLES, SCOPES
from service.api.answers.access import AccessToken, DeviceAuthorization
from service.api.schemas.access import DEVICE_GRANT
from service.cli.shell import logins, screen
from service.cli.shell.client import Client, NotGrantedError, RefusedError, UnexpectedAnswerError, UnreachableError
from service.cli.shell.connection import ca_option, reach
from service.cli.shell.failures import CommandError
from service.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from pathlib import Path

SLOWER = 5
"""How many seconds longer to wait from then on, when the service says so or does not answer (RFC 8628)."""

REFUSED = {
    "access_denied": gettext_noop("it was refused"),
    "expired_token": gettext_noop("the code has expired"),
    "invalid_grant": gettext_noop("the service no longer knows this code"),
}

url_argument = click.argument("url", envvar="KIFU_URL", metavar="URL")


@click.command()
@url_argument
@click.option(
    "--role", type=click.Choice(list(ROLES)), help="The rights to ask for, as a role; all rights if left out."
)
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(list(SCOPES)),
    help="A right to ask for. Repeat it for more rights.",
)
@ca_option
def login(url: str, role: str | None, scopes: tuple[str, ...], ca: Path | None) -> None:
    """Log in to the service at URL. Later commands with this --url use the token that it gives.

    Prints a code and waits. Type the code in a browser that is logged in at the service. The token has at most the
    rights of the person who types the code. It is kept in a file that nobody else may read.
    """
    if role and scopes:
        raise click.UsageError(gettext("give a role or scopes, not both"))
    where, before = logins.address(url), logins.load_all()
    wanted = scopes or tuple(scope for scope in SCOPES if role is None or scope in ROLES[role] - {"tokens:write"})
    with reach(where, None, ca) as client:
        found = _asked(client, " ".join(wanted))
    try:
        logins.store(where, found.access_token)
    except OSError:
        _end(where, found.access_token, ca)  # nobody has it then
        raise
    if where in before:
        _end(where, before[where], ca)
    screen.out().print(
        gettext("Logged in to %(where)s, for %(expires_in)s days.", where=where, expires_in=found.expires_in // 86_400)
    )
    screen.hint(
        gettext(
            "It may: %(split)s. `kifu logout %(where)s` ends it.", split=", ".join(found.scope.split()), where=where
        )
    )


@click.command()
@url_argument
@ca_option
def logout(url: str, ca: Path | None) -> None:
    """Log out of the service at URL: its token ends there, and is deleted here.

    What was made with the token still works. `kifu tokens revoke` ends that, too.
    """
    where = logins.address(url)
    token = logins.load_all().get(where)
    if token is None:
        raise CommandError(
            gettext("you are not logged in to %(where)s", where=where),
            *(gettext("You are logged in to %(each)s.", each=each) for each in logins.load_all()),
        )
    why = _end(where, token, ca)
    logins.store(where, None)
    screen.out().print(gettext("Logged out of %(where)s.", where=where))
    if why:
        screen.warn(
            gettext("The token could not be ended there: %(why)s", why=why),
            gettext("`kifu tokens revoke` does it, with another token."),
        )


def wait(seconds: float) -> None:
    """Wait until the next request is due."""
    time.sleep(seconds)


def _asked(client: Client, scope: str) -> AccessToken:
    """Ask for a token, and wait until somebody has decided. Raises `CommandError`."""
    name = " on ".join(filter(None, ("kifu", platform.node())))[: limits.NAME]
    begun = client.form("/v1/oauth/device_authorization", DeviceAuthorization, {"client_id": name, "scope": scope})
    if not all(text.isprintable() for text in (begun.user_code, begun.verification_uri_complete)):
        raise UnexpectedAnswerError(client.where, gettext("the QR code cannot be shown"))
    click.echo(
        gettext(
            "Open %(verification_uri)s in a browser that is logged in, and type the code %(user_code)s",
            verification_uri=begun.verification_uri,
            user_code=begun.user_code,
        )
    )
    screen.qr(begun.verification_uri_complete)
    form = {"grant_type": DEVICE_GRANT, "device_code": begun.device_code, "client_id": name}
    waited, interval = 0, max(begun.interval, 1)
    while waited <= begun.expires_in:
        wait(interval)
        waited += interval
        try:
            return client.form("/v1/oauth/token", AccessToken, form)
        except NotGrantedError as error:
            if error.error not in {"authorization_pending", "slow_down"}:
                raise CommandError(
                    gettext("not logged in: %(error)s", error=gettext(REFUSED.get(error.error, str(error))))
                ) from error
            interval += SLOWER * (error.error == "slow_down")
        except (UnreachableError, RefusedError) as error:
            if isinstance(error, RefusedError) and error.problem.status != 429:
                raise
            interval += SLOWER
    late = REFUSED["expired_token"]
    raise CommandError(gettext("not logged in: %(error)s", error=gettext(late)))


def _end(where: str, token: str, ca: Path | None) -> str | None:
    """End a token. Returns the reason if it may still work."""
    try:
        with reach(where, token, ca) as client:
            try:
                client.send("DELETE", "/v1/token", type(None), made="keep")
            except RefusedError as error:
                if error.problem.status != 400:
                    raise
                client.send("DELETE", "/v1/token", type(None))  # an older release ends nothing else, and is not asked
    except RefusedError as error:
        return None if error.problem.name == "token-unknown" else str(error)
    except (UnreachableError, UnexpectedAnswerError) as error:
        return str(error)
    return None
