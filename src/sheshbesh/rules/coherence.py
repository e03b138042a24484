"""Answers that contradict each other or can never matter: what makes a set of axes no game.

Each check looks at complete axes and names the axes concerned, the one to change first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sheshbesh.rules.axes import AXES, Answers, AxisValue, number_of, setup_of

Axis = tuple[str, str]
"""A table and its key."""

_TURNS = tuple(range(1, 10))

DEPENDS: Mapping[Axis, tuple[Axis, tuple[AxisValue, ...]]] = MappingProxyType(
    {
        ("prime", "allowed"): (("contact", "kind"), ("block",)),
        ("prime", "transit"): (("prime", "allowed"), ("ahead_of_block", "in_home", "may_move")),
        ("hit_run", "ban"): (("contact", "kind"), ("hit",)),
        ("hit_run", "priority"): (("hit_run", "ban"), ("soft", "hard")),
        ("throw", "progression_count"): (("throw", "progression_from"), _TURNS[1:]),
        ("throw", "progression_in_bearoff"): (("throw", "progression_from"), _TURNS),
        ("throw", "unused_to_opponent"): (("throw", "progression_from"), _TURNS),
        ("bearoff", "pinned_blocks"): (("contact", "kind"), ("pin",)),
        ("ending", "mother_points"): (("ending", "mother"), ("at_once", "plays_on")),
        ("ending", "closed_area_wins"): (("ending", "closed_area"), (True,)),
        ("score", "single"): (("score", "left"), ("off",)),
        ("cube", "limit"): (("cube", "use"), (True,)),
        ("table", "allow_dead_double"): (("cube", "use"), (True,)),
    }
)
"""Axes that mean something only where another one has one of these answers. (From the first turn on, it does
not matter whose turns are counted.)"""


def matters(axes: Answers, axis: Axis) -> bool:
    """Return True if the answer on `axis` means anything beside the other answers."""
    if axis not in DEPENDS:
        return True
    (table, key), answers = DEPENDS[axis]
    return axes[table][key] in answers and matters(axes, (table, key))


def same_game(one: Answers, other: Answers) -> bool:
    """Return True if two sets of complete answers differ at most in what does not matter."""
    axes = ((table, key) for table, keys in AXES.items() for key in keys)
    return all(
        one[table][key] == other[table][key]
        or not (matters(one, (table, key)) or matters(other, (table, key)))
        for table, key in axes
    )


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A sentence for the author of a game, and the axes it is about."""

    axes: tuple[Axis, ...]
    message: str


def contradictions(axes: Answers) -> list[Contradiction]:
    """Return everything in complete `axes` that cannot be played as it stands, empty for a game."""
    parts = (_counts, _contact, _shapes, _runner, _duty, _throw, _ending, _score, _cube)
    return [found for part in parts for found in part(axes)]


def _counts(axes: Answers) -> Iterator[Contradiction]:
    setup, hand, checkers = (
        setup_of(axes),
        number_of(axes, "board", "hand"),
        number_of(axes, "board", "checkers"),
    )
    total = sum(setup.values())
    if total + hand != checkers:
        yield Contradiction(
            (("board", "setup"), ("board", "hand"), ("board", "checkers")),
            f"{total} checkers in the setup and {hand} in hand do not make {checkers}",
        )
    cap = number_of(axes, "occupancy", "stack_cap")
    if cap and max(setup.values(), default=0) > cap:
        yield Contradiction(
            (("occupancy", "stack_cap"), ("board", "setup")),
            f"the setup has a stack of {max(setup.values())}, above the cap of {cap}",
        )
    clash = [point for point in setup if _mirrored(axes, point) in setup]
    if clash:
        yield Contradiction(
            (("board", "setup"), ("board", "movement")),
            f"both sides would start on the same points: {', '.join(map(str, sorted(clash)))}",
        )


def _mirrored(axes: Answers, point: int) -> int:
    if axes["board"]["movement"] == "parallel":
        return point + 12 if point <= 12 else point - 12
    return 25 - point


def _contact(axes: Answers) -> Iterator[Contradiction]:
    kind = axes["contact"]["kind"]
    if kind != "hit" and axes["hit_run"]["ban"] != "none":
        yield Contradiction(
            (("hit_run", "ban"), ("contact", "kind")), 'nothing is hit in this game: the ban must be "none"'
        )
    if kind != "pin" and axes["bearoff"]["pinned_blocks"]:
        yield Contradiction(
            (("bearoff", "pinned_blocks"), ("contact", "kind")),
            "nothing is imprisoned in this game: pinned_blocks must be false",
        )
    if kind != "pin" and axes["ending"]["mother"] != "off":
        yield Contradiction(
            (("ending", "mother"), ("contact", "kind")),
            'nothing is imprisoned in this game: mother must be "off"',
        )
    if kind != "block" and axes["prime"]["allowed"] != "always":
        yield Contradiction(
            (("prime", "allowed"), ("contact", "kind")),
            'one checker closes no point in this game: allowed must be "always"',
        )


