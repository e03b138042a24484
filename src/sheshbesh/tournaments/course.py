"""The course of a tournament: pairings are made, decided and annulled, rounds end, people go out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from sheshbesh.match.card import Contest
from sheshbesh.tournaments.actions import Event, PairAction
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.settings import BRACKETS, card_of
from sheshbesh.tournaments.standings import row_data
from sheshbesh.tournaments.state import NOBODY, SERVER, Entrant, Pair, Pairing, Result, Tournament
from sheshbesh.tournaments.systems import arena, bracket, round_robin, standings, swiss, system_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an accepted action: the new state, what followed from it, and its event.

    Without an event nothing has happened: the same was said before.
    """

    state: Tournament
    then: Mapping[str, Any] = field(default_factory=dict)
    event: Event | None = None


def known_entrant(state: Tournament, number: int) -> Entrant:
    """Return the entrant with this number, or Refused."""
    try:
        return state.entrant(number)
    except IndexError:
        raise refused("entrant.unknown") from None


def known_pairing(state: Tournament, number: int) -> Pairing:
    """Return the pairing with this number, or Refused."""
    try:
        return state.pairing(number)
    except IndexError:
        raise refused("pairing.unknown") from None


def in_waves(state: Tournament) -> bool:
    """Return whether pairings are made as they come, not in rounds that wait for each other."""
    return state.settings.system == "arena" or state.stage == "bracket"


def waits_for_both(state: Tournament) -> bool:
    """Return whether the clock counts until both have come: live and on the site."""
    return state.settings.is_live and state.settings.boards == "site"


# Pairing


def pair(state: Tournament, action: PairAction, now: int) -> Outcome:
    """Make the pairings of an action."""
    if state.held is not None:
        raise refused("tournament.held")
    pairs = tuple(Pair(*each) for each in action.pairs)
    if action.bye is not None:
        pairs += (Pair(action.bye, NOBODY),)
    _check_once(state, action, pairs)
    system_of(state).check(state, action.round, pairs)
    then: dict[str, Any] = {}
    made = tuple(_made(state, action, index, each, now) for index, each in enumerate(pairs))
    after = state.but(pairings=(*state.pairings, *made), rounds=max(state.rounds, action.round))
    if in_waves(state):
        after = after.but(closed=action.round)
        if state.stage == "bracket":
            then["slots"] = [each.slot for each in made]
    elif action.round > state.rounds:
        limit = state.settings.round_limit
        after = after.but(due_by=None if limit is None else now + limit)
    if system_of(state) is swiss:
        after, then = _paired_swiss(state, after, action.round, pairs)
    return Outcome(after, then)


def _check_once(state: Tournament, action: PairAction, pairs: tuple[Pair, ...]) -> None:
    if state.settings.boards == "site" and len(action.matches) != len(action.pairs):
        raise refused("pair.matches")
    numbers = [number for each in pairs for number in each[:2] if number]
    for number in numbers:
        if known_entrant(state, number).gone:
            raise refused("pair.entrant")
    # In correspondence somebody may play several rounds of a round robin at once.
    several = system_of(state) is round_robin and not state.settings.is_live
    busy = set() if several else state.playing
    if len(set(numbers)) < len(numbers) or busy & set(numbers):
        raise refused("pair.twice")


def _made(state: Tournament, action: PairAction, index: int, each: Pair, now: int) -> Pairing:
    settings = state.settings
    slot = bracket.slot_of(state, each) if state.stage == "bracket" else None
    is_bye = each.second == NOBODY
    return Pairing(
        number=len(state.pairings) + 1 + index,
        round=action.round,
        first=each.first,
        second=each.second,
        length=slot.length if slot is not None else settings.length("main", action.round),
        slot=slot.name if slot is not None else "",
        group=state.entrant(each.first).group if system_of(state) is round_robin else 0,
        match=action.matches[index] if index < len(action.matches) else "",
        at=now,
        deadline=now + settings.arrival if waits_for_both(state) and not is_bye else None,
        status="decided" if is_bye else "made",
        result=Result(winner=each.first, how="bye") if is_bye else None,
    )


def _paired_swiss(
    before: Tournament, after: Tournament, number: int, pairs: tuple[Pair, ...]
) -> tuple[Tournament, dict[str, Any]]:
    """Return what a wave of a Swiss round leaves to be paired, and what it costs."""
    is_rest = number == before.rounds
    free = set(before.unpaired) if is_rest else swiss.ready_for_round(before)
    numbers = swiss.of_present_round(before) if is_rest else free
    rest = sorted(free - {each for pair in pairs for each in pair[:2]})
    levels = swiss.cost_of(before, number, pairs, numbers, before.seed)
    then: dict[str, Any] = {"cost": " ".join(map(str, levels))}
    field = swiss.field_of(before, number, numbers, before.seed)
    together = [each[:2] for each in pairs if each.second and swiss.is_kept_apart(field, *each[:2])]
    after = after.but(unpaired=tuple(rest))
    for first, second in together:
        after = after.note(SERVER, "together", (first, second))
    return after, then


# Results


def check_result(state: Tournament, pairing: Pairing, result: Result) -> None:
    """Raise Refused unless this can be the result of this pairing."""
    if result.winner not in (NOBODY, *pairing.both):
        raise refused("result.winner")
    if result.score is None:
        return
    card = card_of(state.settings.card)
    full = pairing.length // 2 + 1 if card.contest is Contest.GAMES else pairing.length
    if not all(0 <= each <= 999 for each in result.score):
        raise refused("result.score", length=full)
    reached = [each >= full for each in result.score]
    if result.how in ("time", "forfeit") and not all(reached):
        return
    if reached[0] == reached[1]:
        raise refused("result.score", length=full)
    if result.winner != pairing.both[reached.index(True)]:
        raise refused("result.winner")


