"""The HTTP API, one file a kind of resource."""

from service.routes import (
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
    templates,
    tokens,
    transfers,
    tree,
)

_IN_ORDER = (
    rulesets,
    games,
    entries,
    states,
    forks,
    tree,
    transfers,
    players,
    components,
    templates,
    tokens,
    oauth,
    roles,
    links,
    operations,
)

PARTS = tuple(part.endpoints for part in _IN_ORDER)
"""Every part of the API, in the order in which it is described."""
