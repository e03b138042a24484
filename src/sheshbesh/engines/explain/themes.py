"""The kind of a position: a race, a holding game, prime against prime, a blitz, a back game.

Told from what `features` counts, for games of all kinds: which themes a game can have follows from its
axes. The limits are those by which players use the words; nothing is judged by them, they find positions.
"""

from __future__ import annotations

from typing import Literal, cast

from sheshbesh.engines.explain.features import View
from sheshbesh.rules import Position, Side
from sheshbesh.rules.notation import BAR, OFF

Theme = Literal["race", "bear_off", "holding", "backgame", "prime_v_prime", "prime", "blitz", "pin"]

THEMES: tuple[Theme, ...] = (
    "race",
    "bear_off",
    "holding",
    "backgame",
    "prime_v_prime",
    "prime",
    "blitz",
    "pin",
)
"""All of them. Stored positions know them by their place: new ones go to the end."""

_HOME = range(1, 7)
_ANCHORS = range(18, 25)
"""The points at which one held against the other side's homeward way is called an anchor, the bar point
included."""
_PRIME = 4
"""A run of closed points from this length on is called a prime here."""
_ATTACK = 3
"""Closed home points with which an attack on a lone checker is called a blitz."""
_BEHIND = 30
"""Pips by which a side with two anchors is behind when that is called a back game."""


def themes(position: Position) -> frozenset[Theme]:
    """The themes of a position; one that either side has made counts for both."""
    views = {side: View(position, side) for side in Side}
    found = {name for view in views.values() for name in _of(view)}
    if all(view.prime[0] >= _PRIME for view in views.values()):
        found.add("prime_v_prime")
    if not next(iter(views.values())).has_contact:
        found = found - {"prime", "prime_v_prime"} | {"race"}
    return cast("frozenset[Theme]", frozenset(found))


def possible(position: Position) -> tuple[Theme, ...]:
    """The themes that positions of this game can have."""
    view = View(position, Side.WHITE)
    left_out: set[Theme] = set()
    if not _has_anchors(view):
        left_out |= {"holding", "backgame"}
    if view.contact != "hit":
        left_out.add("blitz")
    if view.contact != "pin":
        left_out.add("pin")
    return tuple(name for name in THEMES if name not in left_out)


def _has_anchors(view: View) -> bool:
    return view.contact == "hit" and view.is_contrary


def _of(view: View) -> list[Theme]:
    """Those that one side has made."""
    found: list[Theme] = []
    if view.prime[0] >= _PRIME:
        found.append("prime")
    if view.mine[OFF]:
        found.append("bear_off")
    if view.held:
        found.append("pin")
    if view.contact == "hit" and view.has_contact and _is_blitz(view):
        found.append("blitz")
    if _has_anchors(view) and view.has_contact:
        anchors = view.closed.intersection(_ANCHORS)
        if len(anchors) >= 2 and view.lead <= -_BEHIND:
            found.append("backgame")
        elif len(anchors) == 1 and view.lead < 0 and not _back(view):
            found.append("holding")
    return found


def _is_blitz(view: View) -> bool:
    """The other side has a checker on the bar or alone in this home, where the points close."""
    if len(view.closed.intersection(_HOME)) < _ATTACK:
        return False
    alone = sum(view.theirs[view.mirrored(point)] == 1 for point in _HOME)
    return bool(view.theirs[BAR] or alone)


def _back(view: View) -> int:
    """Checkers of the other side that have not yet left this side's home."""
    return int(view.theirs[BAR] + sum(view.theirs[view.mirrored(point)] for point in _HOME))
