"""Whole plays: every sequence of steps, then the duties that pick among them.

Sequences are explored as a graph whose nodes are equal intermediate states: the same checkers,
the same dice left, the same checkers known to have hit, the same number still free to leave 24.
What follows depends on nothing else, so merging them loses no sequence.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference import banned
from tests.reference.position import OFF, Position, Side, other
from tests.reference.results import ends_play, result
from tests.reference.rules import Axes, Rules, read_axes
from tests.reference.steps import Step, leaves_lock, primes_allowed, steps_with
from tests.reference.turns import Dice, Element, element_of, follow

Sequence = tuple[Step, ...]

NO_LIMIT = -1


class Node(NamedTuple):
    """A state during a play, seen by the mover."""

    mine: Side
    theirs: Side
    dice: Dice
    stories: banned.Stories
    head_left: int
    over: bool
    """The game has ended here."""


class Graph(NamedTuple):
    """All states of one element; a state comes before those its steps lead to."""

    rules: Rules
    element: Element
    root: Node
    edges: dict[Node, list[tuple[Step, Node]]]

    def used(self, node: Node) -> int:
        """How many dice have been played."""
        return len(self.element.steps) - len(node.dice)

    def cut_short(self, node: Node) -> bool:
        """Whether a mother has decided the game here; "the rest of the dice is not played" (D2)."""
        return node.over and not _all_off(node)

    def complete(self, node: Node) -> bool:
        """Whether nothing of the throw is left to be played."""
        return not node.dice or self.cut_short(node)


def legal_plays(
    axes: Axes | Rules, pos: Position, dice: tuple[int, int] | None = None
) -> dict[Position, list[Sequence]]:
    """Return the final positions of the legal plays, each with an example for every last state.

    A final position has the next side on roll, its history and what is pending. The dance is the
    empty sequence. `dice` is not needed where steps are pending. A finished game has no plays.
    """
    rules = read_axes(axes)
    if result(rules, pos) is not None:
        return {}
    element = element_of(rules, pos, dice)
    graph, ends = rule_abiding(rules, pos, element)
    finals: dict[Position, list[Sequence]] = {}
    for node, example in _examples(graph, ends).items():
        final = follow(rules, pos, element, node.mine, node.theirs, node.dice, over=node.over)
        finals.setdefault(final, []).append(example)
    return finals


def legal_prefixes(axes: Axes | Rules, pos: Position, dice: tuple[int, int] | None = None) -> set[Sequence]:
    """Return every sequence of steps, the empty one included, that can still become a legal play."""
    rules = read_axes(axes)
    if result(rules, pos) is not None:
        return set()
    graph, _ = rule_abiding(rules, pos, element_of(rules, pos, dice))
    prefixes: set[Sequence] = set()

    def walk(node: Node, prefix: Sequence) -> None:
        prefixes.add(prefix)
        for step, child in graph.edges[node]:
            walk(child, (*prefix, step))

    walk(graph.root, ())
    return prefixes


def rule_abiding(rules: Rules, pos: Position, element: Element) -> tuple[Graph, set[Node]]:
    """Return the graph of the rule-abiding sequences and the nodes where they may end."""
    graph = _with_head_rule(rules, pos, element)
    ends = _preferred(graph, _dutiful(graph, _existing(graph)))
    edges = _leading_to(graph, ends)
    if rules.forced == "after_duty":
        edges, ends = _bearing_off_first(graph.root, edges, ends)
    if rules.must_open != "off":
        opened = {node for node in ends if node.over or not leaves_lock(rules, node.mine, node.theirs)}
        ends = opened or ends
        edges = _leading_to(graph._replace(edges=edges), ends)
    return graph._replace(edges=edges), ends


def _with_head_rule(rules: Rules, pos: Position, element: Element) -> Graph:
    """Explore under the head rule, with its exception if it applies."""
    if rules.head_limit == 0:
        return _explore(rules, pos, element, NO_LIMIT)
    limit = rules.head_limit - element.head
    extra = 0
    double = element.steps[0] if len(set(element.steps)) == 1 else None
    if pos.side(pos.turn).turns == 0 and rules.head_exception != "none":
        if rules.head_exception == "any_blocked":
            plain = _explore(rules, pos, element, max(limit, 0))
            if any(plain.complete(node) for node in _existing(plain)):
                return plain
            extra = 1
        elif double is not None and (rules.head_exception == "any_double" or double in (3, 4, 6)):
            extra = 1
    return _explore(rules, pos, element, max(limit + extra, 0))


def _explore(rules: Rules, pos: Position, element: Element, head_left: int) -> Graph:
    """Follow every step of every die from the position on."""
    mine, theirs = pos.side(pos.turn), pos.side(other(pos.turn))
    root = Node(mine, theirs, tuple(sorted(element.steps)), banned.NO_HITS, head_left, over=False)
    edges: dict[Node, list[tuple[Step, Node]]] = {}
    layer = {root: None}
    while layer:
        following: dict[Node, None] = {}
        for node in layer:
            edges[node] = [] if node.over else _steps_from(rules, node)
            following.update((child, None) for _, child in edges[node])
        layer = following
    return Graph(rules, element, root, edges)


def _steps_from(rules: Rules, node: Node) -> list[tuple[Step, Node]]:
    edges = []
    for die in sorted(set(node.dice)):
        position_of_die = node.dice.index(die)
        dice = node.dice[:position_of_die] + node.dice[position_of_die + 1 :]
        for moved in steps_with(rules, node.mine, node.theirs, die, head_left=node.head_left):
            stories = banned.after_step(rules, node.stories, node.mine.points, moved)
            if not stories:
                continue
            head_left = node.head_left - (moved.step.source == 24 and node.head_left > 0)
            over = ends_play(rules, moved.mine, moved.theirs)
            edges.append((moved.step, Node(moved.mine, moved.theirs, dice, stories, head_left, over)))
    if rules.forced == "before_duty" and any(step.target == OFF for step, _ in edges):
        return [(step, child) for step, child in edges if step.target == OFF]
    return edges


def _all_off(node: Node) -> bool:
    """Whether the mover has borne off his last checker."""
    return not any(node.mine.points) and not node.mine.bar and not node.mine.hand


def _existing(graph: Graph) -> set[Node]:
    """Return the nodes where a play may end at all, before any duty; the dance always may."""
    rules = graph.rules

    def exists(node: Node) -> bool:
        if rules.ban == "soft" and rules.ban_priority == "absolute" and not banned.obeys(node.stories):
            return False
        return rules.prime_transit or primes_allowed(rules, node.mine, node.theirs)

    return {node for node in graph.edges if node is graph.root or exists(node)}


def _dutiful(graph: Graph, existing: set[Node]) -> set[Node]:
    """Keep the ends that satisfy the dice duty and its tie-break."""
    if graph.rules.duty == "all":
        # A play that is cut short by the end of the game breaks no duty, and puts none on the others.
        most = max(graph.used(node) for node in existing)
        full = {node for node in existing if graph.used(node) == most}
        # Bearing off the last checker with one die is let pass where both dice come to the same.
        reached = {(node.mine, node.theirs) for node in full}
        short = {node for node in existing - full if _all_off(node) and (node.mine, node.theirs) in reached}
        ends = full | short | {node for node in existing if graph.cut_short(node)}
    elif graph.rules.duty == "voluntary":
        ends = (existing - {graph.root}) or {graph.root}
    else:
        ends = {node for node in existing if not _goes_on(graph, node, existing)}
    if graph.rules.tie == "larger":
        return _with_larger_die(graph, ends)
    if graph.rules.tie == "pips":
        return _with_most_pips(graph, ends)
    return ends


def _goes_on(graph: Graph, node: Node, existing: set[Node]) -> bool:
    """Whether a play that may end later passes through this node."""
    return any(child in existing or _goes_on(graph, child, existing) for _, child in graph.edges[node])


def _with_larger_die(graph: Graph, ends: set[Node]) -> set[Node]:
    """If only one of two dice can be played, keep the plays of the larger one if there are any."""
    if len(set(graph.element.steps)) != 2 or max(graph.used(node) for node in ends) != 1:
        return ends
    smaller = min(graph.element.steps)
    larger = {node for node in ends if node.dice == (smaller,)}
    if not larger:
        return ends
    # The last checker goes off with either die to the same end; a mother's end asks for no die.
    return larger | {node for node in ends if node.over}


def _with_most_pips(graph: Graph, ends: set[Node]) -> set[Node]:
    """Among the plays of equally many dice keep those that moved the checkers furthest."""

    def played(node: Node) -> int:
        return pips(graph.root.mine) - pips(node.mine)

    bound = {node for node in ends if not graph.cut_short(node)} or ends
    dice = max(graph.used(node) for node in ends)
    full = {node for node in ends if graph.used(node) == dice}
    best = max(played(node) for node in full)
    return {node for node in ends if node not in bound or played(node) == best}


def pips(side: Side) -> int:
    """How far a side's checkers still have to go."""
    return 25 * (side.bar + side.hand) + sum(p * count for p, count in enumerate(side.points))


