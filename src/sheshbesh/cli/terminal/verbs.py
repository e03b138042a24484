"""The words that offer or answer something, at any prompt: double, take, resign, settle and so on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sheshbesh.cli.terminal import wording
from sheshbesh.match.card import Contest
from sheshbesh.rules import GameResult, Side
from sheshbesh.session import Phase, actions
from sheshbesh.session.game_course import game_points

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.session_loop import Tabletop

_PLAIN: dict[str, actions.Action] = {
    "double": actions.Double(),
    "take": actions.Take(),
    "drop": actions.Drop(),
    "beaver": actions.Beaver(),
    "raccoon": actions.Beaver(),
    "accept": actions.Accept(),
    "refuse": actions.Refuse(),
    "draw": actions.Propose("draw"),
    "pause": actions.Propose("pause"),
    "resume": actions.Resume(),
    "break": actions.Break(),
}

_TO_A_CUBE = {
    **dict.fromkeys(("t", "accept"), "take"),
    **dict.fromkeys(("pass", "p", "d", "refuse", "decline", "reject"), "drop"),
    **dict.fromkeys(("b", "redouble"), "beaver"),
}
"""What else people type at an offered cube."""

_TO_AN_OFFER = {
    **dict.fromkeys(("a", "y", "yes", "ok", "agree"), "accept"),
    **dict.fromkeys(("r", "n", "no", "decline", "reject"), "refuse"),
}
"""What else people type at a resignation or a proposal."""

_POSSIBLE = {
    Phase.ROLL: "Now the dice are thrown, or the cube is offered where that is allowed.",
    Phase.THROWING: "Now the dice are typed, such as 6-5.",
    Phase.MOVE: "Now a play is typed, such as 8/5 6/5; l lists the plays, ? helps.",
    Phase.CHOOSE: "Now a double is named: type 1 to 6.",
    Phase.READY: "Now the next game begins, or it ends here.",
}
"""What can be done where a word cannot."""

_DOUBTFUL = ("p", "d")
"""Short for dropping at an offered cube, but elsewhere they count pips and double."""


# Answers


def own_words(words: Collection[str]) -> Mapping[str, str]:
    """What else is understood at a prompt for one of `words`, and which of them it means."""
    known = _TO_A_CUBE if "take" in words else _TO_AN_OFFER
    return {other: word for other, word in known.items() if word in words}


def read_answer(table: Tabletop[Any], text: str, words: Collection[str], *, cost: str = "") -> str | None:
    """The one of `words` that the text means; None where it means none, or where the player says no.

    `cost` is what dropping costs, for the question that a doubtful letter gets.
    """
    word = text.casefold()
    meant = own_words(words).get(word, word)
    if meant not in words:
        return None
    if meant == "drop" and word in _DOUBTFUL and not table.desk.confirms(f"Drop{cost}?"):
        table.desk.say(f"Nothing is answered yet. Type {options(words)}; pips counts the pips.")
        return ""
    return meant


def options(words: Collection[str]) -> str:
    """Words as a choice: "take, drop or beaver"."""
    listed = list(words)
    return " or ".join(filter(None, (", ".join(listed[:-1]), listed[-1])))


# Offers


def speak(table: Tabletop[Any], side: Side, text: str) -> bool:
    """Whether the text was such a word and has been done; a refusal is told and leaves it at that.

    A word that is refused, or taken back when asked, was understood, but nothing has happened: that
    is False, too.
    """
    action = _read(table, side, text)
    if action is None or not _is_meant(table, side, action):
        return False
    refusal = table.do(side, action)
    if refusal is not None:
        table.desk.say(wording.refusal_text(refusal))
        if refusal.rule == "turn.not_now" and table.state.phase in _POSSIBLE:
            table.desk.say(_POSSIBLE[table.state.phase])
        if isinstance(action, actions.Resign) and refusal.rule == "resign.kind":
            table.desk.say(f"This game can be resigned at: {', '.join(_losses(table, side))}.")
        return False
    return True


def is_word(text: str) -> bool:
    """Whether the text is one of the words, allowed now or not."""
    first = text.casefold().split()[:1]
    return bool(first) and (first[0] in _PLAIN or first[0] in ("resign", "settle"))


def _read(table: Tabletop[Any], side: Side, text: str) -> actions.Action | None:
    word, *rest = text.casefold().split() or [""]
    if word in _PLAIN and not rest:
        return _PLAIN[word]
    if word == "resign" and len(rest) < 2:
        kinds = _losses(table, side)
        default = "single" if "single" in kinds or not kinds else next(iter(kinds))
        return actions.Resign(rest[0] if rest else default)
    if word == "settle" and len(rest) == 1 and rest[0].lstrip("-+").isdecimal() and len(rest[0]) < 6:
        return actions.Propose("settle", int(rest[0]))
    if word in ("resign", "settle"):
        table.desk.say(f"Cannot read {text[:40]!r}: say resign, resign gammon, settle 1 or settle -1.")
    elif is_word(text):
        table.desk.say(f"Cannot read {text[:40]!r}: {word} stands alone.")
    return None


def _is_meant(table: Tabletop[Any], side: Side, action: actions.Action) -> bool:
    """Whether the player stands by what cannot be taken back; what is refused anyway is not asked about."""
    if isinstance(action, actions.Resign):
        kinds = _losses(table, side)
        if not table.state.may(side, "resign") or action.kind not in kinds:
            return True
        kind = action.kind.replace("_", " ")
        paid = table.paid(GameResult(side.other, kinds[action.kind], action.kind))
        question = f"Resign this game as a {kind} loss{paid}?"
    elif isinstance(action, actions.Propose):
        return _is_proposal_meant(table, side, action)
    else:
        return True
    return _asked(table, question)


def _is_proposal_meant(table: Tabletop[Any], side: Side, action: actions.Propose) -> bool:
    state = table.state
    if action.what == "pause" or state.card.contest is not Contest.MONEY or not state.may(side, "propose"):
        return True
    if action.what == "draw":
        return _asked(table, "Propose to end it here, at the present score?")
    if state.phase is Phase.READY:
        return True
    most = _most(table)
    if abs(action.points) > most:
        table.desk.say(f"Nobody can lose more than {_points(most)} in this game: settle at most {most}.")
        return False
    if not action.points:
        return _asked(table, "Propose to call this game off, for nothing?")
    whose = "you win" if action.points > 0 else "you pay"
    return _asked(table, f"Propose to settle this game: {whose} {_points(abs(action.points))}?")


def _asked(table: Tabletop[Any], question: str) -> bool:
    if table.desk.confirms(question):
        return True
    table.desk.say("Nothing is offered; the game goes on.")
    return False


def _losses(table: Tabletop[Any], side: Side) -> dict[str, int]:
    """The kinds of loss the side may resign at, with their points before the cube."""
    position = table.state.position
    return {} if position is None else position.variant.resignations(position, side)


def _most(table: Tabletop[Any]) -> int:
    """The points of the greatest loss at the present cube: no position costs more on average.

    A higher cube does not change that, as its offer can be dropped at the present one.
    """
    position = table.state.position
    if position is None:
        return 0
    # Jacoby's rule is left aside: the cube may still be turned.
    state = table.state
    free = state.but(score=replace(state.score, jacoby=False))
    return max(
        game_points(free, GameResult(side.other, points, kind))
        for side in Side
        for kind, points in position.variant.losses(position, side).items()
    )


def _points(points: int) -> str:
    return f"{points} point{'s' * (points != 1)}"
