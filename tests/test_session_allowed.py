"""Permissions: in every phase every allowed type of action is accepted with some content, at some time,
and every refusal of the closed lists is given where a referee would give it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import sheshbesh as sb
from sheshbesh.fairdice import DICE_RULES, Chain
from sheshbesh.match import CUBE_RULES
from sheshbesh.match.state import HIGHEST_CUBE
from sheshbesh.rules import Refusal, Refused, Side
from sheshbesh.session import (
    SESSION_RULES,
    AbandonAction,
    AcceptAction,
    Action,
    AnchorAction,
    BeaverAction,
    BreakAction,
    ChooseAction,
    ClaimAction,
    ConfirmAction,
    CreditAction,
    DiceAction,
    DoubleAction,
    EventTerms,
    ForfeitAction,
    LinkAction,
    Phase,
    PlayAction,
    ProposeAction,
    ReadyAction,
    RefuseAction,
    ResignAction,
    ResumeAction,
    RetryAction,
    RollAction,
    StepAction,
    SwapAction,
    TakeAction,
    TouchAction,
    UndoAction,
    WithholdAction,
    apply,
)
from sheshbesh.session.actions import ACTIONS
from tests.dice_help import entropy_from
from tests.session_help import BLACK, SERVER, WHITE, S, Table

MONEY = "backgammon.m.beavers.raccoons"
CLOCK = "clock-d12-120-b1x300"

KNOWN = {*SESSION_RULES, *CUBE_RULES, *DICE_RULES, *sb.RULES}


def tables() -> dict[str, Table]:
    """A match in every phase, and in every situation in which a phase allows something else."""
    found = {
        "ready": Table(f"{MONEY}.{CLOCK}"),
        "opening": Table(MONEY).ready(),
        "move": Table(MONEY).begin(),
        "roll": Table(MONEY).begin().play(),
        "seeded": Table("backgammon.m", seed="x").ready(),
        "later game": Table(f"{MONEY}.{CLOCK}").begin().resigns(WHITE),
        "over by agreement": Table(MONEY).begin(),
        "no cube": Table("takhte.p5").ready(),
        "strict": Table("backgammon.m.dice-strict").ready(),
        "chains": Table("backgammon.p7.dice-chains").ready(),
        "strict roll": Table("backgammon.m.dice-strict").ready().draw(),
        "chains roll": Table("backgammon.p7.dice-chains").ready().draw(),
        "strict throwing": Table("backgammon.m.dice-strict").ready().draw(),
        "chains throwing": Table("backgammon.p7.dice-chains").ready().draw(),
        "before chains": Table("backgammon.p7.dice-strict"),
        "clock": Table(f"backgammon.p7.{CLOCK}").begin(),
        "event": Table(f"backgammon.p7.{CLOCK}", event=EventTerms("friday", 1, 30, ("agreements", "pauses"))),
    }
    found["one ready"] = Table(MONEY)
    found["one ready"].do(WHITE, ReadyAction())
    situations: dict[str, list[tuple[str, Action]]] = {
        "throwing": [(BLACK, RollAction())],
        "doubled": [(BLACK, DoubleAction())],
        "beavered": [(BLACK, DoubleAction()), (WHITE, BeaverAction())],
        "raccooned": [(BLACK, DoubleAction()), (WHITE, BeaverAction()), (BLACK, BeaverAction())],
        "resigned": [(WHITE, ResignAction())],
        "draw proposed": [(WHITE, ProposeAction("draw"))],
        "pause proposed": [(BLACK, ProposeAction("pause"))],
        "paused": [(BLACK, ProposeAction("pause")), (WHITE, AcceptAction())],
    }
    for name, steps in situations.items():
        table = Table(MONEY).begin().play()
        for actor, action in steps:
            table.do(actor, action)
        found[name] = table
    stepped = Table(MONEY).begin()
    stepped.do(WHITE, StepAction(8, 5, 3))
    found["stepped"] = stepped
    touching = Table("backgammon.touch_move=true.m").begin()
    touching.do(WHITE, TouchAction(8))
    found["touched"] = touching
    # A throw of 1 and 2 earns a double of one's choice.
    found["choose"] = Table("acey_deucey.m").begin().to_roll(WHITE).throw(1, 2).play()
    for name in ("strict throwing", "chains throwing"):
        thrower = found[name]
        thrower.do(thrower.on_roll, thrower.dressed(RollAction()))
    over = found["over by agreement"]
    over.do(WHITE, ProposeAction("draw"))
    over.do(BLACK, AcceptAction())
    return found


TABLES = tables()


def contents(table: Table, actor: str, kind: str) -> Iterator[tuple[Action, int]]:
    """Actions of a type, and when they are taken: among them one that is accepted, if any can be."""
    state, now = table.state, table.now
    keeper = table.keeper
    match kind:
        case "ready":
            bare = ReadyAction()
            if actor == SERVER or state.throwing.table is not None:
                party = keeper.anchor(actor)  # type: ignore[arg-type]
                yield ReadyAction(party), now
            yield bare, now
        case "roll":
            yield RollAction(), now
            if state.throwing.table is not None and actor in (WHITE, BLACK):
                yield keeper.with_share(state, Side.of(actor), RollAction()), now
        case "link":
            yield LinkAction("00" * 32), now
            if actor != "eve" and state.throwing.table is not None and state.throwing.table.epoch is not None:
                yield LinkAction(keeper.link(state, actor)), now  # type: ignore[arg-type]
        case "retry":
            yield from ((RetryAction(side), now) for side in (WHITE, BLACK))
        case "withhold":
            yield from ((WithholdAction(side), now) for side in (WHITE, BLACK, "nobody"))
        case "anchor":
            anchor = Chain.draw(entropy_from(f"{actor} again")).anchor.hex()
            yield from ((AnchorAction(anchor, lost=lost), now) for lost in (False, True))
        case "dice":
            yield from ((DiceAction(*pair), now) for pair in ((0, 7), (2, 1)))
        case "choose":
            yield from ((ChooseAction(die), now) for die in (0, 4))
        case "touch":
            yield from ((TouchAction(point), now) for point in (24, 6))
        case "step":
            yield from ((StepAction(*ends), now) for ends in ((1, 25), (8, 5), (6, 5), (8, 7)))
            if state.turn is not None:
                yield from ((StepAction(s.origin, s.target, s.die), now) for s in state.turn.next_steps())
        case "play":
            if state.turn is not None:
                yield from ((PlayAction(play.notation), now) for play in state.turn.plays())
            yield PlayAction("24/1"), now
        case "resign":
            yield ResignAction("nothing"), now
            if state.position is not None and actor in (WHITE, BLACK):
                worth = state.position.variant.resignations(state.position, actor)
                yield from ((ResignAction(word), now) for word in worth)
        case "propose":
            yield from ((ProposeAction(what), now) for what in ("peace", "pause"))
        case "abandon":
            yield from ((AbandonAction(side), now) for side in (WHITE, BLACK, "nobody"))
            if state.position is not None:
                worth = state.position.variant.resignations(state.position, WHITE)
                yield from ((AbandonAction(WHITE, word), now) for word in worth)
        case "time":
            yield from ((ClaimAction(), at) for at in (now, now + 10**9))
        case "forfeit":
            yield from ((ForfeitAction(WHITE, reason), now) for reason in ("late", "ruling"))
        case "credit":
            yield from ((CreditAction(ms), at) for ms in (0, 1) for at in (now, now + 1))
        case _:
            yield ACTIONS[kind](), now


CASES = [
    (name, actor, kind)
    for name, table in TABLES.items()
    for actor in (WHITE, BLACK, SERVER)
    for kind in table.state.allowed(actor)
]


@pytest.mark.parametrize(("name", "actor", "kind"), CASES)
def test_an_allowed_type_of_action_is_accepted_with_some_content(name: str, actor: str, kind: str) -> None:
    table = TABLES[name]
    state = table.state
    before = pickle.dumps(state)
    refusals, accepted = list[Refusal](), False
    for action, now in contents(table, actor, kind):
        try:
            apply(state, actor, action, now)
            accepted = True
        except Refused as refused:
            refusals.append(refused.refusal)
    assert pickle.dumps(state) == before
    assert all(refusal.rule in KNOWN and refusal.text for refusal in refusals)
    # A play is confirmed when it is complete; that a beginning is refused is tested with the turn.
    unfinished = kind == "confirm" or (kind == "anchor" and actor == SERVER)
    assert accepted or unfinished, refusals


@pytest.mark.parametrize("name", TABLES)
def test_strangers_may_do_nothing(name: str) -> None:
    state = TABLES[name].state
    assert state.allowed("eve") == ()
    assert not any(state.may("eve", kind) for kind in ACTIONS)


def test_every_phase_is_among_the_cases() -> None:
    assert {table.phase for table in TABLES.values()} == set(Phase)


def test_every_type_of_action_is_allowed_somewhere() -> None:
    seen = {
        kind
        for table in TABLES.values()
        for actor in (WHITE, BLACK, SERVER)
        for kind in table.state.allowed(actor)
    }
    assert seen == set(ACTIONS)


# Each refusal of the session, and the situation in which a referee would give it.

Situation = tuple[Callable[[], Table], str, Action]


def at(name: str) -> Callable[[], Table]:
    return lambda: TABLES[name]


def flagged() -> Table:
    table = Table(f"backgammon.p7.{CLOCK}").begin()
    table.now += 10_000 * S
    return table


def break_taken() -> Table:
    table = Table(f"backgammon.p7.{CLOCK}").begin().resigns(WHITE)
    table.do(WHITE, BreakAction())
    return table


def cube_at(value: int) -> Table:
    table = Table(MONEY).begin().play()
    table.state = table.state.but(
        score=replace(table.state.score, cube=value, owner=BLACK if value > 1 else None)
    )
    table.do(BLACK, DoubleAction())
    return table


def beavered(card: str) -> Table:
    """A table of this card at which a double was answered with a beaver."""
    table = Table(card).begin().play()
    table.do(BLACK, DoubleAction())
    table.do(WHITE, BeaverAction())
    return table


REFUSED: list[tuple[str, Situation]] = [
    ("turn.other", (at("move"), BLACK, PlayAction("24/23"))),
    ("turn.other", (at("roll"), WHITE, RollAction())),
    ("turn.other", (at("roll"), WHITE, DoubleAction())),
    ("turn.other", (at("doubled"), BLACK, TakeAction())),
    ("turn.not_now", (at("roll"), BLACK, ConfirmAction())),
    ("turn.not_now", (at("move"), WHITE, ReadyAction())),
    ("turn.not_now", (at("ready"), WHITE, RollAction())),
    ("turn.not_now", (at("ready"), WHITE, ProposeAction("settle", 1))),
    ("turn.not_now", (at("roll"), BLACK, ResumeAction())),
    ("turn.not_now", (at("roll"), BLACK, DiceAction(1, 2))),
    ("turn.not_now", (at("opening"), WHITE, RollAction())),
    ("turn.not_now", (at("throwing"), BLACK, DoubleAction())),
    ("turn.not_now", (at("move"), SERVER, ReadyAction())),
    ("turn.nothing_done", (at("move"), WHITE, UndoAction())),
    ("turn.no_retry", (at("move"), SERVER, RetryAction(WHITE))),
    ("turn.no_retry", (at("roll"), SERVER, RetryAction(BLACK))),
    ("turn.no_retry", (at("draw proposed"), SERVER, RetryAction(WHITE))),
    ("turn.touch_move", (at("touched"), WHITE, UndoAction())),
    ("turn.touched", (at("touched"), WHITE, StepAction(6, 5))),
    ("turn.touched", (at("touched"), WHITE, TouchAction(6))),
    ("turn.touched", (at("touched"), WHITE, ConfirmAction())),
    ("turn.touched", (at("touched"), WHITE, PlayAction("8/5 6/5"))),
    ("actor.unknown", (at("move"), "eve", SwapAction())),
    ("actor.server", (at("strict"), WHITE, WithholdAction(BLACK))),
    ("actor.player", (at("doubled"), SERVER, BeaverAction())),
    ("actor.player", (at("move"), SERVER, ConfirmAction())),
    ("match.over", (at("over by agreement"), WHITE, ReadyAction())),
    ("match.paused", (at("paused"), BLACK, RollAction())),
    ("clock.expired", (flagged, WHITE, PlayAction("8/5 6/5"))),
    ("clock.expired", (flagged, BLACK, ResignAction())),
    ("clock.own", (flagged, WHITE, ClaimAction())),
    ("clock.running", (at("clock"), BLACK, ClaimAction())),
    ("clock.running", (at("clock"), WHITE, ClaimAction())),
    ("clock.credit", (at("clock"), SERVER, CreditAction(10**9))),
    ("clock.none", (at("move"), BLACK, ClaimAction())),
    ("clock.none", (at("later game"), BLACK, ClaimAction())),
    ("break.none_left", (break_taken, WHITE, BreakAction())),
    ("break.between_games", (at("clock"), BLACK, BreakAction())),
    ("break.between_games", (at("ready"), BLACK, BreakAction())),
    ("cube.none", (at("no cube"), BLACK, DoubleAction())),
    ("cube.after_roll", (at("move"), WHITE, DoubleAction())),
    ("cube.beavers", (lambda: Table("backgammon.m").begin().play(), BLACK, DoubleAction())),
    ("cube.raccoons", (lambda: beavered("backgammon.m.beavers"), BLACK, BeaverAction())),
    ("cube.raccooned", (at("raccooned"), WHITE, BeaverAction())),
    ("cube.limit", (lambda: cube_at(HIGHEST_CUBE // 2), WHITE, BeaverAction())),
    ("offer.open", (at("doubled"), WHITE, RollAction())),
    ("offer.open", (at("doubled"), BLACK, ProposeAction("pause"))),
    ("offer.open", (at("resigned"), WHITE, ResignAction())),
    ("offer.none", (at("move"), BLACK, AcceptAction())),
    ("offer.none", (at("ready"), BLACK, RefuseAction())),
    ("offer.own", (at("draw proposed"), WHITE, AcceptAction())),
    ("offer.own", (at("resigned"), WHITE, AcceptAction())),
    ("offer.unknown", (at("move"), WHITE, ProposeAction("peace"))),
    ("offer.money_only", (at("clock"), WHITE, ProposeAction("draw"))),
    ("offer.money_only", (at("clock"), WHITE, ProposeAction("settle", 2))),
    ("resign.kind", (at("move"), WHITE, ResignAction("koks"))),
    ("dice.other_source", (at("seeded"), WHITE, DiceAction(1, 2))),
    ("dice.other_source", (at("seeded"), WHITE, RollAction("00" * 32))),
    ("dice.other_source", (at("move"), SERVER, WithholdAction(WHITE))),
    ("dice.impossible", (at("throwing"), BLACK, DiceAction(0, 7))),
    ("dice.choose", (at("choose"), WHITE, ChooseAction(7))),
    ("dice.link_required", (at("strict"), SERVER, WithholdAction(WHITE))),
    ("ready.already", (at("one ready"), WHITE, ReadyAction())),
]


@pytest.mark.parametrize(("rule", "situation"), REFUSED)
def test_the_rule_against_it(rule: str, situation: Situation) -> None:
    build, actor, action = situation
    table = build()
    if rule == "cube.beavers":
        table.do(actor, action)
        assert table.rule(WHITE, BeaverAction()) == rule
        return
    if rule == "dice.choose":
        actor = table.on_roll
    assert table.rule(actor, action) == rule


def test_a_beaver_may_bring_the_cube_to_its_limit() -> None:
    table = cube_at(16)
    table.do(WHITE, BeaverAction())
    assert table.state.phase is Phase.BEAVERED


def test_every_rule_of_the_session_is_reached() -> None:
    # tests/test_chouette.py, tests/test_chouette_settlement.py, tests/test_session_events.py
    others = ("chouette.", "advice.", "settle.", "event.", "forfeit.")
    elsewhere = {rule for rule in SESSION_RULES if rule.startswith(others)}
    elsewhere |= {
        "actor.hand",
        "resign.borne_off",
    }  # the last one by a whole bear-off: tests/server/test_offers.py
    assert {rule for rule, _ in REFUSED} >= set(SESSION_RULES) - elsewhere


def test_the_rules_of_the_session_have_wording() -> None:
    for text, source in SESSION_RULES.values():
        assert text == text.strip() and not text.endswith(".")
        assert source is None or "(004)" in source
