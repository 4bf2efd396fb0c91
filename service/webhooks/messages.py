"""The messages: their content, form and signature. They are thin: they say where to look."""

from __future__ import annotations

import base64
import secrets
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

import msgspec
import standardwebhooks

from events.event import timestamp
from events.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from events.kinds import Kind
    from workers.differences import StoredDifference

OPENED = "game.opened"
APPENDED = "game.entries.appended"
OF_CLUBS = "club.entries.appended"
OF_SEASONS = "season.entries.appended"
OF_TOURNAMENTS = "tournament.entries.appended"
CLOSED = "game.closed"
REOPENED = "game.reopened"
DIFFERS = "audit.differs"
TEST = "webhook.test"

TYPES = {
    OPENED: "A game was opened.",
    APPENDED: "Entries were recorded: moves, corrections, rulings, notes. What came quickly is told together.",
    CLOSED: "The record of a game was closed.",
    REOPENED: "The record of a game was opened again.",
    OF_CLUBS: "Entries of a club were recorded.",
    OF_SEASONS: "Entries of a season were recorded.",
    OF_TOURNAMENTS: "Entries of a tournament were recorded: players, rounds, results.",
    DIFFERS: "The self-audit found that something differs: told once, and only to an endpoint whose filter names it.",
}
"""What an endpoint can be told, but for trials."""

OTHERS: dict[str, Kind] = {OF_CLUBS: "club", OF_SEASONS: "season", OF_TOURNAMENTS: "tournament"}
"""The kinds of records that are not games, by the type of their messages."""

APPENDING = frozenset({APPENDED, *OTHERS})
"""The types of messages that take in the entries that come after theirs."""

STANDARD, CLOUDEVENTS = FORMATS = ("standard", "cloudevents")
"""How messages are written: as Standard Webhooks has it, or as CloudEvents 1.0 in one JSON object."""

MEDIA_TYPES = {STANDARD: "application/json", CLOUDEVENTS: "application/cloudevents+json"}

LONGEST_URL = 2000
"""Characters that the URL of an endpoint may have."""

_ID = 32
"""Hexadecimal digits of a message's id: 128 bits."""

_SECRET = 32
"""Random bytes of a secret: the standard has 24 to 64."""


class GameData(msgspec.Struct, frozen=True, kw_only=True):
    """The new entries of a game: `from` a version `to` another one, which is at `url`.

    `head` is the hash of the last one; null for a receiver who may not know it.
    """

    game: str
    from_: int = msgspec.field(name="from")
    to: int
    head: str | None
    url: str


class RecordData(msgspec.Struct, frozen=True, kw_only=True):
    """As `GameData`, of a club, a season or a tournament."""

    record: str
    from_: int = msgspec.field(name="from")
    to: int
    head: str | None
    url: str


class AuditData(msgspec.Struct, frozen=True, kw_only=True):
    """A difference: the `subject`, a game or a simulated one (`kahuna/3/17`), and the `kind` of thing.

    Its details are under `audit` in the health of the service, which is at `url`.
    """

    subject: str
    kind: str
    url: str


class TrialData(msgspec.Struct, frozen=True, kw_only=True):
    """The endpoint of a trial."""

    webhook: str
    url: str


class GameMessage(msgspec.Struct, frozen=True, kw_only=True):
    """Entries of a game were recorded. `timestamp` is the time of the last one."""

    type: Literal["game.opened", "game.entries.appended", "game.closed", "game.reopened"]
    timestamp: str
    data: GameData


class RecordMessage(msgspec.Struct, frozen=True, kw_only=True):
    """Entries of a club, a season or a tournament were recorded."""

    type: Literal["club.entries.appended", "season.entries.appended", "tournament.entries.appended"]
    timestamp: str
    data: RecordData


class AuditMessage(msgspec.Struct, frozen=True, kw_only=True):
    """The self-audit found a difference, at `timestamp`."""

    type: Literal["audit.differs"]
    timestamp: str
    data: AuditData


class TrialMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A trial: somebody wants to see whether messages arrive."""

    type: Literal["webhook.test"]
    timestamp: str
    data: TrialData


class GameCloudEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A `GameMessage` as a CloudEvent. `id` equals the header `webhook-id`."""

    specversion: Literal["1.0"]
    id: str
    source: str
    type: Literal["game.opened", "game.entries.appended", "game.closed", "game.reopened"]
    subject: str
    time: str
    datacontenttype: Literal["application/json"]
    data: GameData


class RecordCloudEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A `RecordMessage` as a CloudEvent."""

    specversion: Literal["1.0"]
    id: str
    source: str
    type: Literal["club.entries.appended", "season.entries.appended", "tournament.entries.appended"]
    subject: str
    time: str
    datacontenttype: Literal["application/json"]
    data: RecordData


class AuditCloudEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An `AuditMessage` as a CloudEvent."""

    specversion: Literal["1.0"]
    id: str
    source: str
    type: Literal["audit.differs"]
    subject: str
    time: str
    datacontenttype: Literal["application/json"]
    data: AuditData


class TrialCloudEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A `TrialMessage` as a CloudEvent."""

    specversion: Literal["1.0"]
    id: str
    source: str
    type: Literal["webhook.test"]
    subject: str
    time: str
    datacontenttype: Literal["application/json"]
    data: TrialData


Message = GameMessage | RecordMessage | AuditMessage | TrialMessage


def type_of(event_type: str) -> str:
    """The type of message for an entry of this type."""
    return event_type if event_type in TYPES else f"{kind_of(event_type)}.entries.appended"


def message_id(type_: str, game: str, first: int, last: int) -> str:
    """The id of a message. The same entries always have the same id."""
    return _id(f"{type_} {game} {first} {last}")


def audit_id(found: StoredDifference) -> str:
    """The id of the message about a difference. It stays as long as the difference stays; a new one gets a new id."""
    return _id(f"{DIFFERS} {found.subject} {found.kind} {found.at} {found.why}")


def _id(of: str) -> str:
    return f"msg_{sha256(of.encode()).hexdigest()[:_ID]}"


def trial_id() -> str:
    """The id of a trial message: a new one each time."""
    return f"msg_{secrets.token_hex(_ID // 2)}"


def game_message(type_: str, base: str, at: int, game: str, first: int, last: int, head: str | None) -> GameMessage:
    """The message about entries of a game, the last one recorded `at`. `base` is the address of this service."""
    data = GameData(game=game, from_=first, to=last, head=head, url=f"{base}/v1/games/{game}")
    return msgspec.convert({"type": type_, "timestamp": timestamp(at), "data": data}, GameMessage)


def record_message(
    type_: str, base: str, at: int, record: str, first: int, last: int, head: str | None
) -> RecordMessage:
    """The message about entries of a club, a season or a tournament: see `game_message`."""
    data = RecordData(record=record, from_=first, to=last, head=head, url=f"{base}/v1/{OTHERS[type_]}s/{record}")
    return msgspec.convert({"type": type_, "timestamp": timestamp(at), "data": data}, RecordMessage)


def audit_message(base: str, at: int, subject: str, kind: str) -> AuditMessage:
    """The message about a difference that was found `at`. `base` is the address of this service."""
    data = AuditData(subject=subject, kind=kind, url=f"{base}/v1/health")
    return AuditMessage(type="audit.differs", timestamp=timestamp(at), data=data)


def trial_message(base: str, at: int, webhook: str) -> TrialMessage:
    """The trial message for an endpoint."""
    data = TrialData(webhook=webhook, url=f"{base}/v1/webhooks/{webhook}")
    return TrialMessage(type="webhook.test", timestamp=timestamp(at), data=data)


def encode_body(message: Message, id_: str, form: str) -> bytes:
    """The body of a message."""
    if form == STANDARD:
        return msgspec.json.encode(message)
    match message:
        case GameMessage():
            subject = message.data.game
        case RecordMessage():
            subject = message.data.record
        case AuditMessage():
            subject = message.data.subject
        case TrialMessage():
            subject = message.data.webhook
    head = {"specversion": "1.0", "id": id_, "source": message.data.url, "type": message.type, "subject": subject}
    more = {"time": message.timestamp, "datacontenttype": "application/json", "data": message.data}
    return msgspec.json.encode(head | more)


def headers(body: bytes, id_: str, now: int, form: str, keys: Iterable[str]) -> dict[str, str]:
    """The headers of an attempt `now`, in milliseconds since 1970: signed with each of the secrets."""
    moment = datetime.fromtimestamp(now // 1000, UTC)
    signatures = [standardwebhooks.Webhook(key).sign(id_, moment, body.decode()) for key in keys]
    return {
        "Content-Type": MEDIA_TYPES[form],
        "webhook-id": id_,
        "webhook-timestamp": str(now // 1000),
        "webhook-signature": " ".join(signatures),
    }


def new_secret() -> str:
    """A new secret for signatures."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET)).decode()}"
