"""Opponents played by the program: the engine at a level, or the heuristic bot.

The engine plays every rule set that some net can stand for. Only where there is none the simple bot
sits down: a heuristic that looks one play ahead, with heuristics for the stake.

`AnalysisEngine` and `PlayingEngine` are what opponents, the coach and the line protocol ask of an engine;
`sheshbesh.engines.Engine` is one.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, Unpack

from sheshbesh.cube.decision import NEARLY
from sheshbesh.engines import CubeDecision, Engine, make_engine
from sheshbesh.engines.explain.verdict import Searching
from sheshbesh.engines.strength import levels
from sheshbesh.errors import NetError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.match import MatchState
from sheshbesh.players import gnubg, heuristic_bot
from sheshbesh.rules import GameResult, Play, Position, Roll, Side, Variant
from sheshbesh.session import (
    AcceptAction,
    Action,
    BeaverAction,
    ChooseAction,
    ConfirmAction,
    DoubleAction,
    DropAction,
    Phase,
    PlayAction,
    RefuseAction,
    RollAction,
    Session,
    TakeAction,
)

if TYPE_CHECKING:
    from sheshbesh.engines.rollout.rollout import Rollout, RolloutOptions
    from sheshbesh.engines.rollout.subjects import Way
    from sheshbesh.engines.strength.levels import Level


class AnalysisEngine(Searching, Protocol):
    """An engine for one rule set: it evaluates positions, ranks plays and decides about the cube."""

    def cube(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> CubeDecision:
        """The decision about the cube; CubeError where there is none."""


class PlayingEngine(AnalysisEngine, Protocol):
    """An engine for one rule set that also plays at a level and rolls positions out."""

    def choose(
        self, position: Position, dice: Iterable[int] | None = None, match: MatchState | None = None
    ) -> Play:
        """The play it makes at its level."""

    def doubles(self, position: Position, match: MatchState | None = None) -> bool:
        """Return True if it turns the cube at its level."""

    def answer(self, position: Position, match: MatchState | None = None) -> str:
        """Its answer at its level to a double of the side on roll."""

    def cancel(self) -> None:
        """End the running search, and every later one, as soon as possible; from any thread."""

    def resume(self) -> None:
        """Let searches run again."""

    def at_level(self, level: Level, seed: int = 0, *, plies: int | None = None) -> PlayingEngine:
        """The same engine at a level, with the memory of its search."""

    def rollout(
        self,
        position: Position,
        match: MatchState | None = None,
        *,
        options: RolloutOptions | None = None,
        **way: Unpack[Way],
    ) -> Rollout:
        """The position played out many times."""


SIMPLE = "bot"
"""The simple bot's name at the table and in records."""

_ANSWERS = {"take": TakeAction(), "drop": DropAction(), "beaver": BeaverAction()}


class Opponent(Protocol):
    """Decides for one side of a match."""

    @property
    def name(self) -> str:
        """Its name at the table and in records; ends in "bot"."""

    def play(self, position: Position, dice: Roll | None, score: MatchState) -> Play:
        """The play of the dice; of what is owed, a double to be named included, without dice."""

    def doubles(self, state: Session, side: Side) -> bool:
        """Decide whether to turn the cube, if that is allowed."""

    def answers(self, state: Session, side: Side) -> str:
        """Decide what to say to an open double or beaver: "take", "drop" or "beaver"."""

    def accepts_resignation(self, state: Session) -> bool:
        """Decide whether to take the points offered."""

    def accepts_proposal(self, state: Session, side: Side) -> bool:
        """Decide whether to agree to a pause, a draw or a settlement."""


class HeuristicOpponent:
    """The simple bot: no net, no search; the same seed makes the same choices."""

    name = SIMPLE

    def __init__(self, seed: int | None = None) -> None:
        self._chance = random.Random(f"bot {secrets.randbits(32) if seed is None else seed}")

    def play(self, position: Position, dice: Roll | None, score: MatchState) -> Play:  # noqa: ARG002 -- it plays without the score
        """The best play of a one-ply heuristic."""
        return heuristic_bot.choose(position, dice, self._chance)

    def doubles(self, state: Session, side: Side) -> bool:
        """By the race."""
        return heuristic_bot.doubles(state, side)

    def answers(self, state: Session, side: Side) -> str:
        """By the race."""
        return heuristic_bot.answers(state, side)

    def accepts_resignation(self, state: Session) -> bool:
        """Unless more points are nearly certain."""
        return heuristic_bot.accepts_resignation(state)

    def accepts_proposal(self, state: Session, side: Side) -> bool:
        """By the race."""
        return heuristic_bot.accepts_proposal(state, side)


