"""Webhooks and their deliveries."""

from __future__ import annotations

from typing import Literal

import msgspec

from service.access.store import Filter


class WebhookInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint, without its secret: its URL, its filter, and its status.

    `state` is `working`, `paused` (switched off by `enabled`), `disabled` (nothing arrived for three days, or the
    receiver wanted no more), or `stopped`. A `stopped` one lost its right. `why` says more. `waiting` messages are
    still to arrive, `failed` ones were given up. Until `old_secret_ends` messages are signed with the secret before,
    too.
    """

    id: str
    url: str
    description: str
    format: Literal["standard", "cloudevents"]
    filter: Filter
    enabled: bool
    state: Literal["working", "paused", "disabled", "stopped"]
    why: str | None
    disabled_at: str | None
    waiting: int
    failed: int
    person: str
    app: str | None
    by: str
    begun_at: str
    old_secret_ends: str | None


class WebhookList(msgspec.Struct, frozen=True):
    """Endpoints of webhooks."""

    webhooks: list[WebhookInfo]


class MadeWebhook(msgspec.Struct, frozen=True):
    """An endpoint with its new secret. Only this answer shows the secret."""

    secret: str
    info: WebhookInfo


class AttemptInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt: when it ended, the status of the answer or the error, and its milliseconds."""

    at: str
    status: int | None
    error: str | None
    took: int


class DeliveryInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A message for an endpoint; `webhook_id` is its id for the receiver.

    `state` is `waiting`, `delivered`, `failed` (given up), or `withheld`: its game may not be seen any more. `due_at`
    is when it is sent next. A trial is about no game.
    """

    id: str
    webhook_id: str
    type: str
    game: str | None
    from_: int | None = msgspec.field(name="from")
    to: int | None
    made_at: str
    state: Literal["waiting", "delivered", "failed", "withheld"]
    due_at: str | None
    attempts: list[AttemptInfo]


class DeliveryList(msgspec.Struct, frozen=True):
    """Deliveries, the newest first; `next` is the `before` of the next page."""

    deliveries: list[DeliveryInfo]
    next: str | None
