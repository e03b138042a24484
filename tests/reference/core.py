"""The one place of the oracle that touches the core, through its public interface only."""

from __future__ import annotations

from collections.abc import Mapping

import sheshbesh as sb
from sheshbesh.rules import loader
from tests.reference.boards import to_board
from tests.reference.position import BAR, COLOURS, HAND, MIRROR, Pending, Position, Side
from tests.reference.results import Result
from tests.reference.rules import Rules, read_axes
from tests.reference.steps import Step

_CORE_HAND, _CORE_BAR = 25, 26
"""How the core writes the places where a step may begin besides the points."""

Key = tuple[object, ...]


def games() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(sb.variants())


def rule_options(game: str) -> dict[str, tuple[object, ...]]:
    """Return the options of a game that change its rules, with their values."""
    options = loader.load(game).options
    return {name: tuple(spec.values) for name, spec in options.items() if spec.level == "rule"}


def is_playable(game: str, options: Mapping[str, object]) -> bool:
    """Whether the options go together."""
    try:
        sb.variant(game, **options)
    except sb.VariantError:
        return False
    return True


class Core:
    """A game of the core, asked in the oracle's terms."""

    def __init__(self, game: str, options: Mapping[str, object]) -> None:
        self._variant = sb.variant(game, **options)
        self.rules: Rules = read_axes(self._variant.axes)

    def position(self, pos: Position) -> sb.Position:
        """Return the core's position with everything the oracle's one says."""
        owed = pos.pending or Pending(pos.turn)
        return self._variant.position(
            to_board(self.rules, pos),
            turn=pos.turn,
            turns_played={colour: pos.side(colour).turns for colour in COLOURS},
            starter=pos.starter,
            mother_lost=next((colour for colour in COLOURS if pos.side(colour).lost), None),
            phase="chosen_double" if owed.choose else None,
            steps=owed.steps or None,
            rest=owed.rest,
            then=owed.then,
            head=owed.head,
        )

    def finals(self, position: sb.Position, dice: tuple[int, int]) -> list[sb.Position]:
        """Return what the legal plays lead to."""
        return [play.result for play in position.legal_plays(dice)]

    def result(self, position: sb.Position) -> Result | None:
        """Return how the game has ended."""
        found = position.result
        if found is None:
            return None
        winner = next((colour for colour in COLOURS if found.winner == colour), None)
        return Result(winner, found.points, str(found.kind))

    def next_steps(
        self, position: sb.Position, dice: tuple[int, int], done: tuple[Step, ...]
    ) -> set[tuple[int, int, int]]:
        """Return the steps that can follow `done`, as from, to and die in the oracle's numbers."""
        places = {_CORE_HAND: HAND, _CORE_BAR: BAR}
        back = {here: there for there, here in places.items()}
        path = [sb.Step(back.get(step.source, step.source), step.target, step.die) for step in done]
        found = position.legal_steps(dice, path)
        return {(places.get(step.origin, step.origin), step.target, step.die) for step in found}

    def key(self, position: sb.Position) -> Key:
        """Return the checkers, the side on roll and what is pending: cheaper than the id."""
        white, black = position.counts("white"), position.counts("black")
        pinned = (position.pinned("white"), position.pinned("black")) if self.rules.contact == "pin" else ()
        owed = position.pending
        pending = None if owed is None else (owed.steps, owed.rest, owed.then, owed.choose, owed.head)
        return position.turn == "white", white, black, pinned, pending

    def key_of(self, pos: Position) -> Key:
        """Return the key the core should give to one of the oracle's positions."""
        white, black = _counts(pos.white), _counts(pos.black)
        pinned = (pos.white.pinned, pos.black.pinned) if self.rules.contact == "pin" else ()
        owed = pos.pending
        pending = None if owed is None else (owed.steps, owed.rest, owed.then, owed.choose, owed.head)
        return pos.turn == "white", white, black, pinned, pending

    def id_of(self, pos: Position) -> str:
        """Return the text id the core should give to one of the oracle's positions."""
        return position_id(self.rules, pos)


def _counts(side: Side) -> tuple[int, ...]:
    """Return the counts of one side in the core's order: off, points 1 to 24, hand, bar."""
    return (side.off, *side.points[1:], side.hand, side.bar)


def position_id(rules: Rules, pos: Position) -> str:
    """Write a position as the text id of the public interface."""
    fields = [_board_text(rules, pos), pos.turn[0]]
    pairs = (
        ("x", pos.white.bar, pos.black.bar),
        ("h", pos.white.hand, pos.black.hand),
        ("t", pos.white.turns, pos.black.turns),
    )
    fields += [f"{letter}{white}.{black}" for letter, white, black in pairs if white or black]
    if pos.starter is not None:
        fields.append(f"s{pos.starter[0]}")
    fields += [f"m{colour}" for colour, side in (("w", pos.white), ("b", pos.black)) if side.lost]
    if pos.pending is not None:
        pending = pos.pending
        owed = "?" if pending.choose else "".join(map(str, pending.steps))
        marks = ("+" if pending.rest else "") + ("!" if pending.then else "")
        fields.append(f"p{owed}{marks}" + (f"h{pending.head}" if pending.head else ""))
    return ":".join(fields)


def _board_text(rules: Rules, pos: Position) -> str:
    mirror = MIRROR[rules.movement]
    text, gap = "", 0
    for point in range(24, 0, -1):
        stack = _stack(pos.white, point, "A") + _stack(pos.black, mirror[point], "a")
        if not stack:
            gap += 1
            continue
        if len(stack) == 2:
            stack = f"({stack if mirror[point] in pos.black.pinned else stack[::-1]})"
        text += f"{gap or ''}{stack}"
        gap = 0
    return f"{text}{gap or ''}"


def _stack(side: Side, point: int, one: str) -> str:
    count = side.points[point]
    return chr(ord(one) + count - 1) if count else ""
