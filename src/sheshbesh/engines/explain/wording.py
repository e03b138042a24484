"""Reasons in words: one phrase for each id, the only place that has words for them.

A phrase continues a sentence whose subject is the play: "8/5 6/5 ... holds your 5 point". There
is one for more than the other play has and one for less; `{mine}` and `{other}` are the numbers,
`{gained}` and `{lost}` the points.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sheshbesh.engines.explain.reasons import RESULT_IDS, Reason
from sheshbesh.engines.explain.verdict import Grade
from sheshbesh.i18n import Text, listed, translate

_SHOTS = "leaves {mine} instead of {other} of 36 rolls that hit"
_PINS = "leaves {mine} instead of {other} of 36 rolls that imprison a checker"
_EXPOSED = "stands to lose {mine:.1f} instead of {other:.1f} pips to the next roll"
_DANCES = "keeps the opponent from moving with {mine} instead of {other} of 36 rolls"
_SENT = "has {mine} instead of {other} enemy checkers on the bar"
_BAR = "has {mine} instead of {other} of your checkers on the bar"
_HELD = "holds {mine} instead of {other} enemy checkers imprisoned"
_SUFFERED = "has {mine} instead of {other} of your checkers imprisoned"
_BLOCKS = "closes {mine} instead of {other} points"
_PRIME = "has {mine} instead of {other} closed points in a row before enemy checkers"
_AGAINST = "has {mine} instead of {other} closed enemy points in a row before you"
_TRAPPED = "holds {mine} instead of {other} enemy checkers behind a wall of four points or more"
_CAPTIVES = "has {mine} instead of {other} of your checkers behind such a wall of the enemy"
_BACK = "has {mine} instead of {other} of your checkers still far back"
_HINDERED = "leaves the opponent {mine} instead of {other} of 36 rolls that cannot be played in full"
_STUCK = "leaves you {mine} instead of {other} of 36 rolls that you could not play in full"
_HEAD = "has {mine} instead of {other} checkers on the head"
_STACK = "has {mine} instead of {other} checkers on the tallest stack"
_GAPS = "leaves {mine} instead of {other} of your home points empty"
_OFF = "has {mine} instead of {other} checkers off"
_WINS = "wins {mine:.1%} instead of {other:.1%} of the games"
_GAMMONS_WON = "wins a gammon in {mine:.1%} instead of {other:.1%}"
_GAMMONS_LOST = "loses a gammon in {mine:.1%} instead of {other:.1%}"
_POINTS_WON = "wins {mine:.2f} instead of {other:.2f} points a game"
_POINTS_LOST = "loses {mine:.2f} instead of {other:.2f} points a game"

PHRASES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "shots": (_SHOTS, _SHOTS),
        "pin_shots": (_PINS, _PINS),
        "exposed": (_EXPOSED, _EXPOSED),
        "dances": (_DANCES, _DANCES),
        "hindered": (_HINDERED, _HINDERED),
        "sent_back": (_SENT, _SENT),
        "on_bar": (_BAR, _BAR),
        "pins_held": (_HELD, _HELD),
        "pins_suffered": (_SUFFERED, _SUFFERED),
        "home_points": ("holds {gained} at home", "does not hold {lost} at home"),
        "outside_points": ("holds {gained}", "does not hold {lost}"),
        "anchors": ("holds {gained} in the enemy's home", "does not hold {lost} in the enemy's home"),
        "blocks": (_BLOCKS, _BLOCKS),
        "prime": (_PRIME, _PRIME),
        "prime_against": (_AGAINST, _AGAINST),
        "trapped": (_TRAPPED, _TRAPPED),
        "captives": (_CAPTIVES, _CAPTIVES),
        "back": (_BACK, _BACK),
        "stuck": (_STUCK, _STUCK),
        "head": (_HEAD, _HEAD),
        "runner": ("brings the runner to its goal", "does not bring the runner to its goal"),
        "stack": (_STACK, _STACK),
        "gaps": (_GAPS, _GAPS),
        "off": (_OFF, _OFF),
        "race": ("stands {more} pips better in the race", "stands {more} pips worse in the race"),
        "wins": (_WINS, _WINS),
        "gammons_won": (_GAMMONS_WON, _GAMMONS_WON),
        "gammons_lost": (_GAMMONS_LOST, _GAMMONS_LOST),
        "points_won": (_POINTS_WON, _POINTS_WON),
        "points_lost": (_POINTS_LOST, _POINTS_LOST),
    }
)
"""For every id the phrase where the first play has more (or the better points), and where less."""

_CARRIES = 1 / 3
"""The share of the difference in equity that a reason carries at least if it is named."""

_BOTH = 0.4
"""A second reason is named when it weighs at least this share of the first."""

_SAME = MappingProxyType(
    {
        "exposed": "shots",
        "pin_shots": "shots",
        "trapped": "prime",
        "blocks": "prime",
        "captives": "prime_against",
        "hindered": "dances",
        "stuck": "prime_against",
    }
)
"""Ids about the same thing as another, so that only one of them is named."""

_FEWER = frozenset(
    {
        "shots",
        "pin_shots",
        "exposed",
        "on_bar",
        "pins_suffered",
        "prime_against",
        "captives",
        "back",
        "stuck",
        "head",
        "stack",
        "gaps",
        "gammons_lost",
        "points_lost",
    }
)
"""Features of which the better play has less."""


_GRADES: Mapping[Grade | None, Text] = MappingProxyType(
    {
        "best": Text("best"),
        "fine": Text("fine"),
        "inaccuracy": Text("inaccuracy"),
        "error": Text("error"),
        "blunder": Text("blunder"),
        None: Text("too close to call"),
    }
)


def grade_name(grade: Grade | None) -> Text:
    """Return what a decision of this grade is called; None is one too close to call."""
    return _GRADES[grade]


def speaks_for_itself(reason: Reason) -> bool:
    """Tell whether a reason favours the first play, and by the very numbers that its sentence gives.

    The weight of gammons contains those of the third class, that of points all that a win is worth beyond
    the least, and that of a hit what it costs after the best reply: the numbers that are named may be equal,
    or seem to say the contrary. Where points are named, those that only the first play holds must outweigh.
    """
    if reason.weight <= 0:
        return False
    fields = string.Formatter().parse(PHRASES[reason.id][0])
    form = next((spec or "" for _, name, spec, _ in fields if name == "mine"), None)
    if form is not None and format(reason.mine, form) == format(reason.other, form):
        return False
    if reason.gained or reason.lost:
        return bool(reason.gained)
    return (reason.mine < reason.other) == (reason.id in _FEWER)


def phrase(reason: Reason, lang: str = "en") -> str:
    """The reason as the end of a sentence about the first play."""
    return translate(_phrase_text(reason), lang)


def _phrase_text(reason: Reason) -> Text:
    is_more = reason.weight > 0 if reason.gained or reason.lost else reason.mine > reason.other
    return Text(
        PHRASES[reason.id][0 if is_more else 1],
        mine=reason.mine,
        other=reason.other,
        more=abs(reason.mine - reason.other),
        gained=_points(reason.gained),
        lost=_points(reason.lost),
    )


def because(reasons: Iterable[Reason], loss: float, lang: str = "en") -> str:
    """The `decisive` reasons for the first play, as the end of one sentence; "" if nothing can be named."""
    return listed([translate(text, lang) for text in phrases(reasons, loss)], lang)


def phrases(reasons: Iterable[Reason], loss: float) -> tuple[Text, ...]:
    """The same as the texts that the sentence lists."""
    return tuple(_phrase_text(reason) for reason in decisive(reasons, loss))


def decisive(reasons: Iterable[Reason], loss: float) -> tuple[Reason, ...]:
    """The reasons that are named: at most two about the board, the heavier first, and one about the result.

    `loss` is the difference of the two plays in equity. Each speaks for itself and carries a third of it or
    more; without a loss nothing is named.
    """
    if loss <= 0:
        return ()
    pro = [each for each in reasons if each.weight >= _CARRIES * loss and speaks_for_itself(each)]
    pro.sort(key=lambda reason: -reason.weight)
    board = [reason for reason in pro if not reason.is_about_result]
    chosen = board[:1]
    for reason in board[1:]:
        repeats = _SAME.get(board[0].id, board[0].id) == _SAME.get(reason.id, reason.id)
        if not repeats and reason.weight >= _BOTH * board[0].weight:
            chosen.append(reason)
            break
    return (*chosen, *[reason for reason in pro if reason.is_about_result][:1])


def _points(points: Sequence[int]) -> Text:
    """`your 8 point`, `your 6 and 5 points`, as the object of the sentence."""
    if len(points) == 1:
        return Text("your {point} point", point=points[0])
    return Text("your {points} points", points=tuple(points))


def wording_data(lang: str = "en") -> dict[str, Any]:
    """All that a page needs to word reasons as `because` does: phrases in a language, and what is named.

    `phrases` are by id: English with more and with less, by whose form numbers are told apart, then the same
    in the language; `points` the object of a sentence with one point and with several.
    """
    return {
        "phrases": {id: [*pair, *(translate(text, lang) for text in pair)] for id, pair in PHRASES.items()},
        "points": [translate(_points(points).template, lang) for points in ((1,), (2, 1))],
        "results": list(RESULT_IDS),
        "fewer": sorted(_FEWER),
        "same": dict(_SAME),
        "carries": _CARRIES,
        "both": _BOTH,
    }