def _shapes(axes: Answers) -> Iterator[Contradiction]:
    occupancy, head = axes["occupancy"], axes["head"]
    if occupancy["own_quarter"] == 6 and occupancy["quarter_until"] != "always":
        yield Contradiction(
            (("occupancy", "quarter_until"), ("occupancy", "own_quarter")),
            "own_quarter = 6 limits nothing that could end",
        )
    if not head["limit"] and head["exception"] != "none":
        yield Contradiction(
            (("head", "exception"), ("head", "limit")), "without a limit there is nothing to except"
        )
    if head["limit"] and 24 not in setup_of(axes):
        yield Contradiction((("head", "limit"), ("board", "setup")), "no checker starts on 24, the head")


def _runner(axes: Answers) -> Iterator[Contradiction]:
    to = axes["runner"]["to"]
    if to == "none":
        return
    goal = 6 if to == "home" else 11
    if axes["contact"]["kind"] == "hit":
        yield Contradiction(
            (("runner", "to"), ("contact", "kind")), "a runner that can be hit leaves nothing that may move"
        )
    if axes["board"]["hand"]:
        yield Contradiction((("runner", "to"), ("board", "hand")), "checkers in hand have not left 24")
    if any(point <= goal for point in setup_of(axes)):
        yield Contradiction(
            (("runner", "to"), ("board", "setup")), "a checker stands at the runner's goal from the start"
        )


def _duty(axes: Answers) -> Iterator[Contradiction]:
    duty = axes["duty"]
    if duty["dice"] != "all" and duty["tie"] != "none":
        yield Contradiction(
            (("duty", "tie"), ("duty", "dice")),
            'where a die may be left unplayed no preference has force: tie must be "none"',
        )


def _throw(axes: Answers) -> Iterator[Contradiction]:
    throw = axes["throw"]
    chain, bonus = throw["progression_from"] != 0, throw["one_two_bonus"] != "off"
    if chain and bonus:
        yield Contradiction(
            (("throw", "one_two_bonus"), ("throw", "progression_from")),
            "a chosen double and a running double cannot both follow a throw",
        )
    if (chain or bonus) and throw["double_steps"] != 4:
        yield Contradiction(
            (("throw", "double_steps"), ("throw", "progression_from"), ("throw", "one_two_bonus")),
            "the doubles of a chain are four steps each",
        )
    if (chain or bonus) and axes["duty"]["dice"] != "all":
        yield Contradiction(
            (("duty", "dice"), ("throw", "progression_from"), ("throw", "one_two_bonus")),
            "what follows a throw hangs on whether all of it was played, so as much as possible must be",
        )
    if not chain:
        plain = {"progression_count": "own", "progression_in_bearoff": True, "unused_to_opponent": False}
        for key, value in plain.items():
            if throw[key] != value:
                yield Contradiction(
                    (("throw", key), ("throw", "progression_from")),
                    "has no effect while doubles do not run on (progression_from = 0)",
                )


def _ending(axes: Answers) -> Iterator[Contradiction]:
    ending = axes["ending"]
    if ending["mother"] != "off" and 24 not in setup_of(axes):
        yield Contradiction(
            (("ending", "mother"), ("board", "setup")), "no checker starts on 24, the mother's point"
        )
    if not ending["closed_area"]:
        return
    if axes["contact"]["kind"] != "block" or axes["board"]["movement"] != "contrary":
        yield Contradiction(
            (("ending", "closed_area"), ("contact", "kind"), ("board", "movement")),
            "six held points lock the enemy out of their home only where one checker closes a point and the "
            "sides move contrary",
        )
    if number_of(axes, "occupancy", "own_quarter") < 6:
        yield Contradiction(
            (("ending", "closed_area"), ("occupancy", "own_quarter")), "the area may never be held completely"
        )


def _score(axes: Answers) -> Iterator[Contradiction]:
    score = {
        key: number_of(axes, "score", key) for key in ("single", "gammon", "backgammon", "home_mars", "koks")
    }
    if axes["score"]["left"] != "off":
        for key in ("gammon", "backgammon", "home_mars", "koks"):
            if score[key]:
                yield Contradiction(
                    (("score", key), ("score", "left")), "must be 0 where the checkers left are counted"
                )
        return
    if score["gammon"] and score["gammon"] < score["single"]:
        yield Contradiction(
            (("score", "gammon"), ("score", "single")), "must not be worth less than a single win"
        )
    for key in ("backgammon", "home_mars", "koks"):
        if score[key] and not score["gammon"]:
            yield Contradiction(
                (("score", key), ("score", "gammon")), "is a kind of gammon, which has no points here"
            )
        elif score[key] and score[key] < score["gammon"]:
            yield Contradiction((("score", key), ("score", "gammon")), "must not be worth less than a gammon")


def _cube(axes: Answers) -> Iterator[Contradiction]:
    if number_of(axes, "cube", "limit").bit_count() > 1:
        yield Contradiction((("cube", "limit"),), "the cube shows only 1, 2, 4, 8 and so on")
