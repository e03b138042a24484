"""The exact matching behind every pairing: the least cost among all that pair as many as possible.

A cost is a tuple of levels, the most important first; a lower level never outweighs a higher one. The
levels are packed into one integer that no sum of lower levels can overflow. The matching itself is that of
rustworkx, of the extra `site`, which nothing else here imports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec

from sheshbesh.errors import PairingError

Edge = tuple[int, int]
Cost = tuple[int, ...]

MOST_BITS = 118
"""The digits that a weight may have: rustworkx counts in 128 bits with a sign and adds a few weights up."""


def has_matching() -> bool:
    """Return whether the library that pairs is installed."""
    return find_spec("rustworkx") is not None


def least_cost(nodes: Sequence[int], edges: Mapping[Edge, Cost]) -> list[Edge]:
    """Return pairs of nodes along `edges`: as many as possible, of these the ones that cost least together.

    Costs have equally many levels, each 0 or more. PairingError if rustworkx is not installed.
    """
    try:
        import rustworkx
    except ImportError:
        raise PairingError(
            "pairing needs the package rustworkx: install sheshbesh with its extra, sheshbesh[site]"
        ) from None
    if not edges:
        return []
    index = {node: place for place, node in enumerate(nodes)}
    weights = packed(list(edges.values()), len(nodes) // 2)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(list(nodes))
    graph.add_edges_from(
        [
            (index[first], index[second], weight)
            for (first, second), weight in zip(edges, weights, strict=True)
        ]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = ((nodes[min(pair)], nodes[max(pair)]) for pair in found)
    return sorted(pair if pair in edges else (pair[1], pair[0]) for pair in pairs)


def packed(costs: Sequence[Cost], most: int) -> list[int]:
    """Return weights that are greatest where costs are least; a matching has at most `most` edges.

    The last level is a lot: it is cut short where the others leave it no room.
    """
    ranges = [max(column) * most + 1 for column in zip(*costs, strict=True)]
    scale, cut = 1, 0
    for size in ranges[:-1]:
        scale *= size
    while (scale * (((ranges[-1] - 1) >> cut) + 1)).bit_length() > MOST_BITS and ranges[-1] >> cut:
        cut += 1
    ranges[-1] = (max(cost[-1] for cost in costs) >> cut) * most + 1
    weights = []
    top = scale * ranges[-1]
    assert top <= 1 << MOST_BITS, f"a weight of {top.bit_length()} bits cannot be counted"
    for cost in costs:
        weight = 0
        for level, size in zip((*cost[:-1], cost[-1] >> cut), ranges, strict=True):
            weight = weight * size + level
        weights.append(top - weight)
    return weights


def total(costs: Iterable[Cost]) -> Cost:
    """Return the sum of costs, level by level; () of none."""
    return tuple(map(sum, zip(*costs, strict=True)))
