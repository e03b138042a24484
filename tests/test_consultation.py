"""The consultation match: two sides of several people, one hand for each."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh.match import Card
from sheshbesh.rules import Refusal, Side
from sheshbesh.session import (
    Action,
    AdviseAction,
    ConsultationHeader,
    ConsultationMatch,
    ConsultationRecord,
    DiceAction,
    DoubleAction,
    Event,
    PlayAction,
    ReadyAction,
    RollAction,
    TakeAction,
    apply_consultation,
)
from tests.session_help import SERVER

# The consultation match


def consultation() -> ConsultationMatch:
    card = Card.from_code("backgammon.p3.dice-typed")
    return ConsultationMatch.new(card, white=("Ann", "Bo"), black=("Cem", "Dot", "Eli"))


def test_a_consultation_match() -> None:
    header = ConsultationHeader(
        Card.from_code("backgammon.p3.dice-typed"), "x", ("Ann", "Bo"), ("Cem", "Dot", "Eli")
    )
    state = header.session()
    events: list[Event] = []
    for actor, action in [
        ("Ann", ReadyAction()),
        ("Cem", ReadyAction()),
        ("Ann", DiceAction(3, 1)),
        ("Bo", AdviseAction("8/5 6/5")),
        ("Bo", AdviseAction("24/23 13/10")),
        ("Ann", PlayAction("8/5 6/5")),
        ("Dot", AdviseAction("double")),
        ("Cem", DoubleAction()),
        ("Bo", AdviseAction("drop")),
        ("Ann", TakeAction()),
    ]:
        before = state
        answer = apply_consultation(state, actor, action, len(events))
        assert not isinstance(answer, Refusal), (actor, action, answer)
        state = answer.state
        events.extend(answer.events)
        if isinstance(action, AdviseAction):
            assert state.match == before.match
    assert state.match.score.owner is Side.WHITE
    record = ConsultationRecord(header, tuple(events))
    again = ConsultationRecord.from_text(record.to_text())
    assert again == record
    assert again.replay() == state


@pytest.mark.parametrize(
    ("rule", "actor", "action"),
    [
        ("actor.unknown", "eve", ReadyAction()),
        ("actor.hand", "Bo", ReadyAction()),
        ("advice.silent", "Ann", AdviseAction("ready")),
        ("advice.silent", SERVER, AdviseAction("ready")),
        ("advice.impossible", "Bo", AdviseAction("roll")),
        ("turn.not_now", "Ann", RollAction()),
    ],
)
def test_what_is_refused_in_a_consultation_match(rule: str, actor: str, action: Action) -> None:
    answer = apply_consultation(consultation(), actor, action, 0)
    assert isinstance(answer, Refusal)
    assert answer.rule == rule


def test_who_may_do_what_in_a_consultation_match() -> None:
    state = consultation()
    assert "ready" in state.allowed("Ann")
    assert state.allowed("Bo") == ("advise",)
    assert state.allowed("eve") == ()
    assert state.hand(Side.BLACK) == "Cem"


@pytest.mark.parametrize(
    ("white", "black"), [((), ("A",)), (("A",), ("A",)), (("",), ("B",)), (("server",), ("B",))]
)
def test_impossible_teams(white: tuple[str, ...], black: tuple[str, ...]) -> None:
    card = Card.from_code("backgammon.p3")
    with pytest.raises(sb.MatchError):
        ConsultationMatch.new(card, white=white, black=black)
    data = ConsultationHeader(card, "x", ("A",), ("B",)).to_data()
    with pytest.raises(sb.RecordError):
        ConsultationHeader.from_data(data | {"teams": {"white": list(white), "black": list(black)}})
