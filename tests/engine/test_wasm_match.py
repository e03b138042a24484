"""Matches without a server follow the laws of sessions; the tutor in a browser says what the coach says."""

from __future__ import annotations

import base64
import json
import random
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.engines import Engine, registry
from sheshbesh.engines.explain.verdict import PlayVerdict
from sheshbesh.engines.strength.levels import find as find_level
from sheshbesh.match import Card
from sheshbesh.players import coach, settlement
from sheshbesh.players.coach import Coach, PlayHint
from sheshbesh.players.data import hint_data, question_data, verdict_data
from sheshbesh.players.opponent import EngineOpponent, decide
from sheshbesh.rules import Refused, Side
from sheshbesh.session import Phase, Session, apply, parse_action
from tests.engine.test_wasm import in_checkout, net_of, shipped
from tests.node import ask_node
from tests.sizes import sampled

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import wasm

KINDS = frozenset(
    {
        *("ready", "roll", "double", "choose", "step", "touch", "swap", "play", "confirm", "undo"),
        *("take", "drop", "beaver", "resign", "accept", "refuse"),
    }
)
CARDS = ("p1", "p3", "p5", "g3", "m", "m.beavers", "m.beavers.raccoons.auto2", "m.nojacoby", "m.auto1")
MOST_ACTIONS = 160


def ask(**asked: Any) -> Any:
    module = in_checkout(wasm.FOLDER / "core-simd.wasm")
    return ask_node({"module": module} | asked, "table")


def fresh(code: str) -> Session:
    return Session.new(Card.from_code(f"{code}.dice-typed"))


class Course:
    """A match of random actions, all of which are allowed: how it went, and where it stands."""

    def __init__(self, code: str, chance: random.Random, *, retries: float = 0.0) -> None:
        self.code, self.chance, self.state, self.retries = code, chance, fresh(code), retries
        self.actions: list[tuple[str, dict[str, Any]]] = []
        self.then: list[dict[str, Any]] = []

    def go_on(self, most: int) -> None:
        """Take so many actions more, unless the match is over."""
        most += len(self.actions)
        while len(self.actions) < most and self.state.phase is not Phase.OVER:
            try:
                self.take(*self.choose())
            except Refused:
                continue

    def take(self, actor: str, action: dict[str, Any]) -> None:
        self.state, then, _ = apply(self.state, actor, parse_action(action), 0)
        self.actions.append((actor, action))
        self.then.append({name: value for name, value in then.items() if name != "transcript"})

    def choose(self) -> tuple[str, dict[str, Any]]:
        state, chance = self.state, self.chance
        if state.phase in (Phase.OPENING, Phase.THROWING):
            return "server", {"type": "dice", "first": chance.randint(1, 6), "second": chance.randint(1, 6)}
        if self.retries and state.retriable is not None and chance.random() < self.retries:
            return "server", {"type": "retry", "side": state.retriable.value}
        side = chance.choice(state.to_act)
        allowed = [kind for kind in state.allowed(side) if kind in KINDS and kind != "touch"]
        rare = {"resign": 0.02, "undo": 0.3, "swap": 0.1, "step": 0.4, "double": 0.5, "confirm": 0.5}
        kind = chance.choices(allowed, [rare.get(each, 1.0) for each in allowed])[0]
        # On a real board a side that is closed out passes without a throw; here it is thrown and shown.
        if state.phase is Phase.ROLL and kind in ("play", "confirm"):
            kind = "roll"
        return side.value, {"type": kind, **self.filled(kind)}

    def filled(self, kind: str) -> dict[str, Any]:
        state, chance = self.state, self.chance
        turn, position = state.turn, state.position
        if kind == "choose":
            return {"die": chance.randint(1, 6)}
        if kind == "undo":
            return {"all": True} if chance.random() < 0.5 else {}
        if kind == "resign" and position is not None:
            loser = state.on_roll or Side.WHITE
            return {"kind": chance.choice(list(position.variant.resignations(position, loser)))}
        if turn is not None and kind == "step":
            steps = turn.next_steps()
            if not steps:
                raise Refused.of("turn.not_now")
            step = chance.choice(steps)
            return {"origin": step.origin, "target": step.target, "die": step.die}
        if turn is not None and kind == "play":
            return {"play": chance.choice(turn.plays()).notation}
        return {}

    @property
    def told(self) -> dict[str, Any]:
        """What the page's match has to say of the same state."""
        state, turn, score = self.state, self.state.turn, self.state.score
        offer = state.resignation
        return {
            "phase": state.phase.value,
            "events": state.events,
            "game": state.game_no,
            "rolled": state.rolled,
            "draws": [list(dice) for dice in state.draws],
            "starter": state.starter,
            "doubler": state.doubler,
            "stake": state.stake,
            "winner": state.winner,
            "ending": state.ending,
            "games": [
                {
                    "winner": game.result.winner,
                    "kind": game.result.kind,
                    "points": game.points,
                    "cube": game.cube,
                    "reason": game.reason,
                }
                for game in state.games
            ],
            "score": {
                "white": score.white,
                "black": score.black,
                "cube": score.cube,
                "owner": score.owner,
                "crawford": score.crawford,
                "automatic": score.automatic_doubles,
            },
            "row": state.position and base64.b64encode(state.position._core.row()).decode(),
            "turn": turn and [list(turn.dice), [[s.origin, s.target, s.die] for s in turn.done]],
            "resignation": offer and [offer.by, offer.kind, offer.points],
            "acting": list(state.to_act),
            "allowed": [self.allowed(side) for side in Side],
        }

    def allowed(self, side: Side) -> list[str]:
        kinds = [kind for kind in self.state.allowed(side) if kind in KINDS]
        closed_out = self.state.phase is Phase.ROLL and self.state.passes_unthrown
        return [kind for kind in kinds if not (closed_out and kind in ("play", "confirm"))]


