"""The subjects of rollouts: a position, the plays of a throw against each other, a cube decision.

Plays that a search leaves open are decided by rollouts that are cut short. Open are those that it looked at
as deeply as its first one and found nearly as good. They are rolled out with common dice, for some throws
and then by the net's value, until one leads each other by some standard errors. A rollout that is cut
believes the net, but only when most of the difference between the plays has shown, and it costs a fraction
of one that is played to the end.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from math import fsum
from typing import Final, TypedDict, Unpack

from sheshbesh.cube.decision import CubeDecision, check_double
from sheshbesh.cube.match_utility import values_at
from sheshbesh.engines.outcome import Candidate, Classes
from sheshbesh.engines.rollout.rollout import (
    RolledOutCube,
    RolledOutPlay,
    RolledOutPlays,
    Rollout,
    RolloutOptions,
)
from sheshbesh.engines.rollout.run import Entry, Parts, Progress, RolloutRun, owner_of
from sheshbesh.errors import CubeError, PositionError, StoppedError
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.rules import Play, Position
from sheshbesh.work import Work

_ALL_PAIRS_OF_THROWS = RolloutOptions(trials=1296, truncate=2, luck="none")
"""The first 1296 trials are all pairs of throws, once each: nothing in them is left to chance."""

MARGIN: Final = 0.04
"""The distance behind the first at which a play is still open, in points of equity; where the checkers left
are counted, so much of what is at stake."""

CUT_SHORT: Final = RolloutOptions(trials=1296, minimum=108, lead=2.5, truncate=8, cube=False)
"""Eight throws and the net's value; an end at 2.5 standard errors."""


class Way(TypedDict, total=False):
    """Options for carrying out a rollout, whatever it finds; see `RolloutRun.play`."""

    threads: int
    file: str | os.PathLike[str] | None
    progress: Progress | bool | None
    cancelled: Callable[[], bool] | None
    work: Work | None


def roll_out(
    parts: Parts,
    position: Position,
    match: MatchState | None,
    options: RolloutOptions,
    **way: Unpack[Way],
) -> Rollout:
    """Roll out a position for the side on roll, which does not turn the cube before its first throw."""
    return position_run(parts, position, match, options).play(**way)[0]


def position_run(
    parts: Parts, position: Position, match: MatchState | None, options: RolloutOptions
) -> RolloutRun:
    """The rollout of `roll_out`, not yet played."""
    entry = Entry(position=position, side=position.turn, place=(0, owner_of(match, position.turn)))
    return RolloutRun(parts=parts, entries=[entry], match=match, options=options)


def roll_out_plays(
    parts: Parts,
    plays: Iterable[Play],
    match: MatchState | None,
    options: RolloutOptions,
    **way: Unpack[Way],
) -> RolledOutPlays:
    """Roll out plays of one position against each other, with common dice; best first.

    PositionError where they are none or not plays of one position.
    """
    asked = list(plays)
    run = plays_run(parts, asked, match, options)
    return compared(asked, run, run.play(**way))


def plays_run(
    parts: Parts, asked: Sequence[Play], match: MatchState | None, options: RolloutOptions
) -> RolloutRun:
    """The rollout of `roll_out_plays`, not yet played; errors as there."""
    if not asked or any(play.position != asked[0].position for play in asked):
        raise PositionError(Text("plays of one position are needed to compare them"))
    side = asked[0].position.turn
    entries = [
        Entry(
            position=play.result,
            side=side,
            place=(0, owner_of(match, play.result.turn)),
            first_double=play.result.turn is not side,
        )
        for play in asked
    ]
    return RolloutRun(parts=parts, entries=entries, match=match, options=options)


def compared(asked: Sequence[Play], run: RolloutRun, found: Sequence[Rollout]) -> RolledOutPlays:
    """The plays of a run that was played, best first."""
    order = sorted(range(len(asked)), key=lambda i: (-found[i].decisive, i))
    return RolledOutPlays(RolledOutPlay(asked[i], found[i], run.difference(order[0], i)) for i in order)


