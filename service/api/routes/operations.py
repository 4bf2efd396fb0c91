"""Operations: health, metrics and the description of the API."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec
from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from events.event import StandbyState
from games.rulesets import RULESETS
from projections.projector import Rebuilding
from service import __version__
from service.access.gate import current_principal, gate
from service.access.needs import OPEN, Need
from service.access.principals import NONE
from service.access.tables import ACCESS
from service.api.endpoints import YAML, Endpoints, archive, context, reply
from service.api.metrics import LanedLog, metrics
from service.api.routes import webhooks
from service.databases import losses
from service.languages import gettext
from service.languages.plain import translated
from service.server import failing
from workers.monitor import Progress

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from workers.differences import StoredDifference

endpoints = Endpoints("operations")


class TreeState(msgspec.Struct, frozen=True):
    """How many entries of the log are in its tree and signed; `stopped` is why no more are signed, if so."""

    size: int
    stopped: str | None


class WebhookState(msgspec.Struct, frozen=True):
    """The state of webhooks: endpoints, waiting messages, and why some endpoints are `disabled`.

    The endpoints that the caller may know of are counted. With `private_networks` messages may go to private networks,
    too.
    """

    endpoints: int
    waiting: int
    disabled: dict[str, str]
    private_networks: bool


class AuditState(msgspec.Struct, frozen=True):
    """How many proofs the self-audit made within a day, and what differs: by game, or by random game
    (`kahuna/3/17`: ruleset, setting, seed), which and why.

    The games that the caller may see are named.
    """

    proofs: int
    differences: dict[str, list[str]]


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """How the service is. `status` is one of `STATUSES`: the first that is so; `host` is which of its hosts says it,
    for those who may know.

    Games in `damaged` are not served; the games that the caller may see are named. `access` tells callers who may know
    the host what was lost of access, and everybody why nobody is let in. `failing` tells them which processes and
    witnesses fail, Redis too. `lost` tells them what was lost of each damaged file that was set aside. `position` is
    the log's newest, `projected` how far the catalogue has come. While the catalogue is being rebuilt, `rebuilding`
    says how far it is, and lists are not answered. `lanes` counts the stored entries of each lane of a database without
    a position yet. `tree` is the tree over the log. `work` is the state of the workers, and `streams` the number of
    open streams; null where none run beside this service. `webhooks` is the state of the caller's endpoints. A standby
    is in use where its `why` is null.
    """

    status: str
    release: str
    host: str | None
    position: int
    projected: int
    damaged: dict[str, str]
    access: str | None
    failing: dict[str, str]
    lost: dict[str, str]
    rebuilding: Rebuilding | None
    lanes: list[int] | None
    audit: AuditState
    tree: TreeState
    work: Progress | None
    webhooks: WebhookState
    streams: int | None
    standbys: list[StandbyState]


STATUSES = (
    *("damaged", "unwritable", "access-stopped", "tree-stopped", "access-damaged"),
    *("database-damaged", "full", "degraded", "rebuilding", "differing", "ok"),
)
"""The first that applies, in this order:

games are damaged; nothing can be stored; nobody is let in, because the last changes of access are lost; the log is not
what was signed. Then: a part of access was lost; a part of another database was lost; the disk is full. Then: a process
of the host does not stay up, Redis does not answer, or a witness does not cosign; the list of games is being rebuilt.
Then: results of a game or a ruleset are not what they should be; nothing is wrong.
"""


@endpoints.route("GET", "/v1/health", scope=Need("games:read", everybody=True, always=True), answer=Health)
def show_health() -> Response:
    """Show the health of the service.

    The progress of its read models and workers, and the games that cannot be served.
    """
    log = archive().log
    who = current_principal()
    troubles_of = {game: str(damage) for game, damage in log.damage.items()}
    damaged = {game: translated(why) for game, why in troubles_of.items() if gate().permissions(who, game) is not NONE}
    projector = context().projector
    rebuilding = projector.rebuilding
    audits = context().audits.differences()
    work = monitor.look() if (monitor := context().monitor) else None
    down = failing.read_failures(context().settings.data)
    if work and not work.redis:
        down["redis"] = gettext("does not answer")
    lost, astray = losses(context().settings.data), context().access.unwritable
    standbys = log.standby_states if _is_admin() else ()
    stopped = context().tree.stopped
    return reply(
        Health(
            status=_status(lost=lost, failing=bool(down), differing=bool(audits)),
            release=__version__,
            host=context().host if _is_admin() else None,
            position=log.position(),
            projected=projector.position,
            damaged=damaged,
            access=context().access.stopped or ((astray or lost.get(ACCESS.file)) if _is_admin() else None),
            failing=down if _is_admin() else {},
            lost=lost if _is_admin() else {},
            rebuilding=rebuilding,
            lanes=[*log.lane_lags().values()] if isinstance(log, LanedLog) else None,
            audit=_audit(audits),
            tree=TreeState(context().tree.size, stopped and translated(stopped)),
            work=work,
            webhooks=_webhooks(),
            streams=context().live.open(),
            standbys=[msgspec.structs.replace(each, why=each.why and translated(each.why)) for each in standbys],
        )
    )


def _status(*, lost: Collection[str], failing: bool, differing: bool) -> str:
    """The first of `STATUSES` that applies. `lost` are the damaged files that were set aside."""
    log, access = archive().log, context().access
    applies = {
        "damaged": bool(log.damage),
        "unwritable": bool(log.unwritable or access.unwritable),
        "access-stopped": bool(access.stopped),
        "tree-stopped": context().tree.stopped is not None,
        "access-damaged": ACCESS.file in lost,
        "database-damaged": bool(lost),
        "full": log.full,
        "degraded": failing,
        "rebuilding": context().projector.rebuilding is not None,
        "differing": differing,
        "ok": True,
    }
    return next(status for status in STATUSES if applies[status])


def _is_admin() -> bool:
    who = current_principal()
    return who is not None and "admin" in who.service


def _audit(found: Sequence[StoredDifference]) -> AuditState:
    who, differing = current_principal(), defaultdict[str, list[str]](list)
    for each in found:
        if each.subject.partition("/")[0] in RULESETS or gate().permissions(who, each.subject) is not NONE:
            differing[each.subject].append(f"{gettext(each.kind)}: {translated(each.why)}")
    return AuditState(context().audits.proofs(), differing)


def _webhooks() -> WebhookState:
    known = webhooks.visible_endpoints(current_principal())
    disabled = {each.id: translated(each.why) for each in known if each.state == "disabled" and each.why}
    waiting = sum(each.waiting for each in known)
    return WebhookState(len(known), waiting, disabled, context().settings.webhook_private)


@endpoints.route(
    "GET", "/metrics", scope="admin", answer_types=("text/plain",), opened=lambda: context().settings.metrics == "open"
)
def show_metrics() -> Response:
    """Show the service's counters in the Prometheus text format.

    With `KIFU_METRICS=open` anybody may read them.
    """
    return Response(generate_latest(metrics().registry) + context().live.count(), content_type=CONTENT_TYPE_LATEST)


@endpoints.route("GET", "/v1/openapi.yaml", scope=OPEN, answer_types=(YAML,), conditional=True)
def show_openapi() -> Response:
    """Show the description of this API.

    It is this very document, in OpenAPI 3.1.
    """
    from service.api.openapi.document import description  # noqa: PLC0415 - the description is made from all routes, this one too

    return Response(description(), content_type=YAML)
