"""Matching: everybody in pairs, at the least cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx

T = TypeVar("T", str, int)


def cheapest_pairs(costs: Mapping[tuple[T, T], int]) -> list[tuple[T, T]]:
    """The largest set of disjoint pairs with the least total cost.

    >>> cheapest_pairs({("a", "b"): 9, ("b", "c"): 1, ("c", "d"): 9})
    [('a', 'b'), ('c', 'd')]
    """
    import networkx as nx  # noqa: PLC0415 - it is large, and only a round that is paired needs it

    most = max(costs.values(), default=0) + 1
    graph: nx.Graph[T] = nx.Graph()
    graph.add_weighted_edges_from((a, b, most - cost) for (a, b), cost in costs.items())
    return sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))