PORTION = 42
"""Every game twice, and every card with some of them."""


def courses(first: int) -> list[Course]:
    names, found = sb.variants(), list[Course]()
    for seed in range(first, first + PORTION):
        card = CARDS[(seed + seed // len(names)) % len(CARDS)]
        found.append(Course(f"{names[seed % len(names)]}.{card}", random.Random(seed), retries=0.2))
        found[-1].go_on(MOST_ACTIONS)
    return found


@pytest.mark.parametrize("first", sampled(range(0, 24 * PORTION, PORTION), lambda first: not first))
def test_a_match_without_a_server_goes_as_a_session_goes(first: int) -> None:
    played = courses(first)
    asked = [{"code": each.code, "actions": each.actions} for each in played]
    for course, found in zip(played, ask(sessions=asked)["sessions"], strict=True):
        for n, (mine, its) in enumerate(zip(course.then, found["then"], strict=True)):
            assert its == mine, (course.code, n, course.actions[n])
        assert found["state"] == course.told, course.code


@pytest.mark.parametrize(
    ("code", "start", "played", "phase"),
    [
        ("tapa.p3", "(nA)21A(Ma):w", ["2/1", "pass"], "ready"),
        ("backgammon.p3", "bbbbbb12BBBBBB:w:x1.1", ["pass"], "ready"),
        ("backgammon.p3", "bbbbbb12BBBBB1:w:x1.1", ["pass"], "roll"),
    ],
)
def test_a_locked_game_ends_without_a_winner_without_a_server(
    code: str, start: str, played: list[str], phase: str
) -> None:
    position = sb.variant(code.partition(".")[0]).position_from_id(start)
    actions: list[tuple[str, dict[str, Any]]] = []
    for side, play in zip(("white", "black"), played, strict=False):
        dice = {"type": "dice", "first": 2, "second": 1}
        actions += [(side, {"type": "roll"}), ("server", dice), (side, {"type": "play", "play": play})]
    row = base64.b64encode(position._core.row()).decode()
    (found,) = ask(sessions=[{"code": code, "actions": actions, "row": row}])["sessions"]
    tie = {"winner": None, "kind": "tie", "points": 0, "cube": 1, "reason": "locked"}
    assert (found["state"]["phase"], found["state"]["games"]) == (phase, [tie] if phase == "ready" else [])


@pytest.mark.parametrize(
    ("white", "black", "dice"),
    [
        ({"6": 3, "5": 4, "4": 4, "2": 4}, {"24": 2}, (6, 5)),
        ({"6": 1, "4": 1, "2": 2}, {"24": 2}, (4, 1)),
        ({"6": 3, "5": 4, "4": 4, "2": 4}, {"1": 2}, (6, 5)),
        ({"8": 1, "5": 3}, {"24": 2}, (3, 1)),
        ({"6": 1}, {"24": 2}, (2, 2)),
        ({"6": 2}, {"24": 2}, (2, 1)),
    ],
)
def test_a_page_bears_off_by_itself_what_the_site_does(
    white: dict[str, int], black: dict[str, int], dice: tuple[int, int]
) -> None:
    board = {"white": white, "black": black}
    off = {f"{side}_off": 15 - sum(points.values()) for side, points in board.items()}
    position = sb.variant("backgammon").position({**board, **off})
    state = start_at(fresh("backgammon.p1"), position, sb.Roll.of(dice))
    wanted = settlement.finish(state)
    first, second = dice
    actions = [("white", {"type": "roll"}), ("server", {"type": "dice", "first": first, "second": second})]
    row = base64.b64encode(position._core.row()).decode()
    (found,) = ask(sessions=[{"code": "backgammon.p1", "actions": actions, "row": row}])["sessions"]
    assert found["finish"] == (wanted and wanted.notation)


@cache
def begun(code: str, phase: Phase) -> Course:
    """A course that has come to a decision of this phase after some turns."""
    wanted = Phase.MOVE if phase is Phase.RESIGNED else phase
    for seed in range(100):
        course = Course(code, random.Random(f"{phase} {seed}"))
        course.go_on(20)
        while (state := course.state).phase is not Phase.OVER:
            if state.phase is wanted and state.position and not (state.turn and state.turn.done):
                if phase is Phase.RESIGNED:
                    course.take(state.to_act[0].value, {"type": "resign"})
                return course
            course.go_on(1)
    raise AssertionError(f"no {phase} in {code}")


DECISIONS = [
    ("backgammon.p5", Phase.MOVE),
    ("backgammon.m.beavers", Phase.DOUBLED),
    ("backgammon.p3", Phase.ROLL),
    ("tapa.m", Phase.MOVE),
    ("long_nardy.p3", Phase.MOVE),
    ("acey_deucey.m", Phase.CHOOSE),
    ("takhte.g3", Phase.ROLL),
    ("backgammon.p7", Phase.RESIGNED),
]


def test_a_page_weighs_decisions_by_the_numbers_of_the_library() -> None:
    played = [begun(code, phase) for code, phase in DECISIONS]
    found = ask(questions=[{"code": each.code, "actions": each.actions} for each in played])["questions"]
    for course, mine in zip(played, found, strict=True):
        asked = coach.question(course.state)
        assert asked is not None
        wanted = json.loads(json.dumps(question_data(asked)))
        assert mine.pop("net")["sha256"] == wanted.pop("net")["sha256"], course.code
        assert mine == near(wanted), course.code


def near(found: Any) -> Any:
    """The same numbers, up to the six places of the page's table of match equities."""
    if isinstance(found, dict):
        return {name: near(value) for name, value in found.items()}
    if isinstance(found, list):
        return [near(each) for each in found]
    return pytest.approx(found, abs=1e-4) if isinstance(found, float) else found


LEVELS = ("beginner", "club", "expert", "master")


def engine_of(code: str, level: str | None = None) -> Engine:
    """The engine of a card's game without databases, as a browser has it."""
    game = sb.variant(code.split(".", maxsplit=1)[0])
    engine = Engine(game, registry.find(game), plies=2)
    return engine if level is None else engine.at_level(find_level(level), seed=7)


def test_levels_decide_in_a_browser_as_they_do_on_the_site() -> None:
    asked, cases = [], []
    for code, phase in (*DECISIONS[:6], DECISIONS[-1]):
        course = begun(code, phase)
        net = in_checkout(net_of(shipped()["games"][course.state.card.game]["net"]))
        for level in LEVELS:
            cases.append((course.state, level))
            asked.append({"code": code, "actions": course.actions, "net": net, "decides": level})
    for (state, level), mine in zip(cases, ask(questions=asked)["decided"], strict=True):
        wanted = decide(EngineOpponent(engine_of(state.card.game, level)), state, state.to_act[0]).to_data()
        if wanted["type"] == "play" and state.turn is not None:
            assert state.turn.written(mine["play"]) == state.turn.written(wanted["play"]), (state, level)
        else:
            assert mine == wanted, (state, level)


def advised(question: Any, **asked: Any) -> dict[str, Any]:
    """A request for advice about a question of the coach."""
    net = in_checkout(net_of(question["net"]["sha256"]))
    return {**asked, "net": net, "question": question_data(question)}


def test_a_hint_in_a_browser_is_that_of_the_coach() -> None:
    states = [begun(code, phase).state for code, phase in DECISIONS if phase is not Phase.CHOOSE]
    # With a few checkers, for all throws of all doubles are looked at.
    few = sb.variant("acey_deucey").position_from_id("a3a7a1A3Ba1A2:w:p?")
    states.append(start_at(fresh("acey_deucey.m"), few, None))
    answers = ask(advice=[advised(coach.question(state)) for state in states])["advice"]
    for state, mine in zip(states, answers, strict=True):
        wanted = Coach(engine_of(state.card.game)).hint(state)
        assert wanted is not None
        said = hint_data(wanted)
        if said["kind"] == "play":
            for one, other in zip(mine["plays"], said["candidates"], strict=False):
                assert one["equity"] == pytest.approx(other["equity"], abs=6e-5)
                assert (one["grade"], one["close"]) == (other["grade"], other["close"])
            assert isinstance(wanted, PlayHint)
            assert [each["id"] for each in mine["reasons"]] == [each.id for each in wanted.reasons]
        elif said["kind"] == "cube":
            for field in ("no_double", "double_take", "double_drop"):
                assert mine["cube"][field] == pytest.approx(said[field], abs=6e-5)
            assert (mine["cube"]["action"], mine["cube"]["answer"]) == (said["action"], said["answer"])
        else:
            assert mine["cube"] is None
            assert mine["plays"] is None


VERDICTS = [
    ("backgammon.p5", Phase.MOVE, None),
    ("tapa.m", Phase.MOVE, None),
    ("gul_bara.p3", Phase.MOVE, None),
    ("backgammon.p3", Phase.ROLL, "double"),
    ("backgammon.p3", Phase.ROLL, "roll"),
    ("backgammon.m.beavers", Phase.DOUBLED, "take"),
    ("backgammon.m.beavers", Phase.DOUBLED, "beaver"),
    ("backgammon.p5", Phase.DOUBLED, "drop"),
]


def test_a_verdict_in_a_browser_is_that_of_the_coach() -> None:
    cases, requests = [], []
    for code, phase, kind in VERDICTS:
        before = begun(code, phase).state
        action: dict[str, Any] = {"type": kind or "play"}
        if before.turn is not None:
            action["play"] = before.turn.plays()[-1].notation
        event = apply(before, before.to_act[0], parse_action(action), 0).event
        asked = coach.judgement(before, event)
        assert asked is not None, code
        requests.append(advised(asked.pop("question"), **asked))
        cases.append((before, event))
    for (before, event), mine in zip(cases, ask(advice=requests)["advice"], strict=True):
        wanted = Coach(engine_of(before.card.game)).verdict(before, event)
        if wanted is None:
            assert mine == {"done": False}
            continue
        said = verdict_data(wanted)
        assert (mine["kind"], mine["grade"], mine["close"]) == (said["kind"], said["grade"], said["close"])
        assert mine["loss"] == pytest.approx(said["loss"], abs=6e-5)
        if said["kind"] == "play":
            assert isinstance(wanted, PlayVerdict)
            assert (mine["rank"], mine["of"]) == (said["rank"], said["of"])
            assert [each["id"] for each in mine["reasons"]] == [each.id for each in wanted.reasons]
        else:
            assert mine["best"] == said["best"]


def test_every_shipped_game_is_known_to_matches_without_a_server() -> None:
    written = json.loads((wasm.FOLDER / "games.json").read_text("utf-8"))
    assert written == json.loads(wasm.written(wasm.games()))
    assert {name for name, each in written["games"].items() if each["fingerprint"]} == set(sb.variants())
    assert registry.find(sb.variant("tapa")).manifest.sha256 == shipped()["games"]["tapa"]["net"]
