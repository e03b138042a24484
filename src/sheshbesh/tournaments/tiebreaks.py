"""Tie-breaks: an ordered list of rules by which those with equal scores are told apart.

They order standings and never pair. Definitions: docs/dev/tournaments.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sheshbesh.tournaments.draw import lot
from sheshbesh.tournaments.standings import Row, Tally
from sheshbesh.tournaments.state import Tournament


class Field(NamedTuple):
    """The tallies of everybody, and the tournament they belong to."""

    tallies: Mapping[int, Tally]
    state: Tournament


def _head_to_head(field: Field, tied: Sequence[int]) -> dict[int, float] | None:
    """Return wins among the tied, if all of them have met each other."""
    among = set(tied)
    tallies = field.tallies
    for number in tied:
        faced = {*tallies[number].met, *tallies[number].won_against}
        faced |= {other for other in tied if number in tallies[other].won_against}
        if not among - {number} <= faced:
            return None
    return {number: sum(1 for other in tallies[number].won_against if other in among) for number in tied}


def _parts(field: Field, number: int) -> list[float]:
    """Return what each round adds to the Buchholz of an entrant.

    An opponent's rounds without a game count a half each; a round of one's own without one counts as an
    opponent with one's own score.
    """
    tally = field.tallies[number]
    opponents = [field.tallies[other] for other in tally.met]
    own = max(tally.score, 0)
    return [each.board_wins + each.unplayed / 2 for each in opponents] + [own] * max(tally.unplayed, 0)


def _buchholz(field: Field, tied: Sequence[int]) -> dict[int, float]:
    return {number: sum(_parts(field, number)) for number in tied}


def _buchholz_cut1(field: Field, tied: Sequence[int]) -> dict[int, float]:
    """Return the same without the opponent who scored least."""
    found = {}
    for number in tied:
        parts = _parts(field, number)
        found[number] = sum(parts) - min(parts, default=0)
    return found


def _sonneborn_berger(field: Field, tied: Sequence[int]) -> dict[int, float]:
    tallies = field.tallies
    return {number: sum(tallies[other].score for other in tallies[number].beaten) for number in tied}


def _point_difference(field: Field, tied: Sequence[int]) -> dict[int, float]:
    return {number: field.tallies[number].points for number in tied}


def _wins(field: Field, tied: Sequence[int]) -> dict[int, float]:
    return {number: field.tallies[number].board_wins for number in tied}


def _games(field: Field, tied: Sequence[int]) -> dict[int, float]:
    """Return single games won, of the matches whose games are known."""
    found: dict[int, float] = dict.fromkeys(tied, 0)
    for pairing in field.state.counted():
        for game in pairing.result.games if pairing.result is not None else ():
            for number, own, other in ((pairing.first, *game), (pairing.second, game[1], game[0])):
                if number in found:
                    found[number] += own > other
    return found


def _lot(field: Field, tied: Sequence[int]) -> dict[int, float]:
    return {number: lot(field.state.seed, "lot", number) >> 32 for number in tied}


def _playoff(field: Field, tied: Sequence[int]) -> dict[int, float] | None:
    """Return playoffs won among the tied, if they have played any."""
    found: dict[int, float] = dict.fromkeys(tied, 0)
    among = set(tied)
    played = [
        each.result.winner
        for each in field.state.pairings
        if each.playoff and each.status == "decided" and each.result is not None and among >= set(each.both)
    ]
    for winner in played:
        if winner:
            found[winner] += 1
    return found if played else None


_VALUES: dict[str, Callable[[Field, Sequence[int]], Mapping[int, float] | None]] = {
    "head_to_head": _head_to_head,
    "buchholz_cut1": _buchholz_cut1,
    "buchholz": _buchholz,
    "sonneborn_berger": _sonneborn_berger,
    "point_difference": _point_difference,
    "wins": _wins,
    "games": _games,
    "lot": _lot,
    "playoff": _playoff,
}
_OF_THE_TIED = ("head_to_head", "playoff")
"""Tie-breaks that only mean something among those who are tied."""


def ranked(
    state: Tournament,
    tallies: Mapping[int, Tally],
    keys: Mapping[int, Any],
    *,
    ties: Sequence[str],
    group: int = 0,
) -> tuple[Row, ...]:
    """Return the standings of those in `keys`, the greatest key first, equal ones by the tie-breaks."""
    field = Field(tallies, state)
    shown = {
        tie: _VALUES[tie](field, list(keys)) for tie in ties if tie in _VALUES and tie not in _OF_THE_TIED
    }
    special: dict[int, dict[str, float | None]] = {number: {} for number in keys}
    in_order: list[list[int]] = []
    for _, tied in _bundled(keys):
        in_order += _split(field, tied, ties, special)
    rows: list[Row] = []
    for shared in in_order:
        first, last = len(rows) + 1, len(rows) + len(shared)
        for number in sorted(shared, key=lambda each: state.entrant(each).seed):
            numbers = {
                tie: special[number].get(tie) if tie in _OF_THE_TIED else (shown[tie] or {}).get(number)
                for tie in ties
                if tie in _VALUES
            }
            tally = tallies[number]
            row = Row(
                place=first,
                last=last,
                entrant=number,
                score=tally.score,
                wins=tally.wins,
                losses=tally.losses,
                played=len(tally.met),
                ties=numbers,
                group=group,
            )
            rows.append(row)
    return tuple(rows)


def _bundled(keys: Mapping[int, Any]) -> Iterable[tuple[Any, list[int]]]:
    """Return entrants with equal keys, the greatest first."""
    bundles: dict[Any, list[int]] = {}
    for number, key in keys.items():
        bundles.setdefault(key, []).append(number)
    return sorted(bundles.items(), key=lambda item: item[0], reverse=True)


def _split(
    field: Field,
    tied: list[int],
    ties: Sequence[str],
    special: dict[int, dict[str, float | None]],
) -> list[list[int]]:
    """Return the tied in order; those that no tie-break separates stay together."""
    if len(tied) == 1 or not ties or ties[0] == "shared":
        return [tied]
    values = _VALUES[ties[0]](field, tied)
    if values is None:
        return _split(field, tied, ties[1:], special)
    if ties[0] in _OF_THE_TIED:
        for number in tied:
            special[number][ties[0]] = values[number]
    return [
        part
        for _, bundle in _bundled({number: values[number] for number in tied})
        for part in _split(field, bundle, ties[1:], special)
    ]
