"""Webhooks: endpoints, and the deliveries of their messages."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Response, request
from uuid_utils import uuid7

from events.errors import LogDamagedError, LogFullError, LogUnwritableError
from events.event import now_ms, optional_timestamp, timestamp
from service.access.gate import gate, missing_scope, require_principal
from service.access.scopes import HIDDEN
from service.access.store import StoreFullError, Webhook
from service.api.answers.webhooks import AttemptInfo, DeliveryInfo, DeliveryList, MadeWebhook, WebhookInfo, WebhookList
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.schemas.access import WhoseQuery
from service.api.schemas.webhooks import DeliveriesQuery, ReplaySchema, WebhookChangeSchema, WebhookSchema
from service.languages import gettext
from service.languages.plain import translated
from service.problems.kinds import ProblemError, bad_field
from service.webhooks.deliveries import EndpointStatus
from service.webhooks.messages import DIFFERS, new_secret
from service.webhooks.visibility import principal_of_webhook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.access.principals import Principal
    from service.webhooks.deliveries import Deliveries, Delivery

endpoints = Endpoints("webhooks")

MOST_OF_A_PERSON = 20
"""How many endpoints a person can have."""

MOST_ENDPOINTS = 200
"""How many endpoints there can be."""

OVERLAP = 24 * 3600 * 1000
"""Milliseconds after a rotation, while messages are signed with the old secret, too."""


@endpoints.route(
    "GET", "/v1/webhooks", scope="webhooks:write", query=WhoseQuery(), answer=WebhookList, conditional=True
)
def list_webhooks(query: dict[str, Any]) -> Response:
    """List your endpoints, the oldest first.

    A caller with the scope `admin` can ask for those of `everybody`. No secret is shown.
    """
    who = require_principal()
    if query["everybody"] and "admin" not in who.service:
        raise missing_scope("admin", who, None)
    found = context().access.webhooks(None if query["everybody"] else who.people)
    return reply(WebhookList(webhook_infos([each for each in found if _is_of(who, each)])))


@endpoints.route(
    "POST",
    "/v1/webhooks",
    scope="webhooks:write",
    body=WebhookSchema(),
    keyed=True,
    status=201,
    answer=MadeWebhook,
    problems=("bad-json", "bad-request", "webhooks-full", "storage-full"),
)
def make_webhook(body: dict[str, Any]) -> Response:
    """Make an endpoint: a URL that gets messages about new entries that you may see.

    Only this answer shows the secret. Messages say where to look, and nothing hidden. Rights are checked at every
    attempt.
    """
    who, access = require_principal(), context().access
    _check_url(body["url"])
    _check_types(body)
    if len(access.webhooks(who.people)) >= MOST_OF_A_PERSON or len(access.webhooks()) >= MOST_ENDPOINTS:
        raise ProblemError(
            "webhooks-full",
            gettext(
                "at most %(each)s endpoints of a person, and %(most)s in all",
                each=MOST_OF_A_PERSON,
                most=MOST_ENDPOINTS,
            ),
        )
    made = Webhook(
        id=str(uuid7()),
        person=who.person,
        **_owner_of_endpoint(who),
        base=_base(),
        secret=new_secret(),
        since=archive().log.position(),
        begun=now_ms(),
        maker=who.id,
        **body,
    )
    access.keep_webhook(made, by=who.id, what="webhook.made", using=who.credential.id)
    return _shown_once(made)


@endpoints.route(
    "GET",
    "/v1/webhooks/<webhook>",
    scope="webhooks:write",
    answer=WebhookInfo,
    conditional=True,
    problems=("webhook-unknown",),
)
def show_webhook(webhook: str) -> Response:
    """Show an endpoint and its status.

    Its secret is not shown again.
    """
    return reply(webhook_infos([_found(webhook)])[0])


@endpoints.route(
    "PATCH",
    "/v1/webhooks/<webhook>",
    scope="webhooks:write",
    body=WebhookChangeSchema(),
    answer=WebhookInfo,
    problems=("bad-json", "bad-request", "scope-needed", "webhook-unknown", "storage-full"),
)
def change_webhook(webhook: str, body: dict[str, Any]) -> Response:
    """Change an endpoint: its URL, its filter, whether it is `enabled`.

    `"enabled": true` starts an endpoint again that was disabled or stopped: the caller answers for it from then on.
    Waiting messages are sent, and all that happened meanwhile.
    """
    known, who = _found(webhook), require_principal()
    if "url" in body:
        _check_url(body["url"])
        if known.person not in who.people and HIDDEN not in who.service:
            raise missing_scope(HIDDEN, who, None)  # what is told comes as its person may know it
    _check_types(body)
    acting = _owner_of_endpoint(who) if body.get("enabled") and known.person in who.people else {}
    changed = msgspec.structs.replace(known, base=_base(), **acting, **body)
    if changed != known:
        using = who.credential.id if acting or "url" in body else None
        context().access.keep_webhook(changed, by=who.id, what="webhook.changed", using=using)
    if body.get("enabled"):
        with _deliveries() as deliveries:
            deliveries.enable(webhook, now_ms())
    return reply(webhook_infos([changed])[0])


@endpoints.route(
    "DELETE", "/v1/webhooks/<webhook>", scope="webhooks:write", status=204, problems=("webhook-unknown", "storage-full")
)
def remove_webhook(webhook: str) -> Response:
    """Remove an endpoint.

    It gets no more messages, and its deliveries are deleted.
    """
    _found(webhook)
    context().access.drop_webhook(webhook, by=require_principal().id)
    return Response(status=204)


@endpoints.route(
    "POST",
    "/v1/webhooks/<webhook>/rotate",
    scope="webhooks:write",
    keyed=True,
    status=201,
    answer=MadeWebhook,
    problems=("webhook-unknown", "storage-full"),
)
def rotate_webhook_secret(webhook: str) -> Response:
    """Give an endpoint a new secret.

    For 24 hours messages are signed with the old one, too, so that the receiver can switch.
    """
    known, now = _found(webhook), now_ms()
    changed = msgspec.structs.replace(known, secret=new_secret(), old_secret=known.secret, old_ends=now + OVERLAP)
    context().access.keep_webhook(changed, by=require_principal().id, what="webhook.rotated")
    return _shown_once(changed)


@endpoints.route(
    "POST",
    "/v1/webhooks/<webhook>/test",
    scope="webhooks:write",
    keyed=True,
    status=202,
    answer=DeliveryInfo,
    problems=("webhook-unknown", "storage-full"),
)
def test_webhook(webhook: str) -> Response:
    """Send an endpoint a `webhook.test`, once.

    The deliveries show its outcome a moment later.
    """
    _found(webhook)
    with _deliveries() as deliveries:
        return reply(_delivery_info(deliveries.enqueue_test(webhook, now_ms())), 202)


@endpoints.route(
    "POST",
    "/v1/webhooks/<webhook>/replay",
    scope="webhooks:write",
    body=ReplaySchema(),
    keyed=True,
    status=202,
    answer=WebhookInfo,
    problems=("bad-json", "bad-request", "webhook-unknown", "storage-full"),
)
def replay_webhook(webhook: str, body: dict[str, Any]) -> Response:
    """Send an endpoint a part of the feed again.

    Entries after the position `after` and up to `until`, or to the newest. They are told as its filter and its rights
    are now; a message of the very same entries has the id that it had.
    """
    known, newest = _found(webhook), archive().log.position()
    until = newest if body["until"] is None else body["until"]
    if until > newest:
        raise bad_field("until", f"the feed goes to {newest}")
    if body["after"] >= until:
        raise bad_field("after", f"nothing lies between {body['after']} and {until}")
    with _deliveries() as deliveries:
        deliveries.replay(webhook, body["after"], until)
    return reply(webhook_infos([known])[0], 202)


@endpoints.route(
    "GET",
    "/v1/webhooks/<webhook>/deliveries",
    scope="webhooks:write",
    query=DeliveriesQuery(),
    answer=DeliveryList,
    conditional=True,
    problems=("bad-request", "webhook-unknown"),
)
def list_deliveries(webhook: str, query: dict[str, Any]) -> Response:
    """List the deliveries of an endpoint, the newest first.

    With every attempt and the receiver's answer. The last thousand finished ones are kept.
    """
    _found(webhook)
    with _deliveries() as deliveries:
        found = deliveries.list_deliveries(webhook, query["before"], query["state"], query["limit"] + 1)
    shown = found[: query["limit"]]
    return reply(
        DeliveryList(
            [_delivery_info(each) for each in shown], str(shown[-1].number) if len(found) > len(shown) else None
        )
    )


@endpoints.route(
    "POST",
    "/v1/webhooks/<webhook>/deliveries/<delivery>/retry",
    scope="webhooks:write",
    keyed=True,
    status=202,
    answer=DeliveryInfo,
    problems=("webhook-unknown", "delivery-unknown", "storage-full"),
)
def retry_delivery(webhook: str, delivery: str) -> Response:
    """Send a message again now, even if it has arrived before.

    It keeps its id.
    """
    _found(webhook)
    now = now_ms()
    with _deliveries() as deliveries:
        known = deliveries.delivery(webhook, int(delivery)) if re.fullmatch("[0-9]{1,18}", delivery) else None
        if known is None:
            raise ProblemError(
                "delivery-unknown", gettext("no delivery of this endpoint has the id %(id)s", id=repr(delivery))
            )
        deliveries.retry(known, now)
    return reply(_delivery_info(msgspec.structs.replace(known, state="waiting", due=now)), 202)


def webhook_infos(found: list[Webhook]) -> list[WebhookInfo]:
    """Endpoints in the form of the API, with their status. Raises `StoreFullError`."""
    with _deliveries() as deliveries:
        statuses = deliveries.statuses() if found else {}
    return [_info(each, statuses.get(each.id, EndpointStatus())) for each in found]


def visible_endpoints(who: Principal | None) -> list[WebhookInfo]:
    """The endpoints that somebody may know of: all, with the scope `admin`."""
    if who is None:
        return []
    return webhook_infos([each for each in context().access.webhooks() if _is_of(who, each)])


def _info(webhook: Webhook, status: EndpointStatus) -> WebhookInfo:
    state, why = _state(webhook, status)
    return WebhookInfo(
        id=webhook.id,
        url=webhook.url,
        description=webhook.description,
        format=webhook.format,  # type: ignore[arg-type]
        filter=webhook.filter,
        enabled=webhook.enabled,
        state=state,  # type: ignore[arg-type]
        why=why and translated(why),
        disabled_at=optional_timestamp(status.disabled_at),
        waiting=status.waiting,
        failed=status.failed,
        person=webhook.person,
        app=webhook.app,
        by=webhook.maker,
        begun_at=timestamp(webhook.begun),
        old_secret_ends=optional_timestamp(webhook.old_ends),
    )


def _state(webhook: Webhook, status: EndpointStatus) -> tuple[str, str | None]:
    if principal_of_webhook(context().access, gate().merges(), webhook, now_ms()) is None:
        why = "its maker no longer has this permission, or the token that made it no longer works"
        return "stopped", why
    if not webhook.enabled:
        return "paused", None
    return ("working", None) if status.disabled_at is None else ("disabled", status.why)


def _delivery_info(delivery: Delivery) -> DeliveryInfo:
    of_a_game = bool(delivery.first)
    return DeliveryInfo(
        id=str(delivery.number),
        webhook_id=delivery.message,
        type=delivery.type,
        game=delivery.game if delivery.game and "/" not in delivery.game else None,
        from_=delivery.first if of_a_game else None,
        to=delivery.last if of_a_game else None,
        made_at=timestamp(delivery.made_at),
        state=delivery.state,
        due_at=timestamp(delivery.due) if delivery.state == "waiting" else None,
        attempts=[
            AttemptInfo(at=timestamp(each.at), status=each.status, error=each.error, took=each.took)
            for each in delivery.tried
        ],
    )


def _found(id_: str) -> Webhook:
    """An endpoint of the caller. Raises `webhook-unknown`."""
    found = context().access.webhook(id_)
    if found is None or not _is_of(require_principal(), found):
        raise ProblemError("webhook-unknown", gettext("no endpoint has the id %(id)s", id=repr(id_)))
    return found


def _is_of(who: Principal, webhook: Webhook) -> bool:
    """Whether an endpoint belongs to somebody. A person has those of their apps; an administrator has all."""
    if "admin" in who.service:
        return True
    return webhook.person in who.people and (who.credential.app is None or webhook.app == who.credential.app)


def _owner_of_endpoint(who: Principal) -> dict[str, Any]:
    """The owner of a new endpoint: a token, as long as it is valid. A session ends soon, so then it is the person."""
    credential = who.credential
    lasting = credential.kind in {"app", "dev"}
    return {
        "app": credential.app,
        "credential": credential.id if lasting else None,
        "scopes": None if lasting else credential.scopes,
    }


def _base() -> str:
    """The address of this service in the request."""
    return request.url_root.rstrip("/")


def _check_url(text: str) -> None:
    from service.webhooks.addresses import RefusedError, checked_url  # noqa: PLC0415 - httpx takes its time to load

    try:
        checked_url(text, private=context().settings.webhook_private)
    except RefusedError as error:
        raise bad_field("url", str(error)) from None


def _check_types(body: dict[str, Any]) -> None:
    """Raises `scope-needed` if the caller asks for messages of types that need a scope."""
    who, types = require_principal(), body["filter"].types if "filter" in body else None
    if DIFFERS in (types or ()) and "admin" not in who.service:
        raise missing_scope("admin", who, None)


@contextmanager
def _deliveries() -> Iterator[Deliveries]:
    """The deliveries, which another process makes. Raises `StoreFullError`, `LogError`."""
    try:
        with context().open_deliveries() as found:
            yield found
    except (LogDamagedError, LogFullError, LogUnwritableError) as error:
        raise StoreFullError(f"the deliveries cannot be read or written: {error}") from error


def _shown_once(webhook: Webhook) -> Response:
    response = reply(MadeWebhook(webhook.secret, webhook_infos([webhook])[0]), 201)
    response.headers["Cache-Control"] = "no-store"
    return response