def _preferred(graph: Graph, ends: set[Node]) -> set[Node]:
    """Where the dice come first, prefer the plays that keep to the ban on hit and run."""
    if graph.rules.ban == "none" or graph.rules.ban_priority != "dice_first":
        return ends
    return {node for node in ends if banned.obeys(node.stories)} or ends


def _leading_to(graph: Graph, ends: set[Node]) -> dict[Node, list[tuple[Step, Node]]]:
    """Return the part of the graph whose steps lead to one of the ends."""
    edges: dict[Node, list[tuple[Step, Node]]] = {}
    for node in reversed(graph.edges):
        kept = [(step, child) for step, child in graph.edges[node] if child in edges]
        if kept or node in ends:
            edges[node] = kept
    return dict(reversed(edges.items()))


def _bearing_off_first(
    root: Node, edges: dict[Node, list[tuple[Step, Node]]], ends: set[Node]
) -> tuple[dict[Node, list[tuple[Step, Node]]], set[Node]]:
    """Step by step, let a bear-off be chosen wherever one is among the steps that lead on."""
    kept: dict[Node, list[tuple[Step, Node]]] = {}
    kept_ends: set[Node] = set()
    reached = {root}
    for node, following in edges.items():
        if node not in reached:
            continue
        off = [(step, child) for step, child in following if step.target == OFF]
        kept[node] = off or following
        if node in ends and not off:
            kept_ends.add(node)
        reached.update(child for _, child in kept[node])
    return kept, kept_ends


def _examples(graph: Graph, ends: set[Node]) -> dict[Node, Sequence]:
    """Return one sequence of steps for every end."""
    found: dict[Node, Sequence] = {graph.root: ()}
    for node, following in graph.edges.items():
        for step, child in following:
            found.setdefault(child, (*found[node], step))
    return {node: found[node] for node in ends}
