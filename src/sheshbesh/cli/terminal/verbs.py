"""The words that offer or answer something, at any prompt: double, take, resign, settle and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sheshbesh.cli.terminal import wording
from sheshbesh.rules import Refusal, Side
from sheshbesh.session import actions

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


def speak(table: Tabletop[Any], side: Side, text: str) -> bool:
    """Whether the text was such a word and has been done; a refusal is told and leaves it at that.

    A word that is refused was understood, but nothing has happened: that is False, too.
    """
    action = _read(table, side, text)
    if action is None:
        return False
    refusal = table.do(side, action) if not isinstance(action, Refusal) else action
    if refusal is not None:
        table.desk.say(wording.refusal_text(refusal))
        if isinstance(action, actions.Resign) and refusal.rule == "resign.kind":
            table.desk.say(f"This game can be resigned at: {', '.join(_worth(table, side))}.")
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
        kinds = _worth(table, side)
        default = "single" if "single" in kinds or not kinds else kinds[0]
        return actions.Resign(rest[0] if rest else default)
    if word == "settle" and len(rest) == 1 and rest[0].lstrip("-+").isdecimal() and len(rest[0]) < 6:
        return actions.Propose("settle", int(rest[0]))
    if is_word(text):
        table.desk.say(f"Cannot read {text[:40]!r}: say resign, resign gammon, settle 1 or settle -1.")
    return None


def _worth(table: Tabletop[Any], side: Side) -> list[str]:
    position = table.state.position
    return [] if position is None else list(position.variant.resignations(position, side))
