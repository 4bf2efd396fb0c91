"""The HTTP API, one file a kind of resource."""

from service.routes import components, entries, games, operations, players, rulesets, states, transfers

PARTS = tuple(part.endpoints for part in (rulesets, games, entries, states, transfers, players, components, operations))
"""Every part of the API, in the order in which it is described."""
