"""The chouette: sheets of the guide, seats, cubes, captains, advice, people."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.match import Card
from sheshbesh.rules import Refused, Side
from sheshbesh.session import (
    SESSION_RULES,
    Action,
    AdviseAction,
    AgreeAction,
    AnswerAction,
    ChooseAction,
    Chouette,
    ChouetteHeader,
    ChouetteRecord,
    ConfirmAction,
    Consultation,
    DeclineAction,
    DiceAction,
    DiceKeeper,
    DoubleAction,
    DoubleOneAction,
    Event,
    HandOverAction,
    JoinAction,
    LeaveAction,
    Phase,
    PlayAction,
    ProposeAction,
    ReadyAction,
    RecordFile,
    ResignAction,
    RollAction,
    Seats,
    SettleAction,
    StopAction,
    apply_chouette,
)
from sheshbesh.session.actions import ACTIONS
from sheshbesh.session.chouette.state import BOX, TEAM
from tests.chouette_help import Table
from tests.dice_help import entropy_from
from tests.session_help import SERVER
from tests.sizes import sampled

GUIDE = Path(__file__).resolve().parents[1] / "docs" / "guide" / "chouette.md"
ANSWERS = {"takes": "take", "drops": "drop", "beavers": "beaver"}


# The sheets of the guide


def sheets() -> Iterator[tuple[str, list[str]]]:
    text = GUIDE.read_text("utf-8").partition("## Score sheets worked out by hand")[2]
    for title, block in re.findall(r"^\*\*([^*]+)\*\*.*?^```chouette\n(.*?)^```$", text, re.M | re.S):
        yield title, block.splitlines()


SHEETS = dict(sheets())


def follow(lines: list[str]) -> None:
    """Play what a block of the guide says, and compare its sheets and seats."""
    words = [line.split() for line in lines]
    options = words.pop(0)[1:] if words[0][0] == "options" else []
    card = ".".join(["backgammon.m", *(word for word in options if word != "chosen"), "dice-typed"])
    table = Table("".join(words.pop(0)[1:]), card=card, chosen="chosen" in options)
    table.begin(tie=words[0] == ["opening", "tie"])
    checks = 0
    for line, parts in zip(lines[-len(words) :], words, strict=True):
        if table.state.board.phase is Phase.READY and parts[0] not in ("sheet", "seats"):
            table.begin()
        match parts:
            case ["opening", "tie"]:
                assert {member.score.cube for member in table.state.members} == {2}
            case ["seats", *names]:
                assert list(table.state.seats.people) == names
                checks += 1
            case ["sheet", *_]:
                said = {name: int(points) for name, points in re.findall(r"(\w) ([-+]?\d+)", line)}
                assert table.sheet == said
                checks += 1
            case [name, "offers", points, *member]:
                table.do(name, SettleAction(int(points), *member))
            case [name, "agrees", member]:
                table.agrees(name, member)
            case [side, "wins", kind]:
                table.wins(BOX if side == "box" else TEAM, kind)
            case [name, "doubles", *member]:
                table.doubles(name, *member)
            case [name, word, member]:
                table.answers(name, ANSWERS[word], member)
            case _:
                raise AssertionError(line)
    assert checks >= 2
    record = ChouetteRecord(table.header, tuple(table.events))
    again = ChouetteRecord.from_text(record.to_text())
    assert again == record
    assert again.replay() == table.state


@pytest.mark.parametrize("title", SHEETS)
def test_the_sheets_of_the_guide(title: str) -> None:
    follow(SHEETS[title])


def test_the_guide_has_its_sheets() -> None:
    assert len(SHEETS) >= 7
    assert "sheet A -6, B +4, C +1, D +1" in SHEETS["One taken, one dropped."]


# Seats


def test_seats_by_throws() -> None:
    assert Seats.by_throws({"A": [3], "B": [6], "C": [5]}) == Seats("B", ("C", "A"))
    assert Seats.by_throws({"A": [6, 2, 1], "B": [6, 2, 4], "C": [5]}) == Seats("B", ("A", "C"))


@pytest.mark.parametrize(
    "throws",
    [
        {"A": [3], "B": [3], "C": [5]},
        {"A": [3, 2], "B": [3, 2], "C": [5]},
        {"A": [3, 2], "B": [3], "C": [5]},
        {"A": [3, 2], "B": [1], "C": [5]},
        {"A": [7], "B": [1], "C": [5]},
        {"A": [], "B": [1], "C": [5]},
        {"A": [2], "B": [1]},
    ],
)
def test_throws_that_seat_nobody(throws: dict[str, list[int]]) -> None:
    with pytest.raises(sb.MatchError):
        Seats.by_throws(throws)


@pytest.mark.parametrize(
    "people", [("A", "B"), tuple("ABCDEFGHIJK"), ("A", "B", "A"), ("A", "", "B"), ("A", "server", "B")]
)
def test_impossible_seats(people: tuple[str, ...]) -> None:
    with pytest.raises(sb.MatchError):
        Seats(people[0], people[1:])


@pytest.mark.parametrize("card", ["backgammon.p7", "backgammon.g5", "backgammon.m.clock-t86400"])
def test_cards_that_are_not_for_a_chouette(card: str) -> None:
    with pytest.raises(sb.MatchError):
        Chouette.new(Card.from_code(card), Seats("A", ("B", "C")))


# Cubes and captains


def test_the_box_doubles_the_cubes_it_may_turn() -> None:
    table = Table().begin().doubles("B").answers("A", "take", "B")
    table.doubles("A")
    # B's cube lies with the box, the others in the middle: it may turn them all.
    assert table.state.to_answer("B") == ("B",)
    assert {m.name for m in table.state.members if m.offered} == {"B", "C", "D"}
    table.answers("B", "take").answers("C", "drop").answers("D", "take")
    assert [(m.score.cube, m.score.owner) for m in table.state.playing] == [(4, TEAM), (2, TEAM)]
    table.to_roll(TEAM)
    table.to_roll(BOX)
    assert table.state.may_double("A") == ()
    assert table.rule("A", DoubleAction()) == "cube.owner"


def test_members_may_double_while_another_has_yet_to_answer() -> None:
    table = Table().begin().doubles("B")
    table.do("D", DoubleAction())
    assert table.state.to_answer("A") == ("B", "D")
    assert table.rule("B", DoubleAction()) == "offer.open"
    assert table.rule("B", RollAction()) == "offer.open"
    table.answers("A", "take", "D").answers("A", "drop", "B")
    assert table.state.captain == "C"
    assert table.rule("B", RollAction()) == "chouette.left"
    assert table.rule("D", RollAction()) == "actor.hand"
    table.do("C", RollAction())


def test_the_captain_is_succeeded_in_order() -> None:
    table = Table().begin().doubles("A")
    table.answers("C", "drop").answers("B", "drop")
    assert table.state.captain == "D"
    table.answers("D", "take").to_roll(TEAM)
    assert table.player() == "D"


def test_the_limit_of_the_cube() -> None:
    table = Table(card="backgammon.cube_limit=64.m.beavers.auto6.dice-typed").begin()
    member = table.state.members[0]
    score = member.score
    table.state = table.state.with_member(member.but(score=replace(score, cube=32, automatic_doubles=5)))
    table.doubles("B")
    assert table.rule("A", AnswerAction("B", "beaver")) == "cube.limit"
    table.answers("A", "take", "B").to_roll(BOX)
    assert "B" not in table.state.may_double("A")


REFUSED = [
    ("turn.other", "A", DoubleAction()),
    ("actor.hand", "C", RollAction()),
    ("actor.unknown", "eve", RollAction()),
    ("chouette.seats", "B", JoinAction()),
    ("actor.unknown", "eve", LeaveAction()),
    ("actor.unknown", "eve", StopAction()),
    ("chouette.hand_over", "C", HandOverAction("C")),
    ("chouette.hand_over", "B", HandOverAction("A")),
    ("turn.not_now", "B", ProposeAction("draw")),
    ("turn.not_now", "B", ConfirmAction()),
    ("offer.none", "A", AnswerAction("B", "take")),
    ("chouette.named", "A", DoubleOneAction("B")),
    ("advice.silent", "B", AdviseAction("double")),
    ("advice.impossible", "C", AdviseAction("dance")),
    ("actor.player", SERVER, DoubleAction()),
]


@pytest.mark.parametrize(("rule", "actor", "action"), REFUSED)
def test_the_rule_against_it(rule: str, actor: str, action: Action) -> None:
    table = Table().begin().to_roll(TEAM)
    assert table.rule(actor, action) == rule


def test_more_rules() -> None:
    table = Table("ABC", chosen=True)
    assert table.rule("B", LeaveAction()) == "chouette.seats"
    assert table.rule("B", JoinAction()) == "chouette.seats"
    assert table.rule("B", DoubleAction()) == "turn.not_now"
    table.begin().doubles("A", "C")
    assert table.rule("A", DoubleOneAction("C")) == "offer.open"
    assert table.rule("C", AnswerAction("C", "fold")) == "chouette.answer"
    assert table.rule("C", AnswerAction("C", "beaver")) == "cube.beavers"
    table.answers("C", "drop")
    assert table.rule("A", DoubleOneAction("C")) == "chouette.left"
    assert table.rule("A", DoubleOneAction("X")) == "actor.unknown"
    assert table.rule("A", SettleAction(1, "C")) == "chouette.settle"
    table.do("A", RollAction())
    assert table.rule("A", DoubleAction()) == "cube.after_roll"
    without = Table("ABC", card="takhte.m.dice-typed").begin()
    assert without.rule("A", DoubleAction()) == "cube.none"
    reached = {f"chouette.{rule}" for rule in ("seats", "named", "answer", "left", "hand_over", "settle")}
    assert reached == {rule for rule in SESSION_RULES if rule.startswith("chouette.")}


# Advice


@pytest.mark.parametrize(
    ("consultation", "before", "after"),
    [
        (Consultation.FREE, True, True),
        (Consultation.AFTER_CUBE, False, True),
        (Consultation.NEVER, False, False),
    ],
)
def test_when_the_crew_may_speak(consultation: Consultation, before: bool, after: bool) -> None:  # noqa: FBT001
    table = Table(consultation=consultation).begin().to_roll(TEAM)
    assert table.state.may_advise("C") == before
    table.doubles("C").answers("A", "take", "C")
    assert table.state.may_advise("C") == after
    assert table.state.may_advise("D") == before
    assert not table.state.may_advise("A") and not table.state.may_advise("B")


def test_advice_changes_nothing() -> None:
    table = Table().begin().to_roll(TEAM)
    for advice in ("double", "roll"):
        before = table.state
        table.do("C", AdviseAction(advice))
        assert table.state == before.but(events=before.events + 1, at=table.state.at)
    table.do("B", RollAction())
    table.do("B", DiceAction(3, 1))
    table.do("D", AdviseAction("8/5 6/5"))
    assert table.rule("D", AdviseAction("8/5 8/7(3)")) == "dice.not_thrown"


# People


def test_people_come_and_go_between_games() -> None:
    table = Table("ABC")
    table.do("D", JoinAction())
    assert "".join(table.state.seats.people) == "ABCD"
    table.begin().wins(TEAM, "single")
    assert table.sheet == {"A": -3, "B": 1, "C": 1, "D": 1}
    assert "".join(table.state.seats.people) == "BCDA"
    table.do("B", LeaveAction())  # the box leaves, the captain takes its place
    assert "".join(table.state.seats.people) == "CDA"
    assert table.state.captain == "D"
    assert table.sheet["B"] == 1
    table.do("B", JoinAction())
    assert table.sheet["B"] == 1
    for name in "EFGHIJ":
        table.do(name, JoinAction())
    assert table.rule("K", JoinAction()) == "chouette.seats"
    assert len(table.state.seats.people) == 10


def test_hands_that_change_get_ready_anew() -> None:
    table = Table("ABCD")
    table.do("A", ReadyAction())
    table.do("D", LeaveAction())
    assert table.state.board.ready == {BOX}
    table.do("E", JoinAction())
    assert table.state.board.ready == {BOX}
    table.do("A", LeaveAction())
    assert table.state.seats.people == ("B", "C", "E")
    assert table.state.board.ready == frozenset()
    table.begin()


def test_the_next_box_starts_where_the_winner_does() -> None:
    table = Table("ABC", card="takhte.m.dice-typed").begin().wins(TEAM, "gammon")
    assert table.state.seats.people == ("B", "C", "A")
    table.begin()
    assert (table.state.board.phase, table.player()) == (Phase.ROLL, "B")


def test_a_chouette_with_chains_and_a_new_captain() -> None:
    table = Table("ABC", card="backgammon.m.dice-strict")
    state = table.state
    keeper = DiceKeeper((SERVER, BOX, TEAM), entropy_from("chouette"))

    def dressed(name: str, action: Action) -> Action:
        side = table.state.side_of(name)
        assert side is not None
        return keeper.with_share(table.state.board, side, action)

    def due_actions() -> None:
        while due := next(iter(keeper.due_actions(table.state.board)), None):
            party, action = due
            table.do(party if party == SERVER else table.state.player_for(Side.of(party)), action)

    for name in ("A", "B"):
        table.do(name, dressed(name, ReadyAction()))
    due_actions()
    while not table.throws(TEAM):
        board = table.state.board
        if board.phase is Phase.OPENING:
            for side in board.to_act:
                table.do(table.state.player_for(side), dressed(table.state.player_for(side), RollAction()))
        elif board.phase is Phase.MOVE:
            assert board.turn is not None
            table.do(table.player(), PlayAction(board.turn.plays()[0].notation))
        else:
            table.do(table.player(), dressed(table.player(), RollAction()))
        due_actions()
    table.do("B", DoubleAction())
    table.do("A", AnswerAction("B", "drop"))
    assert table.player() == "C"
    table.do("C", keeper.renewed(TEAM))
    due_actions()
    table.do("C", dressed("C", RollAction()))
    due_actions()
    assert table.state.board.phase is Phase.MOVE
    record = ChouetteRecord(table.header, tuple(table.events))
    assert ChouetteRecord.from_text(record.to_text()).replay() == table.state
    assert state.events == 0


# Soak: random chouettes


def random_action(rng: random.Random, state: Chouette, actor: str, kind: str) -> Action:
    board = state.board
    match kind:
        case "double_one":
            return DoubleOneAction(rng.choice(state.may_double(actor)))
        case "answer":
            answers = ["take", "take", "drop"]
            return AnswerAction(rng.choice(state.to_answer(actor)), rng.choice(answers))
        case "resign":
            assert board.position is not None
            side = state.side_of(actor)
            assert side is not None
            return ResignAction(rng.choice(list(board.position.variant.resignations(board.position, side))))
        case "advise":
            return AdviseAction("roll")
        case "choose":
            return ChooseAction(rng.randint(1, 6))
        case "play":
            assert board.turn is not None
            return PlayAction(rng.choice(board.turn.plays()).notation)
        case "double":
            return DoubleAction()
        case "join":
            return JoinAction()
        case "leave":
            return LeaveAction()
        case "hand_over":
            return HandOverAction(rng.choice(state.members).name)
        case "settle":
            members = ("", *state.may_settle(actor))
            return SettleAction(rng.randint(-3, 3), rng.choice(members) if actor == state.seats.box else "")
        case "agree" | "decline":
            member = rng.choice(state.settlements(actor))
            assert member.terms is not None
            agreed = AgreeAction(member.name, member.terms.points)
            return agreed if kind == "agree" else DeclineAction(member.name)
        case "stop":
            return StopAction(on=rng.random() < 0.3)
        case _:
            return ACTIONS[kind]()


@pytest.mark.parametrize("seed", sampled(range(12), lambda seed: seed < 4))
def test_random_chouettes(seed: int) -> None:
    rng = random.Random(seed)
    people = rng.randint(3, 6)
    game = rng.choice([game for game in sb.variants() if game != "tawla31"])
    code = f"{game}.cube=true.m" + rng.choice(("", ".beavers", ".auto2", ".nojacoby")) + ".dice-seeded"
    code += ".clock-f5-60" * (seed % 2)
    seats = Seats("A", tuple("BCDEFG"[: people - 1]))
    header = ChouetteHeader(
        Card.from_code(code), "soak", seats, chosen_members=rng.random() < 0.5, seed=str(seed)
    )
    state = header.session()
    events: list[Event] = []
    rare = {
        "resign": 0.02,
        "advise": 0.1,
        "join": 0.1,
        "leave": 0.1,
        "double": 0.3,
        "hand_over": 0.1,
        "stop": 0.002,
        "settle": 0.02,
        "agree": 0.1,
        "decline": 0.1,
    }
    games = 0
    for now in range(1200):
        choices = [
            (actor, kind)
            for actor in "ABCDEFGH"
            for kind in state.allowed(actor)
            if kind in ("answer", "double_one", "play", "roll", "ready", "accept", "choose")
            or rng.random() < rare.get(kind, 0)
        ]
        if state.is_over:
            break
        assert choices, (state.board.phase, state.members)
        actor, kind = rng.choice(choices)
        played = len(state.board.games)
        try:
            state, _, event = apply_chouette(state, actor, random_action(rng, state, actor, kind), now)
        except Refused as refused:
            known = ("chouette.hand_over", "advice.impossible", "offer.own", "settle.points")
            assert refused.refusal.rule in known, (actor, kind, refused)
            continue
        games += len(state.board.games) > played
        events.append(event)
        assert sum(state.sheet.values()) == 0
        assert state.captain in state.seats.queue
        if seed % 2 and state.is_asking:
            owing = {member.offered.other for member in state.playing if member.offered is not None}
            assert state.board.clock.running in owing
        elif seed % 2 and state.board.resignation is None and not state.is_between_games:
            assert state.board.clock.running is state.board.on_roll
        for member in state.members:
            assert member.score.cube.bit_count() == 1
    assert games
    record = ChouetteRecord(header, tuple(events))
    assert ChouetteRecord.from_text(record.to_text()).replay() == state


# Records


def test_a_wrong_header_of_a_chouette(tmp_path: Path) -> None:
    header = ChouetteHeader(Card.from_code("backgammon.m"), "x", Seats("A", ("B", "C")))
    data = header.to_data()
    assert ChouetteHeader.from_data(data) == header
    for change in (
        {"seats": ["A", "B"]},
        {"seats": "ABC"},
        {"seats": ["A"]},
        {"consultation": "loud"},
        {"card": "backgammon.p5", "card_hash": Card.from_code("backgammon.p5").hash},
        {"format": "sheshbesh-record"},
    ):
        with pytest.raises(sb.RecordError):
            ChouetteHeader.from_data(data | change)
    file = RecordFile(tmp_path / "c.jsonl")
    file.create(header)
    assert file.load_as(ChouetteRecord).header == header
    with pytest.raises(sb.RecordError):
        file.load()
