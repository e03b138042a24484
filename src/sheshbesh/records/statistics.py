"""Statistics of a match from its analysed decisions, by the rules of three programs.

`statistics` takes plain decisions of any analyser: the file's own analysis and ours give their numbers by the
same code. Rules:

* "gnubg": GNU Backgammon's counts (analysis.c, formatgs.c, eval.c): unforced plays, close or actual cube
  decisions, marks at .03, .06 and .12, six classes of cube errors, luck, error-based FIBS rating.
* "xg": eXtreme Gammon's performance rating, as its manual defines it.
* "snowie": errors of checker and cube over all plays of both players.

Errors are positive. EMG is equity normalised to the present cube; `mwc` are match-winning chances as
fractions, in money play points. Formulas with their sources: docs/guide/match-files.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any, Literal, TypeAlias, TypedDict, get_args

from sheshbesh.errors import RecordError
from sheshbesh.notebook import brief
from sheshbesh.records.decision import CubeEquities, Decision, GameOutcome
from sheshbesh.records.model import DECISIONS, Match, PlayEvent
from sheshbesh.rules import Side
from sheshbesh.rules.side import SIDES

Rule: TypeAlias = Literal["gnubg", "xg", "snowie"]
RULES: tuple[str, ...] = get_args(Rule)

_CLOSE = 0.16
_SCALES = {"nackgammon": 0.952}
"""The factor with which eXtreme Gammon multiplies the errors of a game."""
DOUBTFUL, BAD, VERY_BAD = 0.03, 0.06, 0.12
LUCKY, VERY_LUCKY = 0.3, 0.6
_CUBE_ERRORS = (
    "missed_below_cash",
    "missed_above_cash",
    "wrong_below_double",
    "wrong_above_too_good",
    "wrong_takes",
    "wrong_passes",
)

# eXtreme Gammon's limits.
_TRIVIAL, _OBVIOUS, _LOST = 0.001, 0.200, -0.900
# Plays whose equities differ by less are the same to its display; measured on its own printed ratings
# by gammonview between 0.00005 and 0.00013.
_SAME = 0.0001


class StatisticsData(TypedDict):
    """The numbers of both players as plain data; which there are depends on the rule."""

    rule: str
    players: list[dict[str, Any]]
    left_out: list[int]


@dataclass(frozen=True, slots=True)
class Statistics:
    """The numbers of both players by one rule.

    Parameters
    ----------
    rule : str
        By whose rules.
    players : tuple[Mapping[str, Any], Mapping[str, Any]]
        White's numbers and Black's; which there are depends on the rule.
    left_out : tuple[int, int]
        The decisions of White and of Black that no sum counts: plays against the rules that stood, plays that
        are not shown, and all that was decided on a board that is not known.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> game = sb.Game("hypergammon", dice=[(6, 5)])
    >>> game.play(game.legal[-1]) if game.roll() else None
    >>> sb.review(game.to_match(), plies=0, workers=1).statistics("xg").players[0]["decisions"]
    1
    """

    rule: str
    players: tuple[Mapping[str, Any], Mapping[str, Any]]
    left_out: tuple[int, int] = (0, 0)

    def __repr__(self) -> str:
        names = " and ".join(repr(each["name"][:40]) for each in self.players)
        return brief("Statistics", f"{self.rule} of {names}")

    def to_data(self) -> StatisticsData:
        """Give the statistics as plain data.

        Returns
        -------
        StatisticsData
            The data.
        """
        return {
            "rule": self.rule,
            "players": [dict(player) for player in self.players],
            "left_out": list(self.left_out),
        }


def statistics(
    decisions: Sequence[Decision],
    outcomes: Sequence[GameOutcome] = (),
    *,
    names: tuple[str, str] = ("", ""),
    length: int | None = None,
    game: str = "backgammon",
    rule: str = "gnubg",
    bars: bool = False,
    left_out: tuple[int, int] = (0, 0),
) -> Statistics:
    """The statistics of these decisions by `rule`: "gnubg", "xg" or "snowie".

    `length` is that of the match, None for money; `outcomes` are those of the finished games. With `bars`
    every player has a mapping "bars" of standard errors, by the name of the number they belong to. Decisions
    that are not `counted` stay out; `left_out` says how many of each side do (see `uncounted`). RecordError
    for an unknown rule.
    """
    if rule not in RULES:
        raise RecordError(f"no rule {rule!r} for statistics: expected {', '.join(RULES)}")
    counted = [decision for decision in decisions if decision.counted]
    if rule == "xg":
        scale = _xg_scale(length, game)
        made = [
            _xg(_of(counted, side), name, scale, bars=bars) for side, name in zip(SIDES, names, strict=True)
        ]
    elif rule == "snowie":
        moves = sum(decision.kind == "play" for decision in counted)
        made = [_snowie(_of(counted, side), name, moves) for side, name in zip(SIDES, names, strict=True)]
    else:
        tallies = [_Tally(_of(counted, side)) for side in SIDES]
        made = [
            _gnubg(
                tallies[index], tallies[1 - index], names[index], outcomes, SIDES[index], length, bars=bars
            )
            for index in (0, 1)
        ]
    return Statistics(rule, (made[0], made[1]), left_out)


def uncounted(match: Match) -> tuple[int, int]:
    """Return the number of decisions of White and of Black that no sum counts: see `Statistics.left_out`.

    The last roll of a game that was not played, since a player resigned, is no decision.
    """
    found = {Side.WHITE: 0, Side.BLACK: 0}
    for game in match.games if match.format != "position" else ():
        deeds = [event for event in game.events if isinstance(event, DECISIONS)]
        for index, event in enumerate(deeds):
            hidden = isinstance(event, PlayEvent) and event.play is None and index + 1 < len(deeds)
            illegal = isinstance(event, PlayEvent) and not event.legal
            found[event.side] += hidden or illegal or not event.position
    return found[Side.WHITE], found[Side.BLACK]


def _of(decisions: Sequence[Decision], side: Side) -> list[Decision]:
    return [decision for decision in decisions if decision.side is side]


# gnubg


@dataclass(slots=True)
class _Sum:
    """A number of errors and what they cost."""

    count: int = 0
    emg: float = 0.0
    mwc: float = 0.0

    def add(self, emg: float, stake: float) -> None:
        self.count += 1
        self.emg += emg
        self.mwc += emg * stake

    def to_data(self) -> dict[str, Any]:
        return {"count": self.count, "emg": self.emg, "mwc": self.mwc}


class _Tally:
    """One player's decisions, counted by gnubg's rules."""

    def __init__(self, decisions: Sequence[Decision]) -> None:
        self.moves = {"total": 0, "unforced": 0, "doubtful": 0, "bad": 0, "very_bad": 0}
        self.cubes = {"total": 0, "close": 0, "doubles": 0, "takes": 0, "passes": 0}
        self.rolls = {"very_lucky": 0, "lucky": 0, "unlucky": 0, "very_unlucky": 0}
        self.checker = _Sum()
        self.luck = _Sum()
        self.classes = {name: _Sum() for name in _CUBE_ERRORS}
        self.losses: list[float] = []
        self.lucks: list[tuple[float, float]] = []
        self.luck_of_game: dict[int, float] = {}
        for decision in decisions:
            if decision.kind == "play":
                self._play(decision)
            else:
                self._cube(decision)

    @property
    def cube(self) -> _Sum:
        """All cube errors together."""
        parts = self.classes.values()
        return _Sum(
            sum(part.count for part in parts),
            sum(part.emg for part in parts),
            sum(part.mwc for part in parts),
        )

    def _play(self, decision: Decision) -> None:
        self.moves["total"] += 1
        if decision.luck is not None:
            self._luck(decision, decision.luck)
        if not decision.unforced:
            return
        self.moves["unforced"] += 1
        loss = decision.play_loss or 0.0
        self.losses.append(loss)
        self.checker.add(loss, decision.stake)
        if loss > VERY_BAD:
            self.moves["very_bad"] += 1
        elif loss > BAD:
            self.moves["bad"] += 1
        elif loss > DOUBTFUL:
            self.moves["doubtful"] += 1

    def _luck(self, decision: Decision, luck: float) -> None:
        self.luck.add(luck, decision.stake)
        self.lucks.append((luck, luck * decision.stake))
        before = self.luck_of_game.get(decision.game, 0.0)
        self.luck_of_game[decision.game] = before + luck * decision.stake
        for name, held in (
            ("very_lucky", luck > VERY_LUCKY),
            ("lucky", luck > LUCKY),
            ("very_unlucky", luck < -VERY_LUCKY),
            ("unlucky", luck < -LUCKY),
        ):
            if held:
                self.rolls[name] += 1
                return

    def _cube(self, decision: Decision) -> None:
        kind, cube = decision.kind, decision.cube
        if kind == "no_double":
            if cube is None:
                return
            self.cubes["total"] += 1
            if cube.best - min(cube.double_take, 1.0) < _CLOSE:
                self.cubes["close"] += 1
                self.losses.append(cube.best - cube.no_double)
            if cube.no_double < cube.best:
                name = "missed_above_cash" if cube.double_take > 1.0 else "missed_below_cash"
                self.classes[name].add(cube.best - cube.no_double, decision.stake)
            return
        self.cubes["total"] += 1
        self.cubes["close"] += 1
        self.cubes[{"double": "doubles", "take": "takes", "drop": "passes"}[kind]] += 1
        loss, name = _actual(kind, cube)
        self.losses.append(loss)
        if loss > 0:
            self.classes[name].add(loss, decision.stake)


def _actual(kind: str, cube: CubeEquities | None) -> tuple[float, str]:
    """Return what a double, a take or a drop lost, and the class of the error."""
    if cube is None:
        return 0.0, ""
    if kind == "double":
        made = min(cube.double_take, 1.0)
        name = "wrong_above_too_good" if cube.no_double > 1.0 else "wrong_below_double"
        return cube.best - made, name
    if kind == "take":
        return max(cube.double_take - 1.0, 0.0), "wrong_takes"
    return max(1.0 - cube.double_take, 0.0), "wrong_passes"


def _gnubg(
    own: _Tally,
    other: _Tally,
    name: str,
    outcomes: Sequence[GameOutcome],
    side: Side,
    length: int | None,
    *,
    bars: bool,
) -> dict[str, Any]:
    cube, checker = own.cube, own.checker
    total = checker.emg + cube.emg
    unforced, close = own.moves["unforced"], own.cubes["close"]
    moves = own.moves["total"] + other.moves["total"]
    sign = 1 if side is Side.WHITE else -1
    actual = sign * sum(outcome.mwc for outcome in outcomes)
    found: dict[str, Any] = {
        "name": name,
        "moves": {**own.moves, "error_emg": checker.emg, "error_mwc": checker.mwc},
        "cube": {
            **own.cubes,
            **{each: part.to_data() for each, part in own.classes.items()},
            "error_emg": cube.emg,
            "error_mwc": cube.mwc,
        },
        "luck": {**own.rolls, "emg": own.luck.emg, "mwc": own.luck.mwc},
        "rate_memg": _rate(1000 * total, unforced + close),
        "snowie": _rate(1000 * total, moves),
        "fibs": None
        if length is None
        else fibs_rating(_rate(checker.emg, unforced), _rate(cube.emg, close), length),
        "actual_mwc": actual,
        "luck_adjusted_mwc": actual - own.luck.mwc + other.luck.mwc,
    }
    if bars:
        found["bars"] = _bars(own, other, outcomes, sign)
    return found


def _bars(own: _Tally, other: _Tally, outcomes: Sequence[GameOutcome], sign: int) -> dict[str, float | None]:
    """Standard errors: of means over decisions, of sums over rolls, of a result over games."""
    mean = _mean_error(own.losses)
    adjusted = [
        sign * outcome.mwc
        - own.luck_of_game.get(outcome.game, 0.0)
        + other.luck_of_game.get(outcome.game, 0.0)
        for outcome in outcomes
    ]
    spread = _spread(adjusted)
    return {
        "rate_memg": None if mean is None else 1000 * mean,
        "pr": None if mean is None else 500 * mean,
        "luck_emg": _sum_error([emg for emg, _ in own.lucks]),
        "luck_mwc": _sum_error([mwc for _, mwc in own.lucks]),
        "luck_adjusted_mwc": None if spread is None else spread * sqrt(len(adjusted)),
    }


def fibs_rating(per_move: float, per_cube: float, length: int) -> float:
    """gnubg's absolute FIBS rating from EMG per unforced play and per close cube decision.

    Source: the fit in GNU Backgammon's manual, "Overall rating".
    """
    return 2050 - per_move * (8798 + 25526 / length) - per_cube * (863 - 519 / length)


# eXtreme Gammon


def _xg_scale(length: int | None, game: str) -> float:
    """Return what errors are multiplied with: one-pointers and nackgammon lose otherwise than long
    matches."""
    return (1.5 if length == 1 else 1.0) * _SCALES.get(game, 1.0)


def xg_loss(decision: Decision) -> float | None:
    """Return what a decision lost if it is one by eXtreme Gammon's rule; None for the obvious.

    The manual calls a double that was made and a take never obvious. One where both answers, or doubling and
    waiting, come to the same within 0.001 is left out all the same, as gammonview counts.
    """
    if decision.kind == "play":
        return _xg_play(decision)
    cube = decision.cube
    if cube is None:
        return None
    loss = decision.loss if decision.loss is not None else cube_loss(decision.kind, cube)
    none, take, drop = (round(each, 4) for each in (cube.no_double, cube.double_take, cube.double_drop))
    if decision.kind in ("take", "drop"):
        even = abs(take - drop) < _TRIVIAL
    elif decision.kind == "double":
        even = abs(none - min(take, drop)) < _TRIVIAL
    else:
        even = _obvious(none, take, drop)
    return None if even and loss < _TRIVIAL else loss


def cube_loss(kind: str, cube: CubeEquities) -> float:
    """Return what a cube action gave up, where the analyser does not say so itself."""
    if kind == "no_double":
        return max(cube.best_double - cube.no_double, 0.0)
    if kind == "double":
        return cube.best - cube.best_double
    return max((cube.double_take - cube.double_drop) * (1 if kind == "take" else -1), 0.0)


def _xg_play(decision: Decision) -> float | None:
    loss = decision.loss if decision.loss is not None else decision.play_loss
    if not decision.unforced or loss is None:
        return None
    cands = decision.candidates
    equities = [each.equity for each in cands]
    if equities and max(equities) - min(equities) < _SAME:
        return None
    return loss


def _obvious(none: float, take: float, drop: float) -> bool:
    """Return True if not doubling needs no thought; to the four digits that XG shows."""
    return (
        abs(none - min(take, drop)) < _TRIVIAL
        or round(none - take, 4) > _OBVIOUS
        or round(none - drop, 4) > _OBVIOUS
        or (none < _LOST and take < _LOST)
    )


def _xg(decisions: Sequence[Decision], name: str, scale: float, *, bars: bool) -> dict[str, Any]:
    losses = [scale * loss for each in decisions if (loss := xg_loss(each)) is not None]
    error = sum(losses)
    mean = _rate(error, len(losses))
    found: dict[str, Any] = {
        "name": name,
        "decisions": len(losses),
        "error": error,
        "pr": 500 * mean,
        "elo": 2000 / (1 + exp(40 * mean - 1.12)) + 732,
    }
    if bars:
        spread = _mean_error(losses)
        found["bars"] = {"pr": None if spread is None else 500 * spread}
    return found


# Snowie


def _snowie(decisions: Sequence[Decision], name: str, moves: int) -> dict[str, Any]:
    tally = _Tally(decisions)
    error = tally.checker.emg + tally.cube.emg
    return {
        "name": name,
        "moves": tally.moves["total"],
        "moves_of_both": moves,
        "error": error,
        "rate": _rate(1000 * error, moves),
    }


# Numbers


def _rate(value: float, count: int) -> float:
    return value / count if count else 0.0


def _spread(values: Sequence[float]) -> float | None:
    """The standard deviation of these values; None for fewer than two."""
    if len(values) < 2:
        return None
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def _mean_error(values: Sequence[float]) -> float | None:
    """The standard error of the mean."""
    spread = _spread(values)
    return None if spread is None else spread / sqrt(len(values))


def _sum_error(values: Sequence[float]) -> float | None:
    """The standard error of the sum, each value taken for an independent draw."""
    spread = _spread(values)
    return None if spread is None else spread * sqrt(len(values))
