"""What the engine at the table says to a resignation: by the score, the cube and Jacoby's rule."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.engines import Classes, Outcome
from sheshbesh.match import MatchState
from sheshbesh.match.card import Card
from sheshbesh.players.opponent import EngineOpponent, HeuristicOpponent
from sheshbesh.rules import GameResult, Side
from sheshbesh.session import DoubleAction, ResignAction, Session, apply
from tests.engine.nets import write_net

WHITE, BLACK = Side.WHITE, Side.BLACK

CLOSED_OUT = (0.0, 0.9, 0.1, 0.0, 0.0, 0.0)
"""Plain wins, gammons and backgammons of the side on roll, and its losses: two points at least."""


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the nets of these tests; what they say is replaced."""
    folder = tmp_path_factory.mktemp("nets")
    for name in ("backgammon", "tapa"):
        write_net(folder, sb.variant(name))
    return folder


def trained(nets: Path, name: str, probabilities: tuple[float, ...]) -> EngineOpponent:
    """An engine to which every game ends so for the side on roll."""
    engine = sb.engine(name, level="expert", folders=[nets], bearoff=False)

    def evaluate(*_: object, **__: object) -> Outcome:
        return Outcome.weigh(Classes.of(engine.variant), probabilities)

    engine.evaluate = evaluate  # type: ignore[method-assign]
    return EngineOpponent(engine)


def resigned(code: str, kind: str, score: MatchState | None = None, *, by: Side = BLACK) -> Session:
    """A game that `by` gives up at the start, with White on roll."""
    card = Card.from_code(f"{code}.dice-seeded")
    state = start_at(Session.new(card, match_id="test", seed="1"), card.rules.start(WHITE), None)
    state = state if score is None else state.but(score=score)
    return apply(state, by, ResignAction(kind), 0).state


@pytest.mark.parametrize(
    ("code", "score", "accepts"),
    [
        # A player who wins the match with it wants no more.
        ("backgammon.p1", MatchState(length=1), True),
        ("backgammon.p5", MatchState(length=5, white=4, crawford=True), True),
        ("backgammon.p5", MatchState(length=5, white=3, cube=2, owner=BLACK), True),
        ("backgammon.p5", MatchState(length=5, white=3), False),
        ("backgammon.p5", MatchState(length=5), False),
        # A match of games counts no gammons.
        ("backgammon.g5", None, True),
        # Jacoby's rule: none, until the cube was turned.
        ("backgammon.m", MatchState(), True),
        ("backgammon.m", MatchState(jacoby=False), False),
        ("backgammon.m", MatchState(cube=2, owner=WHITE), False),
        ("backgammon.m", MatchState(cube=2, owner=BLACK), False),
        ("backgammon.m", MatchState(cube=2, automatic_doubles=1), True),
    ],
)
def test_a_plain_game_is_enough_where_a_gammon_wins_no_more(
    code: str, score: MatchState | None, nets: Path, *, accepts: bool
) -> None:
    opponent = trained(nets, "backgammon", CLOSED_OUT)
    assert opponent.accepts_resignation(resigned(code, "single", score)) is accepts
    assert opponent.accepts_resignation(resigned(code, "backgammon", score))


def test_the_match_says_what_a_gammon_is_worth(nets: Path) -> None:
    """The game is won, one time in three as a gammon: worth playing on where two points help."""
    opponent = trained(nets, "backgammon", (2 / 3, 1 / 3, 0.0, 0.0, 0.0, 0.0))
    money = resigned("backgammon.m", "single", MatchState(jacoby=False))
    assert not opponent.accepts_resignation(money)
    for won, accepts in ((3, False), (2, True)):
        # After the Crawford game: with three points to go one is as good as two, the next cube brings them.
        score = MatchState(length=5, white=won, black=4)
        assert opponent.accepts_resignation(resigned("backgammon.p5", "single", score)) is accepts


def test_the_side_that_is_not_on_roll_counts_the_same(nets: Path) -> None:
    lost = (*CLOSED_OUT[3:], *CLOSED_OUT[:3])
    opponent = trained(nets, "backgammon", lost)
    for score, accepts in ((MatchState(), True), (MatchState(jacoby=False), False)):
        state = resigned("backgammon.m", "single", score, by=WHITE)
        assert opponent.accepts_resignation(state) is accepts


def test_where_there_is_no_cube_a_gammon_counts_at_every_score(nets: Path) -> None:
    opponent = trained(nets, "tapa", (0.2, 0.8, 0.0, 0.0))
    behind = MatchState(length=5, white=3, black=4)
    assert not opponent.accepts_resignation(resigned("tapa.p5", "single", behind))
    assert opponent.accepts_resignation(resigned("tapa.p5", "gammon", behind))
    assert opponent.accepts_resignation(resigned("tapa.p5", "single", MatchState(length=5, white=4)))


def test_the_simple_bot_takes_all_there_is_too() -> None:
    board = {"white": {"13": 15}, "black": {"23": 2}, "black_off": 13}
    for code, accepts in (("backgammon.p1", True), ("backgammon.p5", False), ("backgammon.g5", True)):
        card = Card.from_code(f"{code}.dice-seeded")
        state = start_at(
            Session.new(card, match_id="test", seed="1"), card.rules.position(board, WHITE), None
        )
        applied = apply(state, WHITE, ResignAction("single"), 0)
        assert HeuristicOpponent(1).accepts_resignation(applied.state) is accepts


@pytest.mark.parametrize(("wins", "answer"), [(0.6, "drop"), (0.45, "take")])
def test_where_each_checker_is_paid_a_double_is_taken_by_the_favourite_alone(
    wins: float, answer: str, nets: Path
) -> None:
    """The table pays a loser some seven units; by the cube of plain games 40 % would be a take."""
    card = Card.from_code("backgammon.settle=per_checker.m.dice-seeded")
    state = start_at(Session.new(card, match_id="test", seed="1"), card.rules.start(WHITE), None)
    bot = trained(nets, "backgammon", (wins, 0.0, 0.0, 1 - wins, 0.0, 0.0))
    assert not bot.doubles(state, WHITE)
    applied = apply(state, WHITE, DoubleAction(), 0)
    assert bot.answers(applied.state, BLACK) == answer


def test_a_result_without_a_winner_is_no_resignation(nets: Path) -> None:
    engine = sb.engine("backgammon", folders=[nets], bearoff=False)
    with pytest.raises(ValueError, match="to a winner"):
        engine.accepts(GameResult(None, 0, "tie"), engine.variant.start())


def test_a_winner_may_be_given_as_text(nets: Path) -> None:
    engine = sb.engine("backgammon", folders=[nets], bearoff=False)

    def evaluate(*_: object, **__: object) -> Outcome:
        return Outcome.weigh(Classes.of(engine.variant), CLOSED_OUT)

    engine.evaluate = evaluate  # type: ignore[method-assign]
    money = MatchState(jacoby=False)
    for side, accepts in ((WHITE, False), (BLACK, True)):
        for winner in (side, side.value):
            result = GameResult(winner, 1, "single")  # type: ignore[arg-type]
            assert engine.accepts(result, engine.variant.start(WHITE), money) is accepts
