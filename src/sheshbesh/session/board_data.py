"""A board as plain data: checkers on places, the possible steps, the layout.

A *place* is 1 to 24 in White's numbering for every viewer; a *number* is a point as one side counts
it. Drawing from this needs no rule of any game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from sheshbesh.match import Card
from sheshbesh.rules import Position, Side, Step, Variant
from sheshbesh.rules.axes import number_of
from sheshbesh.rules.notation import BAR, HAND, OFF
from sheshbesh.rules.side import SIDES
from sheshbesh.session.turn import Turn

BareStage: TypeAlias = tuple[bool, Sequence[tuple[tuple[int, int, int, bool], int]]]
"""A stage as the rules give it, to be sent: see `Position.bare_stages`."""

POINTS = range(1, 25)
_MIRRORED = {
    False: tuple(25 - place for place in POINTS),
    True: tuple(place + 12 if place <= 12 else place - 12 for place in POINTS),
}
"""Black's number of each place, by whether both sides go the same way round."""

_START = 24
"""The own point farthest from home, where heads and mothers stand."""


def board_data(position: Position) -> dict[str, Any]:
    """The checkers of both sides by place; a captive is counted on its place and named by `pin`."""
    geometry = position.variant._geometry
    white, black = map(position.counts, SIDES)
    mirrored = _MIRRORED[geometry.parallel]
    points: list[dict[str, Any]] = [
        {"w": white[place], "b": black[number]} for place, number in zip(POINTS, mirrored, strict=True)
    ]
    if geometry.contact == "pin":
        for side in SIDES:
            for number in position.pinned(side):
                points[geometry.own(side, number) - 1]["pin"] = side.value
    return {
        "points": points,
        "bar": {"white": white[BAR], "black": black[BAR]},
        "hand": {"white": white[HAND], "black": black[HAND]},
        "off": {"white": white[OFF], "black": black[OFF]},
    }


def step_data(step: Step) -> list[int]:
    """A step in the mover's own numbers: origin, target, die, and 1 if it takes an enemy."""
    return [step.origin, step.target, step.die, int(step.takes)]


def stages_data(stages: Sequence[BareStage]) -> list[dict[str, Any]]:
    """The graph of a turn: what may follow on each stage, with the stage it leads to."""
    return [
        {
            "whole": whole,
            "next": [
                (origin, target, die, 1 if takes else 0, stage)
                for (origin, target, die, takes), stage in onward
            ],
        }
        for whole, onward in stages
    ]


def choices_data(turn: Turn) -> list[dict[str, Any]]:
    """The graph of this turn from its start; where a checker is bound by touch, nothing but it moves."""
    stages: list[BareStage] = list(turn.position.bare_stages(turn.dice))
    if turn.touched is not None:
        here = 0
        for done in turn.done:
            here = next(stage for step, stage in stages[here][1] if step == done)
        bound = [entry for entry in stages[here][1] if entry[0][0] == turn.touched]
        stages[here] = (False, bound)
    return stages_data(stages)


def layout_data(rules: Variant, card: Card | None = None) -> dict[str, Any]:
    """The layout of a game's board, and both sides' numbers as places. It never changes in a match.

    `head` is the place of the one pile that all checkers of a side start from, `mother` that of
    the checker whose capture counts; None where the game has no such thing.
    """
    geometry, start = rules._geometry, rules.axes["board"]["setup"]
    places = {side.value: geometry.own(side, _START) for side in Side}
    nowhere = dict.fromkeys(places)
    has_head = number_of(rules.axes, "head", "limit") > 0 or start == {_START: geometry.checkers}
    has_mother = rules.axes["ending"]["mother"] != "off"
    return {
        "movement": "parallel" if geometry.parallel else "contrary",
        "numbers": {side.value: [geometry.own(side, number) for number in POINTS] for side in Side},
        "head": places if has_head else nowhere,
        "mother": places if has_mother else nowhere,
        "bar": geometry.contact == "hit",
        "pins": geometry.contact == "pin",
        "hand": geometry.hand,
        "checkers": geometry.checkers,
        "doubles": number_of(rules.axes, "throw", "double_steps"),
        "cube": card.has_cube if card is not None else bool(rules.axes["cube"]["use"]),
        "entry": geometry.hand > 0 or geometry.contact == "hit",
    }
