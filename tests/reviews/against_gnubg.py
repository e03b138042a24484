"""Our judgement of a match beside the one that GNU Backgammon stored in its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum, sqrt
from typing import Any, NamedTuple

from sheshbesh.records import Decision, Match, match_statistics
from sheshbesh.reviews import Report

WORST = 0.12
"""A loss (EMG) from which the worst decision of a game should be the same one."""
_MEAN, _MOST, _SHARE = 0.5, 1.0, 0.9
_LUCK = 0.98


class Comparison(NamedTuple):
    """One match: PR, unforced plays and losses of each player, worst decisions, luck of rolls."""

    ratings: list[tuple[float, float]]
    unforced: list[tuple[int, int]]
    worst: list[bool]
    luck: list[tuple[float, float]]
    lost: list[tuple[float, float]]


def compared(match: Match, report: Report) -> Comparison:
    """A match with gnubg's analysis, and our report of it."""
    players = list(zip(match_statistics(match).players, report.statistics().players, strict=True))
    rolls = {(each.game, each.event): each.luck for each in match.analysis if each.kind == "play"}
    luck = [
        (told, each.luck)
        for each in report.decisions
        if (told := rolls.get((each.game, each.decision.event))) is not None and each.luck is not None
    ]
    return Comparison(
        [(a["rate_memg"] / 2, b["rate_memg"] / 2) for a, b in players],
        [(a["moves"]["unforced"], b["moves"]["unforced"]) for a, b in players],
        list(_worst(match, report)),
        luck,
        [(_lost(a), _lost(b)) for a, b in players],
    )


def _worst(match: Match, report: Report) -> Iterator[bool]:
    """For each game in which gnubg sees a loss above `WORST`: whether our worst decision is the same one."""
    for game in match.games:
        theirs = [each for each in match.analysis if each.game == game.number and each.counted]
        worst = max(theirs, key=_loss, default=None)
        if worst is None or _loss(worst) <= WORST:
            continue
        ours = [each for each in report.decisions if each.game == game.number and each.decision.counted]
        found = max(ours, key=lambda each: each.loss)
        yield (found.decision.event, found.decision.kind) == (worst.event, worst.kind)


def _lost(player: Mapping[str, Any]) -> float:
    return float(player["moves"]["error_emg"] + player["cube"]["error_emg"])


def _loss(decision: Decision) -> float:
    if decision.kind == "play":
        return decision.play_loss or 0.0
    cube = decision.cube
    if cube is None:
        return 0.0
    if decision.kind == "no_double":
        return cube.best - cube.no_double
    if decision.kind == "double":
        return cube.best - cube.best_double
    gained = cube.double_take - cube.double_drop
    return max(gained if decision.kind == "take" else -gained, 0.0)


def summary(found: Sequence[Comparison]) -> Iterator[tuple[str, str, list[str]]]:
    """Promise, what was measured, and what is against it."""
    unforced = [pair for each in found for pair in each.unforced]
    other = [f"{a}, ours {b}" for a, b in unforced if a != b]
    yield (
        "unforced plays are those that gnubg counts",
        f"{len(unforced)} players, {sum(a for a, _ in unforced)} plays",
        other,
    )
    ratings = [pair for each in found for pair in each.ratings]
    gaps = [b - a for a, b in ratings]
    mean, near = fsum(map(abs, gaps)) / len(gaps), sum(abs(gap) <= _MOST for gap in gaps) / len(gaps)
    signed, largest = fsum(gaps) / len(gaps), max(gaps, key=abs)
    told = f"mean {mean:.2f}, within {_MOST:g}: {near:.0%}, signed {signed:+.2f}, largest {largest:+.2f}"
    yield (
        "PR beside gnubg's: mean difference 0.5, 90 % within 1.0",
        told,
        ["farther"] if mean > _MEAN or near < _SHARE else [],
    )
    lost = [pair for each in found for pair in each.lost]
    yield "sum of losses", f"gnubg {fsum(a for a, _ in lost):.2f}, ours {fsum(b for _, b in lost):.2f}", []
    worst = [each for comparison in found for each in comparison.worst]
    told = f"{sum(worst)} of {len(worst)} games"
    yield (
        "the worst decision above .12 of a game is the same in 90 %",
        told,
        ["fewer"] if sum(worst) < _SHARE * len(worst) else [],
    )
    least = min(_correlation(each.luck) for each in found)
    yield (
        "luck of rolls correlates .98",
        f"{least:.3f} at least, {_correlation([pair for each in found for pair in each.luck]):.3f} over all",
        ["less"] if least < _LUCK else [],
    )


def _correlation(pairs: Sequence[tuple[float, float]]) -> float:
    xs, ys = zip(*pairs, strict=True)
    mx, my = fsum(xs) / len(xs), fsum(ys) / len(ys)
    cross = fsum((x - mx) * (y - my) for x, y in pairs)
    return cross / sqrt(fsum((x - mx) ** 2 for x in xs) * fsum((y - my) ** 2 for y in ys))
