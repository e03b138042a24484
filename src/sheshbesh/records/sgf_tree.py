"""The Smart Game Format as trees of properties, before backgammon comes into it.

Source: red-bean.com/sgf. Nothing is read recursively, so that no nesting can exhaust the stack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sheshbesh.errors import RecordError

_IDENT = re.compile(r"[A-Za-z]{1,16}")
_VALUE = re.compile(r"(?:[^\\\]]|\\.)*", re.DOTALL)
_SPACE = re.compile(r"\s*")
_DEEPEST = 64
_MOST_NODES = 200_000


@dataclass(slots=True)
class Node:
    """One node: properties with their values, and the line it begins on."""

    line: int
    properties: dict[str, list[str]] = field(default_factory=dict)

    def get(self, name: str) -> str | None:
        """The first value of a property."""
        values = self.properties.get(name)
        return values[0] if values else None


def parse(text: str) -> list[list[Node]]:
    """The main line of each game tree; variations beside it are left out. RecordError names the line."""
    trees: list[list[Node]] = []
    lines = _Lines(text)
    at, depth, nodes = text.find("("), 0, 0
    # A tree below the main line that is not its first is a variation.
    closed: list[bool] = []
    skipping: int | None = None
    node: Node | None = None
    if at < 0:
        raise RecordError("line 1: expected '(' at the beginning of a game")
    while True:
        match = _SPACE.match(text, at)
        at = match.end() if match else at
        if at >= len(text):
            break
        sign = text[at]
        if sign == "(":
            depth += 1
            if depth > _DEEPEST:
                raise RecordError(f"line {lines.at(at)}: game trees nested more than {_DEEPEST} deep")
            if depth == 1:
                trees.append([])
            elif skipping is None and closed and closed[-1]:
                skipping = depth
            closed.append(False)
            node = None
        elif sign == ")":
            if not depth:
                raise RecordError(f"line {lines.at(at)}: ')' without a game that it ends")
            if skipping == depth:
                skipping = None
            depth -= 1
            closed.pop()
            if closed:
                closed[-1] = True
            node = None
        elif sign == ";" and depth:
            nodes += 1
            if nodes > _MOST_NODES:
                raise RecordError(f"line {lines.at(at)}: more than {_MOST_NODES} nodes")
            node = Node(lines.at(at))
            if skipping is None:
                trees[-1].append(node)
        elif node is not None and (name := _IDENT.match(text, at)):
            at = _values(text, name, node, lines)
            continue
        elif not depth:
            raise RecordError(f"line {lines.at(at)}: {text[at : at + 20]!r} outside a game")
        else:
            raise RecordError(f"line {lines.at(at)}: expected a property, found {text[at : at + 20]!r}")
        at += 1
    if depth:
        raise RecordError(f"line {lines.at(len(text))}: the file ends within a game: expected ')'")
    return [tree for tree in trees if tree]


def _values(text: str, name: re.Match[str], node: Node, lines: _Lines) -> int:
    """Read the values behind a property's name; the place behind them."""
    values = node.properties.setdefault(name[0].upper(), [])
    at, found = name.end(), False
    while True:
        match = _SPACE.match(text, at)
        begin = match.end() if match else at
        if begin >= len(text) or text[begin] != "[":
            break
        value = _VALUE.match(text, begin + 1)
        assert value is not None
        if value.end() >= len(text) or text[value.end()] != "]":
            raise RecordError(f"line {lines.at(begin)}: the file ends within {name[0]}[...]")
        raw = value[0]
        values.append(re.sub(r"\\(.)", r"\1", raw, flags=re.DOTALL) if "\\" in raw else raw)
        at, found = value.end() + 1, True
    if not found:
        raise RecordError(f"line {lines.at(at)}: expected '[' behind {name[0]}")
    return at


class _Lines:
    """Numbers of lines by place in the text, counted on as the reading goes on."""

    def __init__(self, text: str) -> None:
        self._text, self._place, self._line = text, 0, 1

    def at(self, place: int) -> int:
        """The number of the line that holds this place; places only grow."""
        self._line += self._text.count("\n", self._place, place)
        self._place = max(place, self._place)
        return self._line
