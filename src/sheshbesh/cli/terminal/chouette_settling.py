"""Settling at a chouette: what is typed, whether it is meant, and the answers of those it is offered to."""

from __future__ import annotations

from sheshbesh.cli.terminal.chouette_narration import label, settlement_text
from sheshbesh.cli.terminal.chouette_prompts import folded
from sheshbesh.cli.terminal.chouette_table import ChouetteAgreement
from sheshbesh.cli.terminal.verbs import options, own_words, read_answer
from sheshbesh.i18n import Text
from sheshbesh.rules import Side
from sheshbesh.session import AgreeAction, DeclineAction, Member, SettleAction, proposed
from sheshbesh.session.chouette.state import BOX


def settle(loop: ChouetteAgreement, side: Side, text: str) -> bool | None:
    """Offer to settle and have it answered at once; None if the text is about something else.

    False where it was understood, but nothing is offered.
    """
    word, *rest = text.split() or [""]
    if word.casefold() != "settle":
        return None
    read = _read(loop, side, rest)
    if read is None:
        return False
    actor, action = read
    if not _is_meant(loop, actor, action) or not loop.attempt(actor, action):
        return False
    for member in loop.whole.settlements(actor):
        _answered(loop, member.name, side)
    return True


def _read(loop: ChouetteAgreement, side: Side, words: list[str]) -> tuple[str, SettleAction] | None:
    """Return who offers what: the box to a member or to all, a member for themselves, else the side's
    player."""
    *names, points = words or [""]
    if len(names) > 1 or not points.lstrip("-+").isdecimal() or len(points) > 5:
        loop.screen.say(
            Text(
                "Cannot read {text}: say settle 1, settle -1, or settle NAME 1.",
                text=repr(" ".join(["settle", *words])[:40]),
            )
        )
        return None
    known = {folded(member.name): member.name for member in loop.whole.playing}
    if names and folded(names[0]) not in known:
        loop.screen.say(Text("There is no {name} at this table.", name=repr(names[0][:20])))
        return None
    name = known[folded(names[0])] if names else ""
    if side is BOX:
        return loop.whole.seats.box, SettleAction(int(points), name)
    actor = name or loop.whole.player_for(side)
    if actor in loop.bots:
        loop.screen.say(Text("{name} decides for itself.", name=actor))
        return None
    return actor, SettleAction(int(points))


def _is_meant(loop: ChouetteAgreement, actor: str, action: SettleAction) -> bool:
    whole = loop.whole
    if not whole.may_settle(actor):
        return True  # the refusal says why not
    others = whole.may_settle(actor) if actor == whole.seats.box else (whole.seats.box,)
    whom = (action.member,) if action.member else others
    what = settlement_text(actor, whom, action.points)
    if loop.screen.confirms(Text("Offer to settle: {what}?", what=what)):
        return True
    loop.screen.say(Text("Nothing is offered; the game goes on."))
    return False


def _answered(loop: ChouetteAgreement, name: str, side: Side) -> None:
    """Let the one to whom it is offered agree or decline."""
    whole = loop.whole
    member = whole.member(name)
    assert member is not None and member.terms is not None
    who = whole.seats.box if side is not BOX else name
    agree, decline = AgreeAction(name, member.terms.points), DeclineAction(name)
    if who in loop.bots:
        agrees = loop.bots[who].accepts_proposal(proposed(whole, member), side.other)
        loop.must(who, agree if agrees else decline)
        return
    while True:
        words = ("accept", "refuse")
        answer = read_answer(loop, loop.screen.ask(_prompt(loop, who, member), own=own_words(words)), words)
        if answer and loop.attempt(who, agree if answer == "accept" else decline):
            return
        loop.screen.say(Text("Type {words}; ? for help.", words=options(words)))


def _prompt(loop: ChouetteAgreement, who: str, member: Member) -> Text:
    whole, terms = loop.whole, member.terms
    assert terms is not None
    box = whole.seats.box
    by, to = (box, member.name) if terms.by is BOX else (member.name, box)
    what = settlement_text(by, (to,), terms.points)
    return Text("{who}, {what}: accept or refuse> ", who=label(whole, who), what=what)
