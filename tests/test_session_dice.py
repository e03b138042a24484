"""Dice in a match: chains used up, shares left out, devices lost, throws not made, what the record tells."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh.fairdice import DiceTable
from sheshbesh.fairdice.table import PARTIES
from sheshbesh.rules import Side
from sheshbesh.session import (
    Action,
    AnchorAction,
    ChooseAction,
    ConfirmAction,
    DiceAction,
    DoubleAction,
    LinkAction,
    Phase,
    PlayAction,
    ReadyAction,
    ResignAction,
    RollAction,
    WithholdAction,
)
from tests.session_help import BLACK, SERVER, WHITE, S, Table

SHORT = 17
"""The fewest links a chain may have; all but one of them are in reserve."""


def short_chains(code: str) -> Table:
    """A match whose chains hold seventeen throws, of players who renew nothing by themselves."""
    table = Table(code)
    throwing = table.state.throwing
    assert throwing.table is not None
    short = DiceTable.open(throwing.table.game, mode=throwing.table.mode, length=SHORT)
    table.state = table.state.but(throwing=throwing.but(table=short))
    return table


def links(table: Table) -> None:
    """Give the shares of the dice that are due, but no anchors."""
    while True:
        due = [
            (actor, LinkAction(table.keeper.link(table.state, actor)))
            for actor in PARTIES
            if "link" in table.state.allowed(actor)
        ]
        if not due:
            return
        table.do(*due[0])


def use_up(table: Table) -> Table:
    """Play until the chains are used up."""
    table.ready()
    while not table.state.awaits_chains:
        assert table.phase is not Phase.READY, "the game ended before its chains"
        if table.phase is Phase.OPENING:
            for side in table.state.to_act:
                table.do(side.value, table.dressed(RollAction(), side.value))
        elif table.phase is Phase.ROLL:
            table.do(table.on_roll, table.dressed(RollAction()))
        elif table.phase is Phase.MOVE:
            table.play()
        links(table)
    return table


@pytest.mark.parametrize("mode", ["strict", "chains"])
def test_chains_that_are_used_up_are_renewed_before_anything_else(mode: str) -> None:
    table = use_up(short_chains(f"long_nardy.cube=true.p5.clock-d12-120.dice-{mode}"))
    assert table.phase is Phase.ROLL
    assert set(table.state.to_act) == set(Side)
    for actor in ("white", "black"):
        assert set(table.state.allowed(actor)) <= {"anchor", "time"}
    assert table.state.allowed(SERVER)[0] == "anchor"
    assert table.rule(table.on_roll, RollAction()) == "dice.chain_used_up"
    assert table.rule(table.on_roll, DoubleAction()) == "turn.not_now"
    assert table.rule(table.on_roll, ResignAction()) == "turn.not_now"
    roller = Side.of(table.on_roll)
    for side in (roller, roller.other):
        assert table.state.clock.running is side  # the side that is still awaited
        table.do(side.value, AnchorAction(table.keeper.anchor(side.value)))
    assert table.state.clock.running is None  # the server's anchor is nobody's time
    table.now += 1000 * S
    table.do(SERVER, AnchorAction(table.keeper.anchor("server")))
    assert not table.state.awaits_chains
    assert table.state.clock.running is roller
    table.do(table.on_roll, table.dressed(RollAction()))
    table.due_actions()
    assert table.phase is Phase.MOVE


def test_a_share_that_is_left_out_is_marked_for_good() -> None:
    table = Table("backgammon.p5.dice-chains").ready().draw()
    silent = Side.of(table.on_roll).other
    table.do(table.on_roll, table.dressed(RollAction()))
    assert table.state.to_act == (silent,)
    assert table.rule(SERVER, WithholdAction(silent.other.value)) == "dice.link_given"
    table.do(SERVER, WithholdAction(silent.value))
    table.due_actions()
    assert table.phase is Phase.MOVE
    (thrown,) = [entry for entry in table.events[-1].then["transcript"] if entry["type"] == "throw"]
    assert thrown["missing"] == [silent.value]
    assert table.record().replay() == table.state


def test_a_lost_device_is_a_recorded_event() -> None:
    table = Table("backgammon.p5.dice-strict").ready().draw()
    loser = Side.of(table.on_roll)
    table.do(loser.value, table.keeper.renewed(loser))
    table.due_actions()
    entries = [entry for event in table.events for entry in event.then.get("transcript", ())]
    assert [entry.get("lost") for entry in entries if entry["type"] == "anchors"][-1] == [loser.value]
    table.do(table.on_roll, table.dressed(RollAction()))
    table.due_actions()
    assert table.record().replay() == table.state


@pytest.mark.parametrize(("code", "seed", "source"), [("tapa.p1", None, "typed"), ("tapa.p1", "x", "seeded")])
def test_the_record_says_where_the_dice_come_from(code: str, seed: str | None, source: str) -> None:
    table = Table(code, seed=seed).ready()
    if seed is None:
        table.do(SERVER, DiceAction(4, 2))  # a referee may type them too
    else:
        table.do("black", RollAction())
    entries = [entry for event in table.events for entry in event.then.get("transcript", ())]
    throws = [entry for entry in entries if entry["type"] == "throw"]
    assert [entry["source"] for entry in throws] == [source]
    assert any(entry["type"] == "seed" for entry in entries) == (seed is not None)


def test_the_same_seed_gives_the_same_dice_and_another_match_others() -> None:
    rolls = []
    for seed in ("one", "one", "two"):
        table = Table("long_nardy.p1", seed=seed).ready()
        for _ in range(40):
            if table.phase is Phase.MOVE:
                table.play()
            else:
                table.do(table.state.to_act[0].value, RollAction())
        rolls.append([event.then["dice"] for event in table.events if "dice" in event.then])
    assert rolls[0] == rolls[1] != rolls[2]


def test_a_player_who_loses_their_device_between_anchor_and_first_throw_commits_anew() -> None:
    table = Table("tapa.p1.dice-strict")
    table.do("white", ReadyAction("11" * 32))
    assert "anchor" not in table.state.allowed("black")
    table.do("white", AnchorAction("22" * 32, lost=True))
    assert table.state.throwing.table is not None
    assert not table.state.throwing.needs_anchor(Side.WHITE)


def test_a_link_that_rides_on_a_play_is_left_out_where_the_player_throws_again() -> None:
    table = Table("acey_deucey.p1.dice-chains").ready()
    for _ in range(400):
        if table.phase is Phase.OPENING:
            for side in table.state.to_act:
                table.do(side.value, table.dressed(RollAction(), side.value))
        elif table.phase is Phase.ROLL:
            table.do(table.on_roll, table.dressed(RollAction()))
        elif table.phase is Phase.CHOOSE:
            table.do(table.on_roll, ChooseAction(6))
        else:
            mover, turn = table.on_roll, table.state.turn
            assert turn is not None
            link = table.keeper.link(table.state, mover)  # type: ignore[arg-type]
            table.do(mover, PlayAction(turn.plays()[0].notation, link))
            if (table.phase, table.on_roll) == (Phase.ROLL, mover):
                table.due_actions()
                table.do(mover, table.dressed(RollAction()))
                return
        table.due_actions()
    raise AssertionError("nobody has earned another throw")


@pytest.mark.parametrize(("opening", "starter"), [("higher", BLACK), ("lower", WHITE)])
def test_the_lower_die_starts_where_that_was_agreed(opening: str, starter: str) -> None:
    """004, p. 9: White throws the smaller number; who starts throws both dice anew."""
    table = Table(f"takhte.opening={opening}.p5").begin(2, 5)
    assert (table.phase, table.on_roll) == (Phase.ROLL, starter)


CLOSED_OUT = "bbbbbb12N4c:w:x1.0"
"""White on the bar, and all six points of entry closed."""


@pytest.mark.parametrize("action", [ConfirmAction(), PlayAction("pass")])
@pytest.mark.parametrize("picked_up", [False, True])
def test_a_closed_out_side_passes_without_a_throw_at_a_real_board(action: Action, *, picked_up: bool) -> None:
    """B 46: 000 says that it does not throw until a point opens."""
    table = Table("backgammon.p5").begin(6, 1)
    table.state = table.state.but(
        position=sb.variant("backgammon").position_from_id(CLOSED_OUT),
        phase=Phase.ROLL,
        turn=None,
        rolled=False,
    )
    table.state = table.state.but(throwing=table.state.throwing.but(open=True, roller=Side.WHITE))
    assert table.state.passes_unthrown
    assert "double" in table.state.allowed(WHITE)
    if picked_up:
        table.do(WHITE, RollAction())
    assert {"play", "confirm"} <= set(table.state.allowed(WHITE))
    assert table.rule(BLACK, action) == ("turn.not_now" if picked_up else "turn.other")
    event = table.do(WHITE, action)
    assert event.then["play"] == "pass"
    assert (table.phase, table.on_roll) == (Phase.ROLL, BLACK)
    assert not table.state.passes_unthrown
    assert table.rule(BLACK, ConfirmAction()) == "turn.not_now"
    table.throw(2, 1)


def test_dice_of_the_program_are_thrown_for_a_closed_out_side() -> None:
    table = Table("backgammon.p5", seed="closed").ready()
    table.state = table.state.but(
        position=sb.variant("backgammon").position_from_id(CLOSED_OUT), phase=Phase.ROLL
    )
    assert table.rule(WHITE, ConfirmAction()) == "turn.not_now"
    assert not table.state.passes_unthrown