def roll_out_cube(
    parts: Parts,
    position: Position,
    match: MatchState,
    options: RolloutOptions,
    **way: Unpack[Way],
) -> RolledOutCube:
    """Roll out the ways to go on after a cube decision, with common dice.

    CubeError, with the reason, where the side on roll may not double; StoppedError if it was cancelled
    before the first trials were done.
    """
    run = cube_run(parts, position, match, options)
    found = run.play(**way)
    if not found[0].trials:
        raise StoppedError(
            Text("the rollout was cancelled before its first trials were done: {id}", id=position.id)
        )
    return decided(run, match, found)


def cube_run(parts: Parts, position: Position, match: MatchState, options: RolloutOptions) -> RolloutRun:
    """The rollout of `roll_out_cube`, not yet played; CubeError as there."""
    side = position.turn
    check_double(match, side)
    entries = [
        Entry(position=position, side=side, place=(0, owner_of(match, side))),
        Entry(position=position, side=side, place=(1, "theirs")),
    ]
    values = values_at(Classes.of(parts.variant).all, match, side, parts.equities)
    if match.is_money and match.beavers and len(values.heights) > 2:
        entries.append(Entry(position=position, side=side, place=(2, "theirs")))
    run = RolloutRun(parts=parts, entries=entries, match=match, options=options)
    if not run.cubeful:
        raise CubeError(Text("there is no cube in play: {id}", id=position.id))
    return run


def decided(run: RolloutRun, match: MatchState, found: Sequence[Rollout]) -> RolledOutCube:
    """The decision of a run of `cube_run` that was played."""
    hold, take, *beaver = found
    side = run.entries[0].side
    values = values_at(Classes.of(run.parts.variant).all, match, side, run.parts.equities)
    decision = CubeDecision(
        no_double=float(hold.decisive),
        double_take=float(take.decisive),
        double_pass=values.normalised(values.heights[0].cash),
        double_beaver=float(beaver[0].decisive) if beaver else None,
        redouble=match.owner is not None,
    )
    return RolledOutCube(hold, take, decision, run.difference(1, 0), *beaver)


def look_ahead_cube(parts: Parts, position: Position, match: MatchState) -> CubeDecision:
    """The cube decision from the cube model after all pairs of throws, with every double between them.

    Plays on the way are chosen with the cube in play. The model alone uses the chances of a position, not
    how much the next throws may change them, and a cube is turned before throws that change much. In the
    bear-off, where a database has the probabilities and not this score's cube, it misjudges how live the cube
    still is: over 96 positions and scores its equity without a double was off by 0.052 on average, this
    one's by 0.002.
    Errors as in `cube_run`.
    """
    run = cube_run(parts, position, match, _ALL_PAIRS_OF_THROWS)
    values = values_at(Classes.of(parts.variant).all, match, position.turn, parts.equities)
    hold, take, *beaver = run.cubeful_means()
    return CubeDecision(
        no_double=hold,
        double_take=take,
        double_pass=values.normalised(values.heights[0].cash),
        double_beaver=beaver[0] if beaver else None,
        redouble=match.owner is not None,
    )


def open_plays(candidates: Sequence[Candidate], margin: float = MARGIN) -> tuple[Candidate, ...]:
    """Those of a ranking that a search leaves open; the first alone where it leaves nothing.

    ValueError for a margin that is no number from 0 up.
    """
    if not margin >= 0:
        raise ValueError(f"margin must be a number from 0 up, not {margin!r}")
    if not candidates:
        return ()
    first = candidates[0]
    least = first.equity - margin * _at_stake(first)
    return tuple(each for each in candidates if each.plies == first.plies and each.equity >= least)


def _at_stake(candidate: Candidate) -> float:
    """1, or where the checkers left are counted what a result pays on average, as for a search's filters."""
    outcome = candidate.outcome
    if not outcome.table.counted:
        return 1.0
    paid = zip(outcome.probabilities, outcome.class_values, strict=True)
    return max(fsum(chance * abs(points) for chance, points in paid), 1.0)
