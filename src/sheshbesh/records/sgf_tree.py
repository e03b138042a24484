"""The Smart Game Format as trees of properties, before backgammon comes into it.

Source: red-bean.com/sgf. Nothing is read recursively, so that no nesting can exhaust the stack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.records.model import at_line

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


def parse(text: str) -> tuple[list[list[Node]], list[int]]:
    """The main line of each game tree, and the lines at which variations beside it begin, which are left out.

    RecordError names the line.
    """
    reader = _Reader(text)
    while reader.read():
        pass
    return [tree for tree in reader.trees if tree], reader.variations


class _Reader:
    """Reads sign after sign; `trees` are the main lines so far."""

    def __init__(self, text: str) -> None:
        self.trees: list[list[Node]] = []
        self.variations: list[int] = []
        self._text, self._lines = text, _Lines(text)
        self._at, self._nodes = text.find("("), 0
        # One entry for each open tree: whether a tree within it is closed. Further ones are variations.
        self._closed: list[bool] = []
        self._skipping: int | None = None
        self._node: Node | None = None
        if self._at < 0:
            raise RecordError(at_line(1, Text("expected '(' at the beginning of a game")))

    def read(self) -> bool:
        """Read a sign, or a property with its values; whether there was one."""
        text = self._text
        space = _SPACE.match(text, self._at)
        at = self._at = space.end() if space else self._at
        if at >= len(text):
            if self._closed:
                raise self._error(Text("the file ends within a game: expected ')'"), len(text))
            return False
        sign = text[at]
        if sign == "(":
            self._open_tree()
        elif sign == ")":
            self._close_tree()
        elif sign == ";" and self._closed:
            self._open_node()
        elif self._node is not None and (name := _IDENT.match(text, at)):
            self._at = _values(text, name, self._node, self._lines)
            return True
        elif not self._closed:
            raise self._error(Text("{text} outside a game", text=repr(text[at : at + 20])))
        else:
            raise self._error(Text("expected a property, found {text}", text=repr(text[at : at + 20])))
        self._at += 1
        return True

    def _open_tree(self) -> None:
        depth = len(self._closed) + 1
        if depth > _DEEPEST:
            raise self._error(Text("game trees nested more than {most} deep", most=_DEEPEST))
        if depth == 1:
            self.trees.append([])
        elif self._skipping is None and self._closed[-1]:
            self._skipping = depth
            self.variations.append(self._lines.at(self._at))
        self._closed.append(False)
        self._node = None

    def _close_tree(self) -> None:
        if not self._closed:
            raise self._error(Text("')' without a game that it ends"))
        if self._skipping == len(self._closed):
            self._skipping = None
        self._closed.pop()
        if self._closed:
            self._closed[-1] = True
        self._node = None

    def _open_node(self) -> None:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise self._error(Text("more than {most} nodes", most=_MOST_NODES))
        self._node = Node(self._lines.at(self._at))
        if self._skipping is None:
            self.trees[-1].append(self._node)

    def _error(self, text: str, at: int | None = None) -> RecordError:
        return RecordError(at_line(self._lines.at(self._at if at is None else at), text))


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
            raise RecordError(
                at_line(lines.at(begin), Text("the file ends within {name}[...]", name=name[0]))
            )
        raw = value[0]
        values.append(re.sub(r"\\(.)", r"\1", raw, flags=re.DOTALL) if "\\" in raw else raw)
        at, found = value.end() + 1, True
    if not found:
        raise RecordError(at_line(lines.at(at), Text("expected '[' behind {name}", name=name[0])))
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
