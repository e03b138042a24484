"""The answers to an analysis board about a position: chances, plays, the cube, and rollouts in portions.

Everything is plain data, seen by the side on roll, as `sheshbesh.players.data` has it. Equities are points a
game, normalised to the present cube. A rollout is played in portions of whole chunks of trials, so that a
server can let others take their turn between two of them; it is the same to the bit however it is cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from sheshbesh.engines import Candidate, Engine
from sheshbesh.engines.core_question import core_question
from sheshbesh.engines.explain.verdict import compare_plays
from sheshbesh.engines.outcome import ResultClass
from sheshbesh.engines.rollout.rollout import Estimate, Rollout, RolloutOptions
from sheshbesh.engines.rollout.run import RolloutRun
from sheshbesh.engines.rollout.subjects import compared, cube_run, decided, plays_run, position_run
from sheshbesh.engines.rollout.tally import CHUNK
from sheshbesh.errors import CubeError, NotationError
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.players.data import candidate_data, cube_data, net_data, question_data, reason_data
from sheshbesh.players.situation import Situation
from sheshbesh.rules import Play

SHOWN: Final = 12
"""Plays that are shown, all of them looked at equally deep as the best one as far as time allows."""
DEEP: Final = 5
MOST_PLAYS: Final = 4
"""Plays that are rolled out against each other."""

_DIGITS = 4


def analyse(engine: Engine, here: Situation, plies: int, lang: str = "en") -> dict[str, Any]:
    """Chances by class; the best plays of the throw with reasons, or the cube decision before it.

    `plays` is None before the throw, `cube` where there is no double to be decided on; after the end of the
    game there is nothing but the chances.
    """
    position, match = here.position, here.judged_at
    outcome = engine.evaluate(position, match, plies=plies)
    found: dict[str, Any] = {
        "side": position.turn.value,
        "plies": plies,
        "approximate": outcome.approximate,
        "net": net_data(engine.net),
        "exact": engine.is_exact(position),
        "chances": [
            {**_class(each), "p": round(p, _DIGITS)}
            for each, p in zip(outcome.table.all, outcome.probabilities, strict=True)
        ],
        "equity": round(outcome.equity, _DIGITS),
        "cubeful": None,
        "plays": None,
        "of": 0,
        "cube": None,
    }
    if position.result is not None:
        return found
    if here.card.has_cube and not here.in_turn:
        found["cubeful"] = round(engine.cubeful_equity(outcome, position, match), _DIGITS)
    if here.in_turn:
        candidates = compare_plays(engine, position, here.dice, match, plies=plies, shown=DEEP)
        found["plays"] = _plays(engine, candidates[:SHOWN], match, lang)
        found["of"] = len(candidates)
    elif here.may_double:
        with suppress(CubeError):  # a double that the score makes impossible
            decision = engine.cube(position, match, plies=plies)
            found["cube"], found["cubeful"] = cube_data(decision), round(decision.equity, _DIGITS)
    return found


def question(here: Situation) -> dict[str, Any] | None:
    """Return what the core in a browser is asked to analyse a situation; None as for `core_question`.

    `grades` are the words of the limits, as a board draws them.
    """
    found = core_question(
        here.position,
        here.dice,
        here.judged_at,
        in_turn=here.in_turn,
        has_cube=here.card.has_cube,
        may_double=here.may_double,
    )
    return None if found is None else question_data(found)


def _class(each: ResultClass) -> dict[str, Any]:
    return {"ending": each.ending, "kind": each.kind, "points": each.points}


def _plays(
    engine: Engine, candidates: Sequence[Candidate], match: MatchState, lang: str
) -> list[dict[str, Any]]:
    """The plays, each with the reason why the best one is better; the best with that against the second."""
    best = candidates[0]
    plays = []
    for index, each in enumerate(candidates):
        against = candidates[1] if index == 0 and len(candidates) > 1 else each
        reasons = engine.explain(best, against, match) if against is not best else ()
        lead = best.equity - against.equity
        plays.append(candidate_data(each, best) | {"reason": reason_data(reasons, lead, lang)})
    return plays


# Rollouts


def roll_out_portion(
    engine: Engine,
    here: Situation,
    *,
    trials: int,
    seed: int,
    plays: Sequence[str] = (),
    chunks: int = 1,
    kept: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """`chunks` chunks of 36 trials more of a rollout of `trials`, and what is known by then.

    After a throw the `plays` (by their notation; else the best three) are rolled out against each other,
    before it the cube decision where there is one, else the position. `kept` is the field of that name in
    the portion before. ValueError for a field that no portion has; NotationError or IllegalPlayError for what
    is no play.
    """
    if here.position.result is not None:
        raise NotationError(Text("the game is over in this position"))
    asked = _plays_to_compare(engine, here, plays)
    run = _run(engine, here, asked, RolloutOptions(trials=trials, minimum=0, seed=seed))
    run.go_on(kept)
    whole = run.options
    # The dice of a chunk follow from the seed and its number: a shorter rollout is the start of a longer.
    run.options = replace(whole, trials=min(whole.trials, run.tally.trials + chunks * CHUNK))
    found = run.play()
    run.options = whole
    return {
        "trials": run.tally.trials,
        "total": -(-trials // CHUNK) * CHUNK,
        "done": run.is_enough(),
        "kept": run.tally.to_json(),
        "seed": seed,
        "asked": [play.notation for play in asked],
        **_results(run, here, asked, found),
    }


def _plays_to_compare(engine: Engine, here: Situation, plays: Sequence[str]) -> list[Play]:
    """The plays that are named, else the best three; none before a throw."""
    if not here.in_turn:
        return []
    if plays:
        return [here.position.parse_play(text, here.dice) for text in plays[:MOST_PLAYS]]
    return [each.play for each in engine.rank(here.position, here.dice, here.judged_at, plies=1)[:3]]


def _run(engine: Engine, here: Situation, asked: Sequence[Play], options: RolloutOptions) -> RolloutRun:
    parts, match = engine._parts(here.judged_at), here.judged_at
    if asked:
        return plays_run(parts, asked, match, options)
    if here.may_double:
        return cube_run(parts, here.position, match, options)
    return position_run(parts, here.position, match, options)


def _results(
    run: RolloutRun, here: Situation, asked: Sequence[Play], found: Sequence[Rollout]
) -> dict[str, Any]:
    """The results of plays, cube or position, whichever was rolled out; None for the others."""
    data: dict[str, Any] = {"plays": None, "cube": None, "position": None}
    if asked:
        data["plays"] = [
            {"play": each.play.notation, **_rollout(each.rollout), "behind": _estimate(each.behind)}
            for each in compared(asked, run, found)
        ]
    elif here.may_double:
        decision = decided(run, here.judged_at, found)
        data["cube"] = cube_data(decision.decision) | {
            "ways": [_rollout(decision.no_double), _rollout(decision.double_take)],
            "difference": _estimate(decision.difference),
        }
    else:
        data["position"] = _rollout(found[0])
    return data


def _rollout(found: Rollout) -> dict[str, Any]:
    return {
        "equity": _estimate(found.decisive),
        "chances": [{**_class(each), **_estimate(p)} for each, p in found.classes.items()],
        "win": _estimate(found.win),
    }


def _estimate(number: Estimate) -> dict[str, float]:
    return {"mean": round(number.mean, 5), "error": round(number.error, 5)}
