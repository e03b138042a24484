"""A tournament as pages and programs see it: plain data, without what only the server may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Row

from sheshbesh.match.timing import SECOND
from sheshbesh.server.people.names import NOBODY as DELETED
from sheshbesh.server.tables.view import card_data
from sheshbesh.server.tables.wire import members
from sheshbesh.tournaments import Entrant, Pairing, Tournament, allowed, next_due, standings
from sheshbesh.tournaments.entry import may_come_late
from sheshbesh.tournaments.settings import card_of, read_settings
from sheshbesh.tournaments.standings import Row as Line
from sheshbesh.tournaments.state import Slot, Source, Status
from sheshbesh.tournaments.systems import arena, bracket

PAGE = 50
"""Rows of standings on one page."""
_LOGGED = 50
_ENTRANTS = 200
"""Entrants that are listed with the tournament; the standings have all of them."""
TOP, NEAR = 10, 2
"""Rows of the standings that a socket is sent: the top, and neighbours of one's own on either side."""


def summary(row: Row[Any]) -> dict[str, Any]:
    """A tournament in a list."""
    settings = read_settings(row.amended or row.settings)
    card = card_of(settings.card)
    return {
        "id": row.id,
        "url": f"/t/{row.id}",
        "title": row.title,
        "status": row.status,
        "game": row.game,
        "game_title": card.rules.title,
        "card": settings.card,
        "contest": card.contest.value,
        "length": settings.length("main", 1),
        "clock": card.clock.code,
        "system": settings.system,
        "groups": settings.groups,
        "boards": settings.boards,
        "rated": settings.rated,
        "who": settings.who,
        "bots": settings.bots,
        "entrants": row.entrants,
        "limit": settings.limit,
        "start": settings.start,
        "starts": row.starts,
        "ended": row.ended,
        "zone": settings.zone,
        "minutes": settings.playing_minutes,
        "series": series_kind(row.series_id),
    }


def series_kind(series: str | None) -> str | None:
    """Return the kind of a series by its id: daily, weekly, or a medley; None for what is not of one."""
    return None if series is None else series.partition(" ")[0]