class EngineOpponent:
    """The engine at a level."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def engine(self) -> Engine:
        """The player that stands behind it."""
        return self._engine

    @property
    def level(self) -> str:
        """The name of its level."""
        assert self._engine.level is not None
        return self._engine.level.name

    @property
    def name(self) -> str:
        """The level's name with "bot" behind it."""
        return f"{self.level} {SIMPLE}"

    def play(self, position: Position, dice: Roll | None, score: MatchState) -> Play:
        """The play of its level, chosen for the score."""
        return self._engine.choose(position, dice, score)

    def doubles(self, state: Session, side: Side) -> bool:
        """By the equities before and after, at the score."""
        assert state.position is not None and state.position.turn is side
        if state.card.settles_by_checker:
            return heuristic_bot.doubles(state, side)
        return self._engine.doubles(state.position, state.judged_at)

    def answers(self, state: Session, side: Side) -> str:
        """By the equities of the doubler, whose position it is."""
        position = state.position
        assert position is not None
        if state.phase is not Phase.DOUBLED:
            return "take"  # a side that has doubled or beavered stands by it
        if state.card.settles_by_checker:
            outcome = self._engine.evaluate(position, state.judged_at)
            mine = outcome if position.turn is side else outcome.flipped()
            return heuristic_bot.answer_by_checker(ahead=mine.win > 0.5)
        answer = self._engine.answer(position, state.judged_at)
        if answer == "beaver" and "beaver" not in state.allowed(side):
            return "take"
        return answer

    def accepts_resignation(self, state: Session) -> bool:
        """If playing on would not bring more on average: at the score, with the cube where it lies."""
        offer, position = state.resignation, state.position
        assert offer is not None and position is not None
        if heuristic_bot.pays_the_most(state):
            return True
        result = GameResult(offer.by.other, offer.points, offer.kind)
        return self._engine.accepts(result, position, state.judged_at)

    def accepts_proposal(self, state: Session, side: Side) -> bool:
        """Decide whether to agree: to every pause, to an end between games, and to a fair settlement.

        A match is not drawn by a side that is ahead in it.
        """
        proposal, position = state.proposal, state.position
        assert proposal is not None
        if heuristic_bot.gives_up_lead(state, side):
            return False
        if proposal.what == "pause" or state.phase is Phase.READY:
            return True
        assert position is not None
        equity = self._engine.evaluate(position, state.judged_at).equity
        value = (equity if position.turn is side else -equity) * state.score.cube
        offered = -proposal.points if proposal.what == "settle" else 0
        return offered >= value - NEARLY * state.score.cube


def decide(opponent: Opponent, state: Session, side: Side) -> Action:
    """Return what `side`, which the match waits for, does; shares of the dice are for its keeper to add.

    ValueError where nothing is to be decided. It never resigns and proposes nothing.
    """
    position = state.position
    assert position is not None
    match state.phase:
        case Phase.ROLL:
            turns = state.may(side, "double") and opponent.doubles(state, side)
            if turns:
                return DoubleAction()
            return ConfirmAction() if state.passes_unthrown else RollAction()
        case Phase.CHOOSE:
            return ChooseAction(opponent.play(position, None, state.judged_at).dice.first)
        case Phase.MOVE:
            return PlayAction(opponent.play(position, state.dice, state.judged_at).notation)
        case Phase.RESIGNED:
            return AcceptAction() if opponent.accepts_resignation(state) else RefuseAction()
        case Phase.DOUBLED | Phase.BEAVERED | Phase.RACCOONED:
            return _ANSWERS[opponent.answers(state, side)]
    raise ValueError(f"nothing is to be decided in the phase {state.phase}")


def answer_proposal(opponent: Opponent, state: Session, side: Side) -> Action:
    """Return what `side` says to the open proposal of the other side."""
    return AcceptAction() if opponent.accepts_proposal(state, side) else RefuseAction()


def find_opponent(
    game: Variant,
    level: str | None = None,
    seed: int | None = None,
    *,
    progress: Callable[[str, float], None] | None = None,
) -> Opponent:
    """The engine at a level; without a level and without a net that fits, the simple bot.

    `progress` is called for the bear-off databases that are made on the first use.
    """
    # Without a seed a weak level makes different mistakes in every match.
    chance = secrets.randbits(32) if seed is None else seed
    try:
        engine = make_engine(game, level=level or levels.DEFAULT, seed=chance, progress=progress)
        return EngineOpponent(engine)
    except NetError:
        if level is not None:
            raise
        return HeuristicOpponent(seed)


def opponent_named(
    game: Variant,
    name: str,
    seed: int | None = None,
    *,
    jacoby: bool = True,
    progress: Callable[[str, float], None] | None = None,
) -> Opponent:
    """The opponent with this name in a record; `jacoby`: by which rule money games are played."""
    if name == SIMPLE:
        return HeuristicOpponent(seed)
    if name == gnubg.NAME:
        return gnubg.Gnubg(game, jacoby=jacoby)
    return find_opponent(game, name.removesuffix(f" {SIMPLE}"), seed, progress=progress)


def is_opponent(name: str) -> bool:
    """Return True if a name at the table or in a record is one of these, and not a person's."""
    level, _, last = name.rpartition(" ")
    return name in (SIMPLE, gnubg.NAME) or (last == SIMPLE and levels.is_level(level))


def introduce(opponent: Opponent, game: Variant) -> Text:
    """One sentence about the opponent and how well it plays this game."""
    if isinstance(opponent, gnubg.Gnubg):
        return Text("Your opponent is GNU Backgammon at {n} plies.", n=opponent.plies)
    if not isinstance(opponent, EngineOpponent):
        return Text("No net plays these rules: your opponent is a simple bot, which plays by heuristics.")
    engine = opponent.engine
    assert engine.level is not None
    measured = engine.level.error_rate(game, engine.net)
    level = {"name": Text(engine.level.name), "description": Text(engine.level.description)}
    text = (
        Text("The {name} bot {description}.", **level)
        if measured is None
        else Text(
            "The {name} bot {description}; it gives up about {loss} per decision.",
            loss=str(measured),
            **level,
        )
    )
    if not engine.approximate:
        return text
    nearest = Text(
        "No net was trained for these rules, so that of {game} stands in.", game=Text(engine.net.title)
    )
    return JoinedText(text, nearest)
