"""What may be done, and what may not: every phase, every actor, every type of action.

`allowed` and `apply` must agree: a type that is not allowed is refused with a rule of the closed
lists and changes nothing; one that is allowed is accepted with some content, at some time.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import sheshbesh as sb
from sheshbesh.fairdice import DICE_RULES, Chain
from sheshbesh.match import CUBE_RULES
from sheshbesh.rules import Refusal, Side
from sheshbesh.session import SESSION_RULES, Applied, Phase, Session, actions, apply
from sheshbesh.session.actions import ACTIONS
from tests.session_help import BLACK, SERVER, WHITE, S, Table, entropy_from

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
    }
    found["one ready"] = Table(MONEY)
    found["one ready"].do(WHITE, actions.Ready())
    situations: dict[str, list[tuple[str, actions.Action]]] = {
        "throwing": [(BLACK, actions.Throw())],
        "doubled": [(BLACK, actions.Double())],
        "beavered": [(BLACK, actions.Double()), (WHITE, actions.Beaver())],
        "raccooned": [(BLACK, actions.Double()), (WHITE, actions.Beaver()), (BLACK, actions.Beaver())],
        "resigned": [(WHITE, actions.Resign())],
        "draw proposed": [(WHITE, actions.Propose("draw"))],
        "pause proposed": [(BLACK, actions.Propose("pause"))],
        "paused": [(BLACK, actions.Propose("pause")), (WHITE, actions.Accept())],
    }
    for name, steps in situations.items():
        table = Table(MONEY).begin().play()
        for actor, action in steps:
            table.do(actor, action)
        found[name] = table
    stepped = Table(MONEY).begin()
    stepped.do(WHITE, actions.Move(8, 5, 3))
    found["stepped"] = stepped
    touching = Table("backgammon.touch_move=true.m").begin()
    touching.do(WHITE, actions.Touch(8))
    found["touched"] = touching
    # A throw of 1 and 2 earns a double of one's choice.
    found["choose"] = Table("acey_deucey.m").begin().to_roll(WHITE).throw(1, 2).play()
    for name in ("strict throwing", "chains throwing"):
        thrower = found[name]
        thrower.do(thrower.on_roll, thrower.dressed(actions.Throw()))
    over = found["over by agreement"]
    over.do(WHITE, actions.Propose("draw"))
    over.do(BLACK, actions.Accept())
    return found


TABLES = tables()


def contents(table: Table, actor: str, kind: str) -> Iterator[tuple[actions.Action, int]]:
    """Actions of a type, and when they are taken: among them one that is accepted, if any can be."""
    state, now = table.state, table.now
    keeper = table.keeper
    match kind:
        case "ready":
            bare = actions.Ready()
            if actor == SERVER or state.throwing.table is not None:
                party = keeper._anchor(actor)  # type: ignore[arg-type]
                yield actions.Ready(party), now
            yield bare, now
        case "roll":
            yield actions.Throw(), now
            if state.throwing.table is not None and actor in (WHITE, BLACK):
                yield keeper.dress(state, Side.of(actor), actions.Throw()), now
        case "link":
            yield actions.Link("00" * 32), now
            if actor != "eve" and state.throwing.table is not None and state.throwing.table.epoch is not None:
                yield actions.Link(keeper._link(state, actor)), now  # type: ignore[arg-type]
        case "withhold":
            yield from ((actions.Withhold(side), now) for side in (WHITE, BLACK, "nobody"))
        case "anchor":
            anchor = Chain.draw(entropy_from(f"{actor} again")).anchor.hex()
            yield from ((actions.Anchor(anchor, lost=lost), now) for lost in (False, True))
        case "dice":
            yield from ((actions.Dice(*pair), now) for pair in ((0, 7), (2, 1)))
        case "choose":
            yield from ((actions.Choose(die), now) for die in (0, 4))
        case "touch":
            yield from ((actions.Touch(point), now) for point in (24, 6))
        case "step":
            yield from ((actions.Move(*ends), now) for ends in ((1, 25), (8, 5), (6, 5), (8, 7)))
            if state.turn is not None:
                yield from ((actions.Move(s.origin, s.target, s.die), now) for s in state.turn.next_steps())
        case "play":
            if state.turn is not None:
                yield from ((actions.MakePlay(play.notation), now) for play in state.turn.plays())
            yield actions.MakePlay("24/1"), now
        case "resign":
            yield actions.Resign("nothing"), now
            if state.position is not None and actor in (WHITE, BLACK):
                worth = state.position.variant.resignations(state.position, actor)
                yield from ((actions.Resign(word), now) for word in worth)
        case "propose":
            yield from ((actions.Propose(what), now) for what in ("peace", "pause"))
        case "abandon":
            yield from ((actions.Abandon(side), now) for side in (WHITE, BLACK, "nobody"))
            if state.position is not None:
                worth = state.position.variant.resignations(state.position, WHITE)
                yield from ((actions.Abandon(WHITE, word), now) for word in worth)
        case "time":
            yield from ((actions.ClaimTime(), at) for at in (now, now + 10**9))
        case "credit":
            yield from ((actions.Credit(ms), at) for ms in (0, 1) for at in (now, now + 1))
        case _:
            yield ACTIONS[kind](), now


CASES = [
    (name, actor, kind) for name in TABLES for actor in (WHITE, BLACK, SERVER, "eve") for kind in ACTIONS
]


@pytest.mark.parametrize(("name", "actor", "kind"), CASES)
def test_what_is_allowed_is_what_is_accepted(name: str, actor: str, kind: str) -> None:
    table = TABLES[name]
    state, may = table.state, kind in table.state.allowed(actor)
    assert table.state.may(actor, kind) == may
    before = pickle.dumps(state)
    answers = [apply(state, actor, action, now) for action, now in contents(table, actor, kind)]
    assert pickle.dumps(state) == before
    for answer in answers:
        if isinstance(answer, Refusal):
            assert answer.rule in KNOWN
            assert answer.text
    accepted = [answer for answer in answers if isinstance(answer, Applied)]
    # A play is confirmed when it is complete; that a beginning is refused is tested with the turn.
    unfinished = kind == "confirm" and state.turn is not None
    if kind == "anchor" and may and actor == SERVER:
        unfinished = True
    assert bool(accepted) == may or unfinished, answers


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

Situation = tuple[Callable[[], Table], str, actions.Action]


def at(name: str) -> Callable[[], Table]:
    return lambda: TABLES[name]


def flagged() -> Table:
    table = Table(f"backgammon.p7.{CLOCK}").begin()
    table.now += 10_000 * S
    return table


def break_taken() -> Table:
    table = Table(f"backgammon.p7.{CLOCK}").begin().resigns(WHITE)
    table.do(WHITE, actions.Break())
    return table


def cube_at(value: int) -> Table:
    table = Table(MONEY).begin().play()
    table.state = table.state.but(
        score=replace(table.state.score, cube=value, owner=BLACK if value > 1 else None)
    )
    table.do(BLACK, actions.Double())
    return table


REFUSED: list[tuple[str, Situation]] = [
    ("turn.other", (at("move"), BLACK, actions.MakePlay("24/23"))),
    ("turn.other", (at("roll"), WHITE, actions.Throw())),
    ("turn.other", (at("roll"), WHITE, actions.Double())),
    ("turn.other", (at("doubled"), BLACK, actions.Take())),
    ("turn.not_now", (at("roll"), BLACK, actions.Confirm())),
    ("turn.not_now", (at("move"), WHITE, actions.Ready())),
    ("turn.not_now", (at("ready"), WHITE, actions.Throw())),
    ("turn.not_now", (at("ready"), WHITE, actions.Propose("settle", 1))),
    ("turn.not_now", (at("roll"), BLACK, actions.Resume())),
    ("turn.not_now", (at("roll"), BLACK, actions.Dice(1, 2))),
    ("turn.not_now", (at("opening"), WHITE, actions.Throw())),
    ("turn.not_now", (at("throwing"), BLACK, actions.Double())),
    ("turn.not_now", (at("move"), SERVER, actions.Ready())),
    ("turn.nothing_done", (at("move"), WHITE, actions.Undo())),
    ("turn.touch_move", (at("touched"), WHITE, actions.Undo())),
    ("turn.touched", (at("touched"), WHITE, actions.Move(6, 5))),
    ("turn.touched", (at("touched"), WHITE, actions.Touch(6))),
    ("turn.touched", (at("touched"), WHITE, actions.Confirm())),
    ("turn.touched", (at("touched"), WHITE, actions.MakePlay("8/5 6/5"))),
    ("actor.unknown", (at("move"), "eve", actions.Swap())),
    ("actor.server", (at("strict"), WHITE, actions.Withhold(BLACK))),
    ("actor.player", (at("doubled"), SERVER, actions.Beaver())),
    ("actor.player", (at("move"), SERVER, actions.Confirm())),
    ("match.over", (at("over by agreement"), WHITE, actions.Ready())),
    ("match.paused", (at("paused"), BLACK, actions.Throw())),
    ("clock.expired", (flagged, WHITE, actions.MakePlay("8/5 6/5"))),
    ("clock.expired", (flagged, BLACK, actions.Resign())),
    ("clock.own", (flagged, WHITE, actions.ClaimTime())),
    ("clock.running", (at("clock"), BLACK, actions.ClaimTime())),
    ("clock.running", (at("clock"), WHITE, actions.ClaimTime())),
    ("clock.credit", (at("clock"), SERVER, actions.Credit(10**9))),
    ("clock.none", (at("move"), BLACK, actions.ClaimTime())),
    ("clock.none", (at("later game"), BLACK, actions.ClaimTime())),
    ("break.none_left", (break_taken, WHITE, actions.Break())),
    ("break.between_games", (at("clock"), BLACK, actions.Break())),
    ("break.between_games", (at("ready"), BLACK, actions.Break())),
    ("cube.none", (at("no cube"), BLACK, actions.Double())),
    ("cube.after_roll", (at("move"), WHITE, actions.Double())),
    ("cube.beavers", (lambda: Table("backgammon.m").begin().play(), BLACK, actions.Double())),
    ("cube.limit", (lambda: cube_at(32), WHITE, actions.Beaver())),
    ("offer.open", (at("doubled"), WHITE, actions.Throw())),
    ("offer.open", (at("doubled"), BLACK, actions.Propose("pause"))),
    ("offer.open", (at("resigned"), WHITE, actions.Resign())),
    ("offer.none", (at("move"), BLACK, actions.Accept())),
    ("offer.none", (at("ready"), BLACK, actions.Refuse())),
    ("offer.own", (at("draw proposed"), WHITE, actions.Accept())),
    ("offer.own", (at("resigned"), WHITE, actions.Accept())),
    ("offer.unknown", (at("move"), WHITE, actions.Propose("peace"))),
    ("offer.money_only", (at("clock"), WHITE, actions.Propose("draw"))),
    ("offer.money_only", (at("clock"), WHITE, actions.Propose("settle", 2))),
    ("resign.kind", (at("move"), WHITE, actions.Resign("koks"))),
    ("dice.other_source", (at("seeded"), WHITE, actions.Dice(1, 2))),
    ("dice.other_source", (at("seeded"), WHITE, actions.Throw("00" * 32))),
    ("dice.other_source", (at("move"), SERVER, actions.Withhold(WHITE))),
    ("dice.impossible", (at("throwing"), BLACK, actions.Dice(0, 7))),
    ("dice.choose", (at("choose"), WHITE, actions.Choose(7))),
    ("dice.link_required", (at("strict"), SERVER, actions.Withhold(WHITE))),
    ("ready.already", (at("one ready"), WHITE, actions.Ready())),
]


@pytest.mark.parametrize(("rule", "situation"), REFUSED)
def test_the_rule_against_it(rule: str, situation: Situation) -> None:
    build, actor, action = situation
    table = build()
    if rule == "cube.beavers":
        table.do(actor, action)
        assert table.rule(WHITE, actions.Beaver()) == rule
        return
    if rule == "dice.choose":
        actor = table.on_roll
    assert table.rule(actor, action) == rule


def test_every_rule_of_the_session_is_reached() -> None:
    elsewhere = {rule for rule in SESSION_RULES if rule.startswith(("chouette.", "advice."))}
    elsewhere |= {
        "actor.hand",
        "resign.borne_off",
    }  # the last one by a whole bear-off: tests/server/test_offers.py
    assert {rule for rule, _ in REFUSED} >= set(SESSION_RULES) - elsewhere


def test_the_rules_of_the_session_have_wording() -> None:
    for text, source in SESSION_RULES.values():
        assert text == text.strip() and not text.endswith(".")
        assert source is None or "(004)" in source


def test_nobody_acts_on_what_is_not_a_side() -> None:
    assert Session.new(Table().header.card).allowed("eve") == ()
