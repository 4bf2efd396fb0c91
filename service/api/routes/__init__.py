"""The HTTP API, one file a kind of resource."""

from service.api.routes import (
    analyses,
    components,
    entries,
    exports,
    forks,
    games,
    invitations,
    links,
    oauth,
    operations,
    players,
    plays,
    roles,
    rulesets,
    states,
    statistics,
    streams,
    templates,
    tokens,
    transfers,
    tree,
    webhooks,
)

_IN_ORDER = (
    rulesets,
    games,
    entries,
    states,
    streams,
    analyses,
    forks,
    tree,
    transfers,
    exports,
    plays,
    players,
    statistics,
    components,
    templates,
    tokens,
    oauth,
    roles,
    invitations,
    links,
    webhooks,
    operations,
)

PARTS = tuple(part.endpoints for part in _IN_ORDER)
"""Every part of the API, in the order in which it is described."""
