"""Actions of directors, referees and moderators, each with what it leads to."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from sheshbesh.tournaments.actions import (
    AddAction,
    AmendAction,
    AnnounceAction,
    CancelAction,
    ConfirmAction,
    CorrectAction,
    DisqualifyAction,
    EnterResultAction,
    ExtendAction,
    ForbidAction,
    HoldAction,
    MessageAction,
    MuteAction,
    PenaltyAction,
    PlayoffAction,
    ReinstateAction,
    RemoveAction,
    RepairAction,
    RulingAction,
    SeedAction,
)
from sheshbesh.tournaments.course import (
    Outcome,
    annul,
    check_result,
    decide,
    eliminated,
    in_waves,
    known_entrant,
    known_pairing,
    put_out,
    settle,
    waits_for_both,
)
from sheshbesh.tournaments.entry import add_entrant, first_waiting
from sheshbesh.tournaments.permissions import check_not_own
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.settings import AMENDABLE, Settings, check_settings, read_settings, setting_data
from sheshbesh.tournaments.standings import row_data
from sheshbesh.tournaments.state import BEFORE_START, Pairing, Result, Status, Tournament
from sheshbesh.tournaments.systems import bracket, standings

# Before the start


def announce(state: Tournament, actor: str, action: AnnounceAction, now: int) -> Outcome:
    """Make the tournament known; entries open at once or when the settings say."""
    check_settings(state.settings, now)
    if not action.commitment and state.settings.boards == "site":
        raise refused("draw.commitment")
    opens = state.settings.opens
    status = Status.ANNOUNCED if opens is not None and now < opens else Status.OPEN
    after = state.but(status=status, commitment=action.commitment, starts=state.settings.starts)
    return Outcome(after.note(actor, "announce"))


def amend(state: Tournament, actor: str, action: AmendAction, now: int) -> Outcome:
    """Change settings: anything in a draft, afterwards only what nobody has relied on."""
    settings = read_settings({**setting_data(state.settings), **action.changes})
    if settings.public != state.settings.public:
        # Its address is a secret from the beginning, or never.
        raise refused("amend.frozen", setting="public")
    if state.status is not Status.DRAFT:
        _check_amendment(state, settings)
    # A start that has not been changed may be past by now.
    as_before = settings.starts == state.settings.starts
    unchanged = as_before and state.status is not Status.DRAFT
    check_settings(replace(settings, starts=None, opens=None) if unchanged else settings, now)
    starts = state.starts if as_before else settings.starts
    after = first_waiting(state.but(settings=settings, starts=starts))
    if settings.minutes > state.settings.minutes and state.ends is not None:
        after = after.but(ends=state.ends + (settings.minutes - state.settings.minutes) * 60_000)
    what = ", ".join(sorted(action.changes))
    return Outcome(after.note(actor, "amend", reason=action.reason or what))


def _check_amendment(state: Tournament, settings: Settings) -> None:
    before, after = asdict(state.settings), asdict(settings)
    for name, value in after.items():
        if value == before[name]:
            continue
        if name not in AMENDABLE:
            raise refused("amend.frozen", setting=name)
        upwards = name in ("starts", "limit", "minutes", "round_limit")
        if upwards and value is not None and (before[name] is None or value < before[name]):
            raise refused("amend.frozen", setting=name)
        if upwards and value is None and name != "limit":
            raise refused("amend.frozen", setting=name)
        if name == "rounds" and (
            state.status not in BEFORE_START or not value or value > (before[name] or 0)
        ):
            raise refused("amend.frozen", setting=name)
        if name == "directors" and not set(before[name]) <= set(value):
            raise refused("amend.frozen", setting=name)


def add(state: Tournament, actor: str, action: AddAction, now: int) -> Outcome:
    """Enter somebody; while it runs they come late."""
    number = len(state.entrants) + 1
    kind = "account" if action.id else "name"
    identity = action.id or f"name-{number}"
    before = state.entrants
    after = add_entrant(
        state,
        identity,
        action.name,
        now,
        kind=kind,
        rating=action.rating,
        club=action.club,
        status="checked_in",
    )
    return Outcome(after.note(actor, "add", (len(before) + 1,)), {"number": len(before) + 1})


def remove(state: Tournament, actor: str, action: RemoveAction, now: int) -> Outcome:
    """Take somebody out."""
    entrant = known_entrant(state, action.entrant)
    if entrant.status == "out":
        raise refused("entrant.out")
    check_not_own(state, actor, _opponents(state, entrant.number))
    if state.status is Status.RUNNING:
        after = put_out(state, entrant.number, "withdrawn", now)
    else:
        after = first_waiting(state.with_entrants(replace(entrant, status="out", why="withdrawn")))
    if action.ban:
        after = after.but(banned=(*after.banned, entrant.id))
    return Outcome(after.note(actor, "remove", (entrant.number,), action.reason))


def seed(state: Tournament, actor: str, action: SeedAction, _now: int) -> Outcome:
    """Seed by hand."""
    for number in action.order:
        known_entrant(state, number)
    if len(set(action.order)) < len(action.order):
        raise refused("pair.twice")
    return Outcome(state.but(order=action.order).note(actor, "seed", action.order))


def forbid(state: Tournament, actor: str, action: ForbidAction, _now: int) -> Outcome:
    """Name the pairs that are not to meet."""
    for number in (each for pair in action.pairs for each in pair):
        known_entrant(state, number)
    if any(first == second for first, second in action.pairs):
        raise refused("pair.twice")
    pairs = tuple((min(pair), max(pair)) for pair in action.pairs)
    about = tuple(number for pair in pairs for number in pair)
    return Outcome(state.but(forbidden=pairs).note(actor, "forbid", about, action.reason))


# Results


def enter_result(state: Tournament, actor: str, action: EnterResultAction, now: int) -> Outcome:
    """Enter a result from a sheet; the same again changes nothing."""
    pairing = known_pairing(state, action.pairing)
    check_not_own(state, actor, pairing.both)
    result = Result(winner=action.winner, score=action.score, games=action.games, how="entered", by=actor)
    known = same_again(pairing, result)
    if known:
        return Outcome(state)
    check_result(state, pairing, result)
    return Outcome(
        decide(state, pairing, result, now).note(actor, "enter_result", pairing.both, action.reason)
    )


def same_again(pairing: Pairing, result: Result) -> bool:
    """Return whether a pairing has this result already; Refused if it has another one or takes none."""
    if pairing.status == "annulled":
        raise refused("pairing.over")
    if pairing.result is None:
        return False
    if (pairing.result.winner, pairing.result.score) != (result.winner, result.score):
        raise refused("result.known")
    return True


def correct(state: Tournament, actor: str, action: CorrectAction, _now: int) -> Outcome:
    """Replace a result or annul the pairing; in a bracket only while no match depends on it.

    With `anew` those that have not begun are annulled first.
    """
    pairing = known_pairing(state, action.pairing)
    check_not_own(state, actor, pairing.both)
    if pairing.status == "annulled":
        raise refused("pairing.over")
    if pairing.result is None and not action.annul:
        raise refused("result.none")
    if action.annul:
        after = annul(state, pairing)
    else:
        result = Result(winner=action.winner, score=action.score, how="entered", by=actor)
        check_result(state, pairing, result)
        after = state.with_pairings(replace(pairing, result=result))
    about = list(pairing.both)
    if action.anew and state.stage == "bracket":
        for wrong in bracket.conflicts(after):
            if wrong.status == "made":
                check_not_own(state, actor, wrong.both)
                about += wrong.both
                after = annul(after, wrong)
    _check_bracket(after)
    if state.rounds == state.closed:
        after = eliminated(after)
    return Outcome(settle(after).note(actor, "correct", tuple(dict.fromkeys(about)), action.reason))


def _check_bracket(state: Tournament) -> None:
    if state.stage == "bracket" and bracket.conflicts(state):
        raise refused("director.too_late")


def repair(state: Tournament, actor: str, action: RepairAction, _now: int) -> Outcome:
    """Annul the present round, as long as nobody in it has thrown."""
    round_now = [each for each in state.of_round(state.rounds) if each.second]
    if not round_now or any(each.status != "made" for each in round_now):
        raise refused("pairing.begun")
    after = state
    for pairing in state.of_round(state.rounds):
        after = annul(after, pairing)
    about = tuple(number for pairing in round_now for number in pairing.both)
    rounds = state.rounds - (not in_waves(state))
    after = after.but(rounds=rounds, closed=min(state.closed, rounds), unpaired=())
    return Outcome(after.note(actor, "repair", about, action.reason))


def penalty(state: Tournament, actor: str, action: PenaltyAction, _now: int) -> Outcome:
    """Give points of a match to the opponent, or take them off a score."""
    entrant = known_entrant(state, action.entrant)
    if action.pairing is None:
        check_not_own(state, actor, _opponents(state, entrant.number))
        changed = replace(entrant, penalty=entrant.penalty + action.points)
        return Outcome(state.with_entrants(changed).note(actor, "penalty", (entrant.number,), action.reason))
    pairing = known_pairing(state, action.pairing)
    check_not_own(state, actor, pairing.both)
    if entrant.number not in pairing.both:
        raise refused("result.winner")
    if not pairing.is_open:
        raise refused("pairing.over")
    given = int(action.points)
    first, second = pairing.points
    points = (first, second + given) if entrant.number == pairing.first else (first + given, second)
    after = state.with_pairings(replace(pairing, points=points))
    return Outcome(after.note(actor, "penalty", (entrant.number,), action.reason))


def ruling(state: Tournament, actor: str, action: RulingAction, now: int) -> Outcome:
    """Note a ruling; with a winner it decides the pairing."""
    pairing = known_pairing(state, action.pairing)
    check_not_own(state, actor, pairing.both)
    after = state
    if action.winner is not None:
        if not pairing.is_open:
            raise refused("pairing.over")
        result = Result(winner=action.winner, how="forfeit", by=actor)
        check_result(state, pairing, result)
        after = decide(state, pairing, result, now)
    return Outcome(after.note(actor, "ruling", pairing.both, action.reason))


def playoff(state: Tournament, actor: str, action: PlayoffAction, now: int) -> Outcome:
    """Let two who share a place play one point for it."""
    first, second = action.pair
    rows = {row.entrant: row for row in standings(state)}
    if first == second or first not in rows or second not in rows:
        raise refused("playoff.tie")
    if rows[first].place != rows[second].place or "playoff" not in state.settings.order_of_ties:
        raise refused("playoff.tie")
    if {first, second} & state.playing:
        raise refused("pair.twice")
    pairing = Pairing(
        number=len(state.pairings) + 1,
        round=state.rounds,
        first=first,
        second=second,
        length=1,
        playoff=True,
        match=action.match,
        at=now,
        deadline=now + state.settings.arrival if waits_for_both(state) else None,
    )
    after = state.but(pairings=(*state.pairings, pairing))
    return Outcome(after.note(actor, "playoff", (first, second)), {"pairing": pairing.number})


# Time


def extend(state: Tournament, actor: str, action: ExtendAction, _now: int) -> Outcome:
    """Put off the deadline of a pairing, or of what everybody waits for."""
    if action.pairing is not None:
        pairing = known_pairing(state, action.pairing)
        check_not_own(state, actor, pairing.both)
        if pairing.deadline is None:
            raise refused("pairing.over")
        after = state.with_pairings(replace(pairing, deadline=pairing.deadline + action.by))
        return Outcome(after.note(actor, "extend", pairing.both))
    if state.status is not Status.RUNNING and state.starts is not None:
        after = state.but(starts=state.starts + action.by)
    elif state.due_by is not None:
        after = state.but(due_by=state.due_by + action.by)
    elif state.ends is not None:
        after = state.but(ends=state.ends + action.by)
    else:
        raise refused("tournament.not_now")
    return Outcome(after.note(actor, "extend"))


def hold(state: Tournament, actor: str, action: HoldAction, now: int) -> Outcome:
    """Stop pairing and forfeits, or go on; the time in between counts against nobody."""
    if action.on == (state.held is not None):
        return Outcome(state)
    if action.on:
        return Outcome(state.but(held=now).note(actor, "hold", reason=action.reason))
    assert state.held is not None
    after = put_off(state, now - state.held).but(held=None)
    return Outcome(after.note(actor, "hold", reason=action.reason))


def put_off(state: Tournament, by: int) -> Tournament:
    """Put off all deadlines by `by` ms, for a time in which nobody could act."""
    later = [
        replace(each, deadline=each.deadline + by)
        for each in state.open_pairings
        if each.deadline is not None
    ]
    return state.with_pairings(*later).but(
        due_by=None if state.due_by is None else state.due_by + by,
        ends=None if state.ends is None else state.ends + by,
    )


# People


def disqualify(state: Tournament, actor: str, action: DisqualifyAction, now: int) -> Outcome:
    """Put somebody out for what they did. In a bracket the last one they beat goes on in their place."""
    entrant = known_entrant(state, action.entrant)
    if entrant.why == "disqualified":
        raise refused("entrant.out")
    check_not_own(state, actor, _opponents(state, entrant.number))
    if state.stage == "bracket":
        state = _put_back(state, entrant.number, actor)
    after = put_out(state, entrant.number, "disqualified", now)
    return Outcome(after.note(actor, "disqualify", (entrant.number,), action.reason))


def _put_back(state: Tournament, number: int, actor: str) -> Tournament:
    own = [each for each in state.pairings if number in each.both and each.status != "annulled"]
    won = [each for each in own if each.result is not None and each.result.winner == number]
    later = [each for each in own if each.is_open]
    if not won or any(each.status == "live" for each in later) or own[-1] not in (won[-1], *later):
        return state
    for pairing in later:
        state = annul(state, pairing)
    result = Result(winner=won[-1].other(number), how="forfeit", by=actor)
    after = state.with_pairings(replace(won[-1], result=result))
    return state if bracket.conflicts(after) else settle(after)


def reinstate(state: Tournament, actor: str, action: ReinstateAction, _now: int) -> Outcome:
    """Take somebody back who went out in another way than by losing."""
    entrant = known_entrant(state, action.entrant)
    if not entrant.gone or not entrant.seed:
        raise refused("entrant.in")
    check_not_own(state, actor, _opponents(state, entrant.number))
    after = state.with_entrants(replace(entrant, status="in", why="", out_at=0, left=0))
    _check_bracket(after)
    return Outcome(settle(after).note(actor, "reinstate", (entrant.number,), action.reason))


def _opponents(state: Tournament, number: int) -> tuple[int, ...]:
    """Return whom somebody is to play now."""
    return tuple(each.other(number) for each in state.open_pairings if number in each.both)


# The end


def message(state: Tournament, actor: str, action: MessageAction, _now: int) -> Outcome:
    """Tell everybody something."""
    return Outcome(state.note(actor, "message", reason=action.text))


def mute(state: Tournament, actor: str, action: MuteAction, _now: int) -> Outcome:
    """Let somebody write nothing more in this tournament, or again."""
    if action.on == (action.id in state.muted):
        return Outcome(state)
    muted = tuple(each for each in state.muted if each != action.id)
    entrant = state.by_id.get(action.id)
    about = () if entrant is None else (entrant.number,)
    after = state.but(muted=(*muted, action.id) if action.on else muted)
    return Outcome(after.note(actor, "mute" if action.on else "unmute", about, action.reason))


def confirm(state: Tournament, actor: str, _action: ConfirmAction, _now: int) -> Outcome:
    """Make the standings final."""
    if any(each.is_open for each in state.pairings):
        raise refused("round.open")
    after = state.but(status=Status.OVER).note(actor, "confirm")
    return Outcome(after, {"standings": row_data(standings(after))})


def cancel(state: Tournament, actor: str, action: CancelAction, _now: int) -> Outcome:
    """End without a result; what is being played is annulled."""
    after = state
    for pairing in state.open_pairings:
        after = annul(after, pairing)
    return Outcome(after.but(status=Status.CANCELLED, held=None).note(actor, "cancel", reason=action.reason))
