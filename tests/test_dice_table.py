"""Who may give what, and when: the dice of one game as a phase with links still missing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheshbesh.fairdice import DICE_RULES, RESERVE, Change, DiceTable, replay
from sheshbesh.fairdice.table import PARTIES, Mode, Player
from sheshbesh.rules import RULES, Refused
from tests.dice_help import Game, audit, chains_of, plain, refused

SHORT = RESERVE + 4


def awaits(game: Game) -> tuple[str, ...]:
    """Whose link is awaited now."""
    return game.table.awaited


def test_nothing_is_thrown_before_all_three_anchors_lie() -> None:
    table = DiceTable.open("m1/1")
    chains = chains_of(1)
    assert table.awaited_anchors == PARTIES
    with refused("dice.anchor_missing"):
        table.begin(None)
    for party in PARTIES:
        with refused("dice.anchor_malformed"):
            table.commit(party, b"short")
        change = table.commit(party, chains[party].anchor)
        if party != "black":
            assert not change.entries
            with refused("dice.anchor_given"):
                change.table.commit(party, chains["black"].anchor)
            with refused("dice.anchor_repeated"):
                change.table.commit("black", chains[party].anchor)
        table = change.table
    assert [event["type"] for event in change.entries] == ["anchors"]
    assert table.awaited_anchors == ()
    with refused("dice.anchor_unasked"):
        table.commit("white", chains["white"].tip)


@pytest.mark.parametrize(
    "wrong", [{"game": "a|b"}, {"mode": "lenient"}, {"length": RESERVE}, {"game": ""}, {"length": 5000}]
)
def test_a_table_that_cannot_be_is_not_opened(wrong: dict[str, Any]) -> None:
    options = {"game": "m1/1"} | wrong
    with pytest.raises(ValueError, match="not"):
        DiceTable.open(options.pop("game"), **options)


def test_in_normal_mode_the_waiting_player_gives_a_link_before_the_roll_is_asked_for() -> None:
    game = Game()
    game.do(game.table.begin("white"))
    assert awaits(game) == ("black",)
    link = {party: game.chains[party].link(1) for party in PARTIES}
    with refused("dice.link_early"):
        game.table.release("white", link["white"])
    with refused("dice.server_last"):
        game.table.release("server", link["server"])
    game.give("black")
    assert awaits(game) == ()
    game.do(game.table.ask())
    assert awaits(game) == ("white",)
    with refused("dice.server_last"):
        game.table.release("server", link["server"])
    with refused("dice.link_given"):
        game.table.release("black", link["black"])
    with refused("dice.link_missing"):
        game.table.resolve()
    game.give("white")
    assert awaits(game) == ("server",)
    game.give("server")
    assert awaits(game) == ()
    assert game.table.resolve().dice is not None


def test_in_strict_mode_the_waiting_player_is_asked_only_after_the_roller_gave_a_link() -> None:
    game = Game(mode="strict")
    game.do(game.table.begin("white"))
    assert awaits(game) == ()
    with refused("dice.link_early"):
        game.table.release("black", game.chains["black"].link(1))
    game.do(game.table.ask())
    assert awaits(game) == ("white",)
    with refused("dice.link_early"):
        game.table.release("black", game.chains["black"].link(1))
    game.give("white")
    assert awaits(game) == ("black",)
    with refused("dice.link_required"):
        game.table.withhold("black")
    game.give("black")
    assert awaits(game) == ("server",)


@pytest.mark.parametrize("mode", ["normal", "strict"])
def test_an_opening_draw_asks_both_players_at_once(mode: Mode) -> None:
    game = Game(mode=mode)
    game.do(game.table.begin(None))
    assert awaits(game) == ("white", "black")
    game.give("black")
    assert awaits(game) == ("white",)
    with refused("dice.asked_twice"):
        game.table.ask()


def test_a_wrong_link_changes_nothing() -> None:
    game = Game()
    game.throw(None)
    game.do(game.table.begin("white"))
    white, black = game.chains["white"], game.chains["black"]
    for wrong in (black.link(1), black.link(3), black.anchor, white.link(2), bytes(32)):
        with refused("dice.link_wrong"):
            game.table.release("black", wrong)
    with refused("dice.link_malformed"):
        game.table.release("black", b"")
    with refused("dice.link_malformed"):
        game.table.release("black", black.link(2) + b"x")
    game.give("black")


def test_steps_without_a_throw_are_refused() -> None:
    table = Game().table
    assert table.awaited == ()
    release = partial(table.release, "white", bytes(32))
    for step in (table.ask, table.resolve, partial(table.withhold, "white"), release):
        with refused("dice.no_throw"):
            step()
    begun = table.begin("white").table
    with refused("dice.throw_open"):
        begun.begin("black")


def test_a_silent_player_is_passed_over_in_normal_mode_and_the_record_is_marked() -> None:
    game = Game()
    game.throw(None)
    game.do(game.table.begin("white"))
    with refused("dice.link_early"):
        game.table.withhold("black")
    game.do(game.table.ask())
    with refused("dice.link_required"):
        game.table.withhold("server")
    game.do(game.table.withhold("black"))
    with refused("dice.link_late"):
        game.table.release("black", game.chains["black"].link(2))
    with refused("dice.link_late"):
        game.table.withhold("black")
    game.give("white")
    with refused("dice.link_required"):
        game.table.withhold("server")
    game.give("server")
    game.do(game.table.resolve())
    assert game.events[-1]["missing"] == ["black"]
    assert game.events[-1]["black"] is None
    game.throw("black")
    verdict = audit(game.events)
    assert verdict.ok
    assert verdict.throws[1].missing == ("black",)
    assert any("Throw 2 of m1/1: Black's link is missing" in text for text in verdict.unproved)


def test_a_link_after_missing_ones_uncovers_them() -> None:
    game = Game().play(12, missing=(3, 4, 5, 6, 9))
    assert audit(game.events).ok


def test_the_dice_change_with_every_link_and_number() -> None:
    played = [Game(seed=seed).play(30).events for seed in (1, 2)]
    first, second = ([event["dice"] for event in events[1:]] for events in played)
    assert first != second
    assert len({tuple(dice) for dice in first}) > 10


# New chains.


def test_chains_are_renewed_only_when_few_links_are_left() -> None:
    game = Game(length=SHORT)
    for _ in range(4):
        assert not game.table.needs_renewal
        with refused("dice.renewal_early"):
            game.table.renew()
        game.throw()
    assert game.table.needs_renewal
    game.do(game.table.renew())
    assert not game.table.needs_renewal
    with refused("dice.renewal_open"):
        game.table.renew()
    assert game.table.awaited_anchors == PARTIES
    game.throw()  # the old chains go on while the anchors come in
    game.anchor(2)
    assert game.table.index == 1
    assert game.table.number == 6
    game.throw()
    assert audit(game.events).ok
    assert [event["reason"] for event in game.events if event["type"] == "anchors"] == ["start", "reserve"]


def test_used_up_chains_must_be_renewed_first() -> None:
    game = Game(length=SHORT).play(SHORT)
    assert game.table.links_left == 0
    with refused("dice.chain_used_up"):
        game.table.begin("white")
    game.do(game.table.renew())
    game.anchor(2)
    game.throw()
    assert audit(game.events).ok


@pytest.mark.parametrize("mode", ["normal", "strict"])
def test_new_chains_begin_at_once_while_no_link_of_the_throw_is_out(mode: Mode) -> None:
    game = Game(mode=mode).play(3)
    game.do(game.table.begin("white"))
    game.do(game.table.renew(lost="white"))
    game.anchor(2)
    assert game.table.index == 1
    assert game.table.throw is not None
    game.do(game.table.ask())
    while awaited := game.table.awaited:
        game.give(awaited[0])
    game.do(game.table.resolve())
    assert audit(game.events).ok


def test_in_normal_mode_new_chains_wait_until_the_throw_is_done_without_the_lost_link() -> None:
    game = Game().play(3)
    game.do(game.table.begin("white"))
    game.give("black")
    game.do(game.table.renew(lost="white"))
    game.anchor(2)
    assert game.table.index == 4
    game.do(game.table.ask())
    game.do(game.table.withhold("white"))
    game.give("server")
    game.do(game.table.resolve())
    assert [event["type"] for event in game.events[-2:]] == ["throw", "anchors"]
    assert game.events[-1]["lost"] == ["white"]
    assert "voided" not in game.events[-1]
    assert game.table.index == 1
    game.chains = game.offered
    game.throw("black")
    verdict = audit(game.events)
    assert verdict.ok
    assert any("because White lost the old one" in text for text in verdict.unproved)


def stuck() -> Game:
    """A strict game whose throw 4 waits for Black, who has lost their chain."""
    game = Game(mode="strict").play(3)
    game.do(game.table.begin("white"))
    game.do(game.table.ask())
    game.give("white")
    game.do(game.table.renew(lost="black"))
    return game


def test_a_strict_throw_without_its_lost_link_is_made_void_and_thrown_again() -> None:
    game = stuck()
    white = game.chains["white"].link(4)
    game.anchor(2)
    assert game.events[-1]["voided"] == {"number": 4, "white": white.hex(), "black": None}
    assert game.table.number == 4
    assert awaits(game) == ("white",)
    while awaited := game.table.awaited:
        game.give(awaited[0])
    game.do(game.table.resolve())
    verdict = audit(game.events)
    assert verdict.ok
    assert [throw.number for throw in verdict.throws] == [1, 2, 3, 4]
    assert any(text.startswith("Throw 4 of m1/1 was begun again") for text in verdict.unproved)


def test_a_throw_is_made_void_only_once() -> None:
    game = stuck()
    game.anchor(2)
    game.give("white")
    game.do(game.table.renew(lost="black"))
    game.anchor(3)
    assert game.table.epoch is not None
    assert game.table.epoch.serial == 2
    assert awaits(game) == ("black",)


def test_a_strict_throw_that_lacks_no_lost_link_is_finished_first() -> None:
    game = Game(mode="strict").play(3)
    game.do(game.table.begin("white"))
    game.do(game.table.ask())
    game.give("white")
    game.do(game.table.renew(lost="white"))
    game.anchor(2)
    assert game.table.index == 4
    game.give("black")
    game.give("server")
    game.do(game.table.resolve())
    assert game.table.index == 1
    assert audit(game.events).ok


def test_an_anchor_from_a_lost_device_is_given_again() -> None:
    game = Game(length=SHORT).play(4)
    game.do(game.table.renew())
    game.do(game.table.commit("white", chains_of(2)["white"].anchor))
    game.do(game.table.renew(lost="white"))
    game.do(game.table.renew(lost="black"))
    assert game.table.awaited_anchors == PARTIES
    game.anchor(3)
    assert (game.events[-1]["reason"], game.events[-1]["lost"]) == ("lost", ["white", "black"])
    assert audit(game.events).ok
    opening = DiceTable.open("m1/2")
    opening = opening.commit("white", chains_of(4)["white"].anchor).table
    assert opening.renew(lost="white").table.awaited_anchors == PARTIES


def test_the_server_cannot_lose_its_chain() -> None:
    server: Any = "server"
    with refused("dice.server_lost"):
        Game().table.renew(lost=server)


def test_an_anchor_in_use_is_not_taken_again() -> None:
    game = Game(length=SHORT).play(4)
    game.do(game.table.renew())
    with refused("dice.anchor_repeated"):
        game.table.commit("white", game.chains["black"].link(4))


# The list of refusals, and the way back from a record.


def test_the_ids_of_refusals_are_a_closed_list_apart_from_those_of_plays() -> None:
    assert not DICE_RULES.keys() & RULES.keys()
    assert all(text and not text.endswith(".") for text in DICE_RULES.values())


def replayed(events: list[dict[str, Any]]) -> DiceTable | None:
    table: DiceTable | None = None
    for event in plain(events):
        table = replay(table, event)
    return table


def test_a_record_leads_back_to_the_same_table() -> None:
    game = Game(length=SHORT).play(8, missing=(3, 6))
    game.do(game.table.renew())
    game.anchor(2)
    game.throw("white")
    assert replayed(game.events) == game.table
    void = stuck()
    void.anchor(2)
    while awaited := void.table.awaited:
        void.give(awaited[0])
    void.do(void.table.resolve())
    assert replayed(void.events) == void.table
    other = Game("m1/2", seed=9).play(2)
    assert replayed([*game.events, *other.events]) == other.table


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"type": "play"},
        {"type": ["throw"]},
        {"type": "throw"},
        {
            "type": "throw",
            "source": "chains",
            "roller": "green",
            "white": None,
            "black": None,
            "server": "ff",
        },
        {"type": "throw", "source": "chains", "roller": "white", "white": 5, "black": None, "server": "ff"},
        {"type": "anchors", "game": "m1/9", "mode": "normal", "length": 400, "server": "zz"},
    ],
)
def test_an_event_that_does_not_follow_is_refused(wrong: dict[str, Any]) -> None:
    for table in (Game().table, None):
        with refused("dice.event_wrong"):
            replay(table, wrong)


def test_events_are_refused_for_the_rule_they_break() -> None:
    game = Game(mode="strict").play(2)
    with refused("dice.link_required"):
        replayed([*game.events[:2], game.events[2] | {"black": None}])
    with refused("dice.renewal_early"):
        replayed([*game.events, game.events[0] | {"reason": "reserve"}])


def test_a_forged_throw_is_not_replayed() -> None:
    game = Game().play(1)
    dice = [1, 1] if game.events[1]["dice"] != [1, 1] else [2, 2]
    with refused("dice.event_wrong"):
        replayed([game.events[0], game.events[1] | {"dice": dice}])


SINGLE_STEPS = ("begin", "ask", "release", "forge", "withhold", "resolve", "renew", "lost", "commit")

STEPS = st.lists(
    st.tuples(st.sampled_from([*SINGLE_STEPS, "finish", "finish", "finish"]), st.sampled_from(PARTIES)),
    max_size=120,
)


def tried(game: Game, step: str, party: Any, serial: int) -> Change[DiceTable]:
    """One step, sensible or not."""
    table = game.table
    roller: Player | None = None if party == "server" else party
    match step:
        case "begin":
            return table.begin(roller)
        case "ask":
            return table.ask()
        case "release":
            return table.release(party, game.chains[party].link(max(1, min(table.index, game.length))))
        case "forge":
            return table.release(party, bytes([serial % 256]) * 32)
        case "withhold":
            return table.withhold(party)
        case "resolve":
            return table.resolve()
        case "renew":
            return table.renew()
        case "lost":
            return table.renew(lost=party)
        case _:
            return table.commit(party, game.offered[party].anchor)


def expanded(steps: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Spell out the steps that finish a throw: chance alone would seldom come so far."""
    for step, party in steps:
        if step == "finish":
            yield from (("begin", party), ("ask", party), ("release", "white"), ("release", "black"))
            yield from (
                ("release", "white"),
                ("withhold", "black"),
                ("release", "server"),
                ("resolve", party),
            )
        else:
            yield step, party


@settings(max_examples=150, deadline=None)
@given(steps=STEPS, mode=st.sampled_from(["normal", "strict"]))
def test_whatever_is_tried_the_record_holds_and_leads_back(steps: list[tuple[str, str]], mode: Mode) -> None:
    game = Game(mode=mode, length=SHORT)
    game.offered = chains_of("next", length=SHORT)
    for serial, (step, party) in enumerate(expanded(steps)):
        before = game.table
        try:
            answer = tried(game, step, party, serial)
        except Refused as stop:
            assert stop.refusal.rule in DICE_RULES
            assert game.table is before
            continue
        game.do(answer)
        if any(event["type"] == "anchors" for event in answer.entries):
            game.chains, game.offered = game.offered, chains_of(serial, length=SHORT)
    verdict = audit(game.events)
    assert verdict.ok, verdict.problems
    table = replayed(game.events)
    assert isinstance(table, DiceTable)
    assert (table.epoch, table.number) == (game.table.epoch, game.table.number)
