"""The HTTP API, one file a kind of resource."""

from service.routes import (
    analyses,
    components,
    entries,
    forks,
    games,
    links,
    oauth,
    operations,
    players,
    roles,
    rulesets,
    states,
    tokens,
    transfers,
    tree,
)

_IN_ORDER = (
    rulesets,
    games,
    entries,
    states,
    analyses,
    forks,
    tree,
    transfers,
    players,
    components,
    tokens,
    oauth,
    roles,
    links,
    operations,
)

PARTS = tuple(part.endpoints for part in _IN_ORDER)
"""Every part of the API, in the order in which it is described."""
