"""The text id of a position: short, readable, safe in a URL, exact.

    B4e1c3Ee3C1E4b:w            the start of backgammon, White on roll

The board runs over White's points 24 to 1: a number is that many empty points, a letter is a point
with that many checkers (A = 1 ... O = 15), capital for White and small for Black. In games with
pins `(Ba)` is a point where two White checkers hold one of Black. After the board comes the side
on roll, then only what is not zero, in this order:

    x1.0    checkers on the bar, White's and Black's
    h15.9   checkers in hand
    t0.1    finished turns, as far as the rules of the game ask
    sw      who started, where the second player has a last turn
    mb      whose mother is lost, where the game is played on
    p555+!  what is owed: the steps, + if the chain goes on, ! if the same side then throws;
            p? is a double to be named; h1 behind it: the checkers that left the head
            earlier in this roll, where the rules limit them

Checkers not seen are off.
"""

from __future__ import annotations

from sheshbesh import _core
from sheshbesh.errors import NotationError
from sheshbesh.i18n import Text
from sheshbesh.rules.setup import problem_texts, refuse_if, worded

_TEXTS = {
    "id.long": Text("a position id is a text of at most {n} characters: {text}", n=0, text=""),
    "id.side": Text("position id {id}: after the board comes :w or :b", id=""),
    "id.stack": Text("position id {id}, column {n}: expected a gap or a stack A to O", id="", n=0),
    "id.pin": Text("position id {id}, column {n}: a pin needs both colours", id="", n=0),
    "id.most": Text("position id {id}, column {n}: more than 24 points", id="", n=0),
    "id.few": Text("position id {id}: {n} points, not 24", id="", n=0),
    "id.field": Text("position id {id}: cannot read the field {field}", id="", field=""),
    "id.order": Text("position id {id}: the field {field} is out of order or doubled", id="", field=""),
    "id.turns": Text(
        "position id {id}: {side}'s turns are counted to {most} in this game", id="", side="", most=0
    ),
}
"""What an id cannot say, by the names of the core (`description.h`)."""


_BLANKS = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""Characters around an id that are left out: those that Python or JavaScript calls white space.

The page has the same (`engine/bytes.js`).
"""


def stripped(text: str) -> str:
    """Return the text of an id, of whatever program, without the blanks around it."""
    return text.strip(_BLANKS)


def read_id(text: str, rules: _core.Ruleset) -> _core.State:
    """Read an id; NotationError says where it cannot be read, PositionError what of it cannot be."""
    plain = stripped(text) if isinstance(text, str) else None
    if plain is None or len(plain) > _core.LONGEST_ID:
        raise NotationError(Text(_TEXTS["id.long"].template, n=_core.LONGEST_ID, text=repr(str(text)[:60])))
    # Half a surrogate pair cannot be passed on; a page passes it on as this character too.
    plain = plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    state, problems, is_unreadable = _core.read_id(rules, plain)
    if is_unreadable:
        raise NotationError(worded(_TEXTS, problems[0], id=repr(text), text=repr(text[:60])))
    refuse_if(problem_texts(problems), text)
    assert state is not None
    return state