def whole(
    state: Tournament,
    *,
    actor: str | None,
    now: int,
    series: str | None = None,
    gone: frozenset[int] = frozenset(),
    officials: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """A tournament, and what `actor` is and may do in it. `series` is the id of the series that it belongs
    to, `gone` are entrants whose account was deleted; `officials` are the names of directors and referees by
    id."""
    settings = state.settings
    card = card_of(settings.card)
    hidden = ("invited", "directors", "referees")
    shown = {name: value for name, value in asdict(settings).items() if name not in hidden}
    names = officials or {}
    counted = [each for each in state.entrants if each.status != "out" or each.seed]
    return {
        "id": state.id,
        "url": f"/t/{state.id}",
        "n": state.n,
        "now": now,
        "title": settings.title,
        "series": series_kind(series),
        "zone": settings.zone,
        "status": state.status.value,
        "stage": state.stage,
        "settings": shown,
        "system": settings.system,
        "card": card_data(card),
        "length": settings.length("main", 1),
        "starts": state.starts,
        "began": state.began,
        "ends": state.ends,
        "last_pairing": arena.last_pairing(state) if state.ends is not None else None,
        "finished": state.finished,
        "check_in_from": _check_in_from(state),
        "due": next_due(state, calls=False),
        "due_by": state.due_by,
        "held": state.held,
        "round": state.rounds,
        "closed": state.closed,
        "rounds": state.planned,
        "tie_breaks": list(settings.order_of_ties),
        "commitment": state.commitment,
        "seed": state.seed,
        "late_entry": state.status is Status.RUNNING and may_come_late(state, now),
        "counts": {
            "entered": len(counted),
            "waiting": sum(1 for each in state.entrants if each.status == "waiting"),
            "in": sum(1 for each in state.entrants if each.plays),
            "playing": len(state.playing),
        },
        "entrants": [entrant_data(each, gone) for each in counted[:_ENTRANTS]],
        "directors": [{"id": each, "name": names.get(each, "")} for each in settings.directors],
        "referees": [{"id": each, "name": names.get(each, "")} for each in settings.referees],
        "forbidden": [list(pair) for pair in state.forbidden],
        "same_address": [],
        "muted": list(state.muted),
        "has_brackets": bool(state.plan),
        "me": None if actor is None else mine(state, actor),
        "allowed": [] if actor is None else list(allowed(state, actor, now)),
        "log": [
            {"at": line.at, "what": line.what, "about": list(line.about), "reason": line.reason}
            | {"by": names.get(line.actor, line.actor if line.actor in ("server", "moderator") else "")}
            for line in state.log[-_LOGGED:]
        ],
    }


def _check_in_from(state: Tournament) -> int | None:
    span = state.settings.check_in_time
    return state.starts - span if span and state.starts is not None else None


def _is_gone(entrant: Entrant, gone: frozenset[int]) -> bool:
    return entrant.number in gone and entrant.kind != "name"


def name_of(entrant: Entrant, gone: frozenset[int]) -> str:
    """The name of an entrant, as everybody sees it; `gone` are those whose account was deleted."""
    return DELETED if _is_gone(entrant, gone) else entrant.name


def entrant_data(entrant: Entrant, gone: frozenset[int] = frozenset()) -> dict[str, Any]:
    """An entrant as everybody sees them."""
    is_gone = _is_gone(entrant, gone)
    return {
        "number": entrant.number,
        "id": None if is_gone or entrant.kind == "name" else entrant.id,
        "name": name_of(entrant, gone),
        "kind": entrant.kind,
        "status": entrant.status,
        "rating": entrant.rating,
        "club": entrant.club,
        "seed": entrant.seed,
        "group": entrant.group,
        "paused": entrant.paused,
        "why": entrant.why,
    }


def mine(state: Tournament, actor: str) -> dict[str, Any] | None:
    """Return how somebody stands in a tournament, and the match that they are to play."""
    entrant = state.by_id.get(actor)
    if entrant is None:
        return None
    pairing = _boards(state).get(entrant.number)
    return entrant_data(entrant) | {
        "pairing": None if pairing is None else pairing_data(pairing),
    }


def _boards(state: Tournament) -> Mapping[int, Pairing]:
    """Return the first open pairing of everybody who has one, by their number."""
    found: dict[int, Pairing] | None = state.cache.get("boards")
    if found is None:
        found = state.cache["boards"] = {
            number: each for each in reversed(state.open_pairings) for number in each.both
        }
    return found


def pairing_data(pairing: Pairing) -> dict[str, Any]:
    """A pairing: its two by number, White first (0 for a bye), and its result."""
    result = pairing.result
    return {
        "number": pairing.number,
        "round": pairing.round,
        "slot": pairing.slot,
        "group": pairing.group,
        "playoff": pairing.playoff,
        "white": pairing.first,
        "black": pairing.second,
        "length": pairing.length,
        "status": pairing.status,
        "match": pairing.match or None,
        "url": f"/m/{pairing.match}" if pairing.match else None,
        "deadline": pairing.deadline,
        "points": list(pairing.points),
        "result": None
        if result is None
        else {
            "winner": result.winner,
            "score": None if result.score is None else list(result.score),
            "games": [list(game) for game in result.games],
            "how": result.how,
        },
    }


# Standings and brackets


def standings_page(state: Tournament, page: int, gone: frozenset[int]) -> tuple[bytes, str]:
    """Return a page of the standings, from 1, or with 0 all of them, as JSON, and its tag: made once for a
    state."""
    key = "page", page, len(gone)
    found: tuple[bytes, str] | None = state.cache.get(key)
    if found is None:
        content = msgspec.json.encode(_standings_page(state, page, gone))
        found = state.cache[key] = content, f'"{blake2b(content, digest_size=12).hexdigest()}"'
    return found


def _standings_page(state: Tournament, page: int, gone: frozenset[int]) -> dict[str, Any]:
    rows, pages = lines(state), page_count(state)
    shown = rows[(page - 1) * PAGE : page * PAGE] if page else rows
    return {
        "n": state.n,
        "page": page,
        "pages": pages,
        "total": len(rows),
        "final": state.status in (Status.CONFIRMING, Status.OVER),
        "confirmed": state.status is Status.OVER,
        "tie_breaks": list(state.settings.order_of_ties),
        "rows": [row_data(state, each, gone) for each in shown],
    }


def page_count(state: Tournament) -> int:
    """Return the number of pages of the standings."""
    return max(1, -(-len(lines(state)) // PAGE))


def lines(state: Tournament) -> tuple[Line, ...]:
    """The standings, worked out once for a state."""
    found: tuple[Line, ...] | None = state.cache.get("lines")
    if found is None:
        found = state.cache["lines"] = standings(state)
    return found


def row_data(state: Tournament, row: Line, gone: frozenset[int] = frozenset()) -> dict[str, Any]:
    """A line of the standings."""
    return {
        "place": row.place,
        "last": row.last,
        "entrant": entrant_data(state.entrant(row.entrant), gone),
        "score": row.score,
        "wins": row.wins,
        "losses": row.losses,
        "played": row.played,
        "ties": row.ties,
        "bracket": row.bracket,
        "group": row.group,
    }


def news(state: Tournament, shown: Tournament, actor: str | None, gone: frozenset[int] = frozenset()) -> str:
    """Return the frame that tells a socket of a new state: where it stands, the top, and one's own place.

    The standings are those of the state that is `shown`, which may be a moment older. What all sockets are
    told alike is made once.
    """
    rows = lines(shown)
    own = state.by_id.get(actor or "")
    places: dict[int, int] | None = shown.cache.get("places")
    if places is None:
        places = shown.cache["places"] = {row.entrant: index for index, row in enumerate(rows)}
    at = None if own is None else places.get(own.number)
    near = () if at is None else rows[max(at - NEAR, 0) : at + NEAR + 1]
    key = "news", shown.n, len(gone)
    common: str | None = state.cache.get(key)
    if common is None:
        common = state.cache[key] = members(
            {
                "id": state.id,
                "n": state.n,
                "status": state.status.value,
                "round": state.rounds,
                "top": [_short(state, row, gone) for row in rows[:TOP]],
            }
        )
    own_part = members(
        {
            "near": [_short(state, row, gone) for row in near],
            "me": None if actor is None else mine(state, actor),
        }
    )
    return f'{{"t":"tournament","d":{{{common},{own_part}}}}}'


def _short(state: Tournament, row: Line, gone: frozenset[int]) -> dict[str, Any]:
    name = name_of(state.entrant(row.entrant), gone)
    return {
        "place": row.place,
        "last": row.last,
        "number": row.entrant,
        "name": name,
        "score": row.score,
    }


def brackets(state: Tournament, gone: frozenset[int] = frozenset()) -> dict[str, Any]:
    """The brackets by round: each slot with the two whom its sources send, or where they come from."""
    places = bracket.places(state) if state.plan else {}
    found: dict[str, dict[int, list[dict[str, Any]]]] = {}
    for slot in state.plan:
        rounds = found.setdefault(slot.bracket, {})
        rounds.setdefault(slot.round, []).append(_slot(slot, places[slot.name]))
    return {
        "n": state.n,
        "brackets": [
            {"name": name, "rounds": [{"round": number, "slots": slots} for number, slots in rounds.items()]}
            for name, rounds in found.items()
        ],
        "names": {str(each.number): name_of(each, gone) for each in state.entrants if each.seed},
    }


def _slot(slot: Slot, place: bracket.Place) -> dict[str, Any]:
    return {
        "slot": slot.name,
        "length": slot.length,
        "first": place.first,
        "second": place.second,
        "from": [_source(slot.first), _source(slot.second)],
        "winner": place.winner,
        "pairing": None if place.pairing is None else pairing_data(place.pairing),
    }


def _source(source: Source) -> dict[str, Any]:
    return {"kind": source.kind, "slot": source.slot}


def names(state: Tournament, pairings: Iterable[Pairing], gone: frozenset[int]) -> dict[str, str]:
    """The names of those who are in these pairings, by number."""
    numbers = {number for each in pairings for number in each.both if number}
    return {str(number): name_of(state.entrant(number), gone) for number in sorted(numbers)}


def chosen_pairings(
    state: Tournament, *, live: bool, after: int, most: int, latest: int | None
) -> Sequence[Pairing]:
    """Return the `most` pairings after number `after`, or the `latest`.

    Of the open ones all, as they are at one time, where each entrant has one at most. In correspondence they
    may be every pairing of a round robin.
    """
    found = state.open_pairings if live else state.pairings
    if latest is not None:
        return found[-latest:]
    shown = [each for each in found if each.number > after]
    return shown if live and state.settings.is_live else shown[:most]


def pairings_data(
    state: Tournament, pairings: Iterable[Pairing], gone: frozenset[int] = frozenset()
) -> dict[str, Any]:
    """Return pairings as data, with names by number and breaks by match length.

    `breaks` maps a length to how many breaks each player has in such a match, and to the seconds of one.
    """
    found = tuple(pairings)
    clock = card_of(state.settings.card).clock
    lengths = sorted({each.length for each in found})
    return {
        "n": state.n,
        "pairings": [pairing_data(each) for each in found],
        "names": names(state, found, gone),
        "breaks": {
            str(length): [clock.breaks_allowed(length), clock.break_length // SECOND] for length in lengths
        },
    }
