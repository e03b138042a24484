"""The analysis that stood in a file, joined to the events it is about."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from sheshbesh.errors import SheshbeshError
from sheshbesh.records import model
from sheshbesh.records.board import text_of_steps
from sheshbesh.records.decision import Candidate, CubeEquities, Decision, Kind
from sheshbesh.records.entry import Entry, RawCandidate, RawCube
from sheshbesh.records.game_replay import GameReplay
from sheshbesh.records.stake import chances_at
from sheshbesh.rules import Play, Position, Side


def _ends(replay: GameReplay, side: Side) -> tuple[float, float] | None:
    """The side's chances after winning and after losing the present cube; None in money play."""
    raw, game = replay.raw, replay.game
    return chances_at(
        raw.length,
        game.white,
        game.black,
        side,
        replay.cube,
        crawford=replay.crawford,
        crawford_rule=raw.crawford_rule,
    )


def _stake(replay: GameReplay, side: Side) -> float:
    ends = _ends(replay, side)
    return float(replay.cube) if ends is None else (ends[0] - ends[1]) / 2


def attach_play(replay: GameReplay, entry: Entry, event: model.PlayEvent, plays: Sequence[Play]) -> None:
    """Keep the analysis of a roll: the cube before it, the candidates, the luck."""
    has_analysis = entry.candidates or entry.cube or entry.luck is not None or entry.loss is not None
    if not has_analysis and not replay.raw.analysed_by:
        return
    side = event.side
    if entry.cube is not None:
        attach_cube(replay, entry, "no_double", side, event=len(replay.events) - 1)
    before = event.before if event.position else None
    cands = tuple(_candidate(before, event.dice, raw) for raw in entry.candidates)
    played = entry.played
    if played is not None and not 0 <= played < len(cands):
        played = None
    replay.decisions.append(
        Decision(
            replay.game.number,
            len(replay.events) - 1,
            side,
            "play",
            _stake(replay, side),
            cands,
            played,
            len(plays) if event.legal else 0,
            luck=entry.luck,
            loss=entry.loss,
            counted=event.legal and event.play is not None and bool(event.position),
        )
    )


def attach_cube(replay: GameReplay, entry: Entry, kind: Kind, side: Side, event: int | None = None) -> None:
    """Keep the analysis of a cube action; a take or drop has the doubler's point of view."""
    if entry.cube is None and (not replay.raw.analysed_by or kind == "no_double"):
        return
    doubler = side.other if kind in ("take", "drop") else side
    replay.decisions.append(
        Decision(
            replay.game.number,
            len(replay.events) - 1 if event is None else event,
            side,
            kind,
            _stake(replay, side),
            cube=None if entry.cube is None else _equities(replay, entry.cube, doubler),
            loss=entry.cube_loss,
            counted=replay.raw.format != "position" and not replay.lost,
        )
    )


def _equities(replay: GameReplay, raw: RawCube, doubler: Side) -> CubeEquities:
    no_double, take = raw.no_double, raw.double_take
    ends = _ends(replay, doubler)
    if raw.in_mwc and ends is not None and ends[0] > ends[1]:
        win, lose = ends
        no_double, take = ((2 * mwc - (win + lose)) / (win - lose) for mwc in (no_double, take))
    return CubeEquities(
        no_double,
        take,
        raw.double_drop,
        raw.chances,
        raw.chances_take,
        raw.cubeless,
        raw.cubeless_take,
        raw.depth,
    )


def _candidate(before: Position | None, dice: tuple[int, int], raw: RawCandidate) -> Candidate:
    """A weighed play, in canonical notation where the board is known and the rules accept it."""
    name = text_of_steps(raw.steps)
    if before is not None:
        with suppress(SheshbeshError):
            play = before.parse_play(name, dice)
            name = "" if play.is_pass else play.notation
    return Candidate(name, raw.equity, raw.chances, raw.depth)