def decide(
    state: Tournament, pairing: Pairing, result: Result, now: int, *, absent: bool = False
) -> Tournament:
    """Give an open pairing its result. `absent` says that those who did not win have not come."""
    if state.settings.system == "arena" and state.ends is not None and now > state.ends + arena.grace(state):
        return annul(state, pairing)
    state = state.with_pairings(replace(pairing, status="decided", result=result, deadline=None))
    losers = [number for number in pairing.both if number and number != result.winner]
    if pairing.playoff:
        return state
    if state.settings.system == "arena":
        return _rested(state, pairing, result, now, absent=absent)
    if absent and in_waves(state) and result.winner == NOBODY:
        # Nobody waits for the next round of those who did not come to this one.
        gone = (
            replace(state.entrant(number), status="out", why="absent", left=state.n + 1) for number in losers
        )
        state = state.with_entrants(*gone)
    elif absent and system_of(state) is swiss:
        state = state.with_entrants(*(replace(state.entrant(number), paused=True) for number in losers))
    return settle(state)


def _rested(state: Tournament, pairing: Pairing, result: Result, now: int, *, absent: bool) -> Tournament:
    """Let both rest a moment; pause one who twice did not come, or gave up at once."""
    changed = []
    for number in pairing.both:
        entrant = replace(state.entrant(number), ready_at=now + arena.PAUSE)
        quick = result.resigned and result.turns is not None and result.turns <= arena.QUICK
        strikes = entrant.strikes + 1 if number != result.winner and (absent or quick) else 0
        if strikes >= arena.STRIKES:
            entrant = replace(entrant, paused=True)
            strikes = 0
        changed.append(replace(entrant, strikes=strikes))
    return state.with_entrants(*changed)


def annul(state: Tournament, pairing: Pairing) -> Tournament:
    """Take a pairing out, as if it had never been made."""
    return state.with_pairings(replace(pairing, status="annulled", result=None, deadline=None))


def forfeit_open(state: Tournament, number: int, now: int) -> Tournament:
    """Give the open pairings of somebody who has left to their opponents."""
    for pairing in state.open_pairings:
        if number in pairing.both:
            result = Result(
                winner=pairing.other(number), how="walkover" if pairing.status == "made" else "forfeit"
            )
            state = decide(state, pairing, result, now)
    return state.but(unpaired=tuple(each for each in state.unpaired if each != number))


def settle(state: Tournament) -> Tournament:
    """Put those out of a bracket who have no match left in it, and take back those who have again."""
    if state.stage != "bracket" or state.settings.system not in BRACKETS:
        return state
    inside = bracket.still_in(state)
    changed = []
    for each in state.entrants:
        if each.plays and each.number not in inside:
            changed.append(replace(each, status="out", why="lost", out_at=state.rounds))
        elif each.status == "out" and each.why == "lost" and each.number in inside:
            changed.append(replace(each, status="in", why="", out_at=0))
    return state.with_entrants(*changed)


def put_out(state: Tournament, number: int, why: str, now: int) -> Tournament:
    """Let somebody go out in another way than by losing."""
    before = state.entrant(number)
    # One who had left before does not leave again: brackets ask who left first.
    left = before.left if before.gone else state.n + 1
    entrant = replace(before, status="out", why=why, out_at=state.rounds, left=left)
    return settle(forfeit_open(state.with_entrants(entrant), number, now))


# Rounds


def close_round(state: Tournament, number: int, now: int) -> Outcome:
    """End a round; pairings that are still open at its deadline are decided as the settings say."""
    if in_waves(state) or number != state.closed + 1 or number > state.rounds:
        raise refused("pair.round")
    still = [each for each in state.pairings if each.is_open and each.round <= number and not each.playoff]
    if state.unpaired or (still and not _is_past_limit(state, now)):
        raise refused("round.open")
    for pairing in still:
        if state.settings.unplayed == "void":
            state = annul(state, pairing)
        else:
            state = decide(state, pairing, Result(winner=NOBODY, how="forfeit"), now)
    state = state.but(closed=number, due_by=state.due_by if number < state.rounds else None)
    state = eliminated(state)
    then = {"standings": row_data(standings(state))}
    if state.stage == "groups" and round_robin.is_over(state):
        state = bracket.after_groups(state)
    return Outcome(state, then)


def _is_past_limit(state: Tournament, now: int) -> bool:
    """Return whether open pairings are decided without a ruling, which only a round robin has a rule for."""
    if system_of(state) is not round_robin or state.settings.unplayed == "ruling":
        return False
    return state.due_by is not None and now >= state.due_by


def eliminated(state: Tournament) -> Tournament:
    """Put those out who have lost often enough, as of the last closed round."""
    back = [
        replace(each, status="in", why="", out_at=0)
        for each in state.entrants
        if each.status == "out"
        and each.why == "lost"
        and each.out_at == state.closed
        and state.settings.system == "losses"
    ]
    state = state.with_entrants(*back)
    out = [
        replace(state.entrant(each), status="out", why="lost", out_at=state.closed)
        for each in swiss.losers(state)
    ]
    return state.with_entrants(*out)
