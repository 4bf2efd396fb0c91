"""Logins: the tokens of `kifu login` by service address, in a file that only the user can read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click
import httpx
import msgspec

from events import safekeeping
from service.cli.shell.failures import CommandError
from service.languages import gettext

FILE = "logins.json"
FILE_LIMIT = 1 << 20
"""Bytes that are read of the file."""


def path() -> Path:
    """The file of logins: `~/.config/kifu/logins.json`, or the system's place for such files."""
    return Path(click.get_app_dir("kifu")) / FILE


def address(url: str) -> str:
    """The address of a service in its normal form. Raises `CommandError`."""
    try:
        found = httpx.URL(url.strip())
    except httpx.InvalidURL as error:
        raise CommandError(gettext("%(url)s is not a URL: %(error)s", url=f"{url!r}", error=error)) from error
    if found.scheme not in {"http", "https"} or not found.host or found.userinfo or found.query or found.fragment:
        raise CommandError(
            gettext("%(url)s is not the address of a service", url=f"{url!r}"),
            gettext("An address looks like https://kifu.example."),
        )
    return str(found).rstrip("/")


def load_all() -> dict[str, str]:
    """All stored tokens, by address. Raises `CommandError`, `OSError`."""
    content = safekeeping.get(path(), FILE_LIMIT)
    try:
        return msgspec.json.decode(content, type=dict[str, str]) if content else {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CommandError(
            gettext("%(path)s is damaged", path=path()), gettext("Remove it, and log in again.")
        ) from None


def token_for(url: str) -> str | None:
    """The stored token for a service. Raises `CommandError` for a damaged file."""
    try:
        where = address(url)
    except CommandError:
        return None  # nobody can log in there; the command that connects says why
    with suppress(OSError):
        return load_all().get(where)
    return None  # without it one sees games as the public does


def store(url: str, token: str | None) -> None:
    """Store the token of a service, or remove it with None. Raises `CommandError`, `OSError`."""
    found = {each: other for each, other in load_all().items() if each != address(url)}
    if token is not None:
        found[address(url)] = token
    if not found:
        path().unlink(missing_ok=True)
        return
    path().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    safekeeping.put(path(), msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
