"""Settings: the place of the data, the address of the service and more, from the environment or the command line."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import msgspec
import msgspec.inspect
import msgspec.structs

from events import limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from events.tree.cosigning import Cosigner

_MOST = 1 << 40
"""More of anything than there can be, and few enough to be counted with."""

_LONGEST = 40
"""The most characters of a bad value that a message repeats."""

Natural = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=_MOST)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a deployment. The variable of a field is `KIFU_` and its name in capitals."""

    data: Path = Path("data")
    """The data folder: the log, its heads, the read models, the tree with its key, the owner's token."""
    host: str = "127.0.0.1"
    """The address to listen on; anything else than loopback is a choice to be made."""
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8080
    https: bool = False
    """Whether to speak HTTPS, with a certificate of a local authority; plain HTTP only explains it then."""
    proxies: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """How many proxies stand in front and are believed what they say of a client: its address, scheme and host."""
    metrics: Literal["owner", "open"] = "owner"
    """Who may read the metrics: the owner, or anybody."""
    tree: Literal["token", "open"] = "token"
    """Who may read the tree: those with a token for it, or everybody, while no leaf of it tells anything."""
    database_url: str = ""
    """A PostgreSQL database to keep the log in, with names and components, instead of the data folder."""
    replica_url: str = ""
    """Standbys of that database, with spaces between. Large reads use them."""
    tree_key: str = ""
    """The file with the key that signs the tree, for all hosts of a database; made if there is none. By default each
    data folder has its own."""
    witnesses: str = ""
    """A file with witnesses that are asked to cosign the tree: a line has the key and the address of one."""
    redis_url: str = ""
    """A Redis or Valkey to use instead of the embedded one."""
    bgg_token: str = ""
    """The user's token for BoardGameGeek, a secret: it is sent there alone, and stored and shown nowhere."""
    bgg_url: str = "https://boardgamegeek.com/xmlapi2"
    """The address of BoardGameGeek's API, or of a mirror."""
    log: Literal["text", "json"] = "text"
    """How processes say what happens: lines for people, or JSON, with a line for each request."""
    quiet: Annotated[float, msgspec.Meta(gt=0, le=60)] = 0.3
    """Seconds without a new entry after which a game's score is audited by a worker."""
    reads: Natural = 600
    """How many requests a minute a token, or an address without one, may read with; 0 for any."""
    writes: Natural = 120
    """How many requests a minute a token may write with; 0 for any."""
    guesses: Natural = 20
    """How many tokens, codes and links a minute an address may be wrong about; 0 for any."""
    streams: Positive = 2000
    """How many streams there can be at once."""
    streams_each: Natural = 64
    """How many of them a token, or an address without one, can have; 0 for any."""
    webhook_private: bool = False
    """Whether webhooks may go to addresses of private networks, and over plain HTTP there."""
    spare: Literal["on", "off"] = "on"
    """Whether finished games are analysed in spare time."""
    rest: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 30.0
    """Seconds after an entry without work in spare time."""
    audit: Natural = 36
    """Seconds of work an hour on proving records and rules, when there is nothing else to do; 0 for none."""
    analysis_game: Natural = 900
    """Seconds of the processor for asked-for analyses that a game can have within a day; 0 for any."""
    analysis_person: Natural = 1800
    """Seconds of the processor for asked-for analyses that somebody can have within a day; 0 for any."""
    web_processes: Annotated[int, msgspec.Meta(ge=1, le=64)] = 1
    """How many processes answer requests."""
    threads: Positive = 16
    """How many requests each of them works on at once."""
    connections: Positive = 1024
    """How many connections one address may have."""
    max_body: Positive = limits.BODY
    """Bytes that a request's body may have."""
    max_import: Positive = limits.IMPORT
    """Bytes that an imported file may have."""

    def as_environment(self) -> dict[str, str]:
        """The variables of these settings: `from_environment` makes the same settings again."""
        return {f"KIFU_{name.upper()}": str(value) for name, value in msgspec.structs.asdict(self).items()}


METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder in which several processes count together, where there are several."""


class BadSettingError(Exception):
    """A setting has an invalid value. The message names the variable."""


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of this process. Raises `BadSettingError`."""
    values: dict[str, object] = {}
    for field in _fields():
        variable = f"KIFU_{field.name.upper()}"
        text = environment.get(variable)
        if text is not None:
            try:
                values[field.name] = (
                    Path(text) if field.type is Path else msgspec.convert(text, field.type, strict=False)
                )
            except (msgspec.ValidationError, UnicodeEncodeError):
                raise BadSettingError(f"{variable} is {_expected(field.type)}, not {_shown(text)}") from None
    settings = Settings(**values)  # type: ignore[arg-type]
    cosigners(settings)
    return settings


def _expected(kind: object) -> str:
    """The values that a setting may have, in words."""
    match msgspec.inspect.type_info(kind):
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.LiteralType():
            return " or ".join(get_args(kind))
        case msgspec.inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case msgspec.inspect.FloatType(gt=None, ge=least, le=most):
            return f"a number from {least:g} to {most:g}"
        case msgspec.inspect.FloatType(gt=above, le=most):
            return f"a number above {above:g} and up to {most:g}"
    return "a text"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


@cache
def _fields() -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(Settings)


def cosigners(settings: Settings) -> tuple[Cosigner, ...]:
    """The witnesses that cosign. Raises `BadSettingError`."""
    if not settings.witnesses:
        return ()
    from events.tree.cosigning import parse_cosigners  # noqa: PLC0415 - cryptography takes its time to load

    try:
        return parse_cosigners(Path(settings.witnesses).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadSettingError(f"KIFU_WITNESSES={settings.witnesses!r}: {error}") from None
