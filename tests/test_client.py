"""A program as somebody writes it who has installed the package: its types hold without a cast.

`make check` reads it with mypy and, by the strictest rules, with Pyright.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

import sheshbesh as sb
from sheshbesh import envs, formats
from sheshbesh.testing import check_variant


def random_game(name: str, seed: int) -> sb.Game:
    """Play one game with random legal plays."""
    chance = random.Random(seed)
    game = sb.Game(name, seed=seed, white="Ana", black="Bo")
    while game.result is None:
        dice: sb.Roll | None = game.roll()
        assert dice is None or 1 <= dice.second <= dice.first <= 6
        play: sb.Play = chance.choice(game.legal)
        game.play(play)
    return game


def kind_of_win(result: sb.GameResult) -> str:
    """Say how a game ended."""
    winner: sb.Side | None = result.winner
    return "nobody wins" if winner is None else f"{winner.value} wins {result.points} ({result.kind})"


def gammon_rate(outcome: sb.Outcome) -> float:
    """Return the share of games that end in a gammon, for either side."""
    return outcome.classes["win", "gammon", 2] + outcome.classes["lose", "gammon", 2]


def strongest(plays: sb.Candidates, within: float) -> list[str]:
    """List the plays that lose no more than `within`."""
    return [each.play.notation for each in plays if plays[0].equity - each.equity <= within]


def error_rate(report: sb.Report, player: int) -> float:
    """Return what a player lost in a match, in equity, over all their decisions."""
    side = (sb.Side.WHITE, sb.Side.BLACK)[player]
    return sum(each.loss for each in report.errors() if each.decision.side is side)


def why_not(position: sb.Position, play: str, dice: tuple[int, int]) -> tuple[str, str | None]:
    """Return the rule that forbids a play, and where it is written."""
    refusal = position.refusal(play, dice)
    return ("", None) if refusal is None else (refusal.rule, refusal.source)


def turns_of(match: sb.Match) -> int:
    """Count the throws that were played in a match."""
    return sum(event["type"] == "play" for game in match.to_data()["games"] for event in game["events"])


def test_a_game_is_played_written_and_read(tmp_path: Path) -> None:
    game = random_game("backgammon", 7)
    assert game.result is not None
    assert kind_of_win(game.result).startswith(("white wins", "black wins"))
    path = tmp_path / "game.mat"
    sb.write_match(game, path)
    match = sb.read_match(path)
    names: list[str] = [match.players["white"], match.players["black"]]
    assert names == ["Ana", "Bo"] and match.length is None
    (played,) = match.games
    winner = played.result.winner if played.result is not None else None
    assert winner is game.result.winner
    assert turns_of(match) == len([turn.play for turn in game]) > 10
    again = sb.Game.from_record(match)
    assert again.position == game.position


def test_the_cube_and_the_score() -> None:
    game = sb.Game(sb.Card(game="backgammon", length=5), dice=[(3, 1)])
    game.roll()
    game.play("8/5 6/5")
    game.double()
    asked: sb.Side | None = game.turn
    game.take()
    state: sb.MatchState = game.match
    away: tuple[int | None, int | None] = (state.away("white"), state.away(sb.Side.BLACK))
    assert (asked, state.cube, state.owner, away) == (sb.Side.WHITE, 2, "white", (5, 5))
    assert sb.MatchState(length=7, white=3, cube=2, owner=sb.Side.BLACK).points("gammon") == 4


def test_refusals_say_what_and_where() -> None:
    rules: sb.Variant = sb.variant("tavla")
    position = rules.position_from_id("5e1c3Ee3C1BBABaa:w")
    rule, source = why_not(position, "6/2*/1*", (4, 1))
    assert rule == "hit_and_run" and source is not None and "Tavla" in source
    assert why_not(position, "13/8", (4, 1)) == ("", None)
    try:
        position.parse_play("6/2*/1*", (4, 1))
    except sb.IllegalPlayError as error:
        where: str | None = error.source
        assert (error.rule, where) == (rule, source)
    steps: tuple[sb.Step, ...] = position.legal_steps((4, 1), done=["6/2*"])
    assert steps[0].notation == "8/7"
    stages: tuple[sb.Stage, ...] = position.stages((4, 1))
    step, following = stages[0].onward[0]
    assert step.die in (1, 4) and not stages[following].is_whole


def test_the_engine_values_and_ranks() -> None:
    engine: sb.Engine = sb.engine(sb.variant("backgammon"))
    start = engine.variant.start()
    outcome = engine.evaluate(start)
    assert 0.2 < gammon_rate(outcome) < 0.35
    assert abs(sum(outcome.classes.values()) - 1) < 1e-6
    for each, chance in outcome.classes.items():
        ending: str = each.ending
        assert 0 <= chance <= 1 and ending in ("win", "lose")
    assert strongest(engine.rank(start, (3, 1)), 0.01) == ["8/5 6/5"]
    decision: sb.CubeDecision = engine.cube(start)
    assert (decision.should_double, decision.should_take) == (False, True)
    found: sb.Rollout = engine.rollout(start, trials=36)
    mean: float = found.win.mean
    assert 0.3 < mean < 0.8
    weak = sb.engine("tapa", level="casual", seed=3)
    assert weak.level is not None and weak.choose(weak.variant.start(), (6, 5)).dice == (6, 5)
    assert "casual" in [level.name for level in sb.LEVELS]


def test_arrays_are_as_good_as_objects() -> None:
    engine = sb.engine("tapa")
    plays = engine.variant.start().legal_plays((6, 5))
    rows = sb.to_rows([play.result for play in plays])
    values = engine.evaluate_many(rows)
    assert rows.shape == (len(plays), 116) and values.equities.shape == (len(plays),)
    assert sb.from_rows(engine.variant, rows)[0] == plays[0].result
    objects = engine.evaluate_many([play.result for play in plays])
    assert np.allclose([each.equity for each in objects], values.equities, atol=1e-6)
    dice = np.full((len(plays), 2), 1, np.uint8)
    best = engine.rank_many(rows, dice).best
    assert best.shape == (len(plays),)


def test_ids_of_other_programs() -> None:
    start = sb.variant("backgammon").start()
    text = sb.format_xgid(start, dice=(3, 1))
    read: sb.XgPosition = sb.parse_xgid(text, start.variant)
    assert (read.position, read.dice, read.match.is_money) == (start, (3, 1), True)
    gnubg: sb.GnubgPosition = sb.parse_gnubg_id(sb.format_gnubg_id(start), "backgammon")
    assert gnubg.position == start
    kind: formats.Kind = formats.parse_any_id(text, "backgammon").kind
    assert kind == "xgid"


def test_a_review_finds_the_errors() -> None:
    match = random_game("hypergammon", 3).to_match()
    report: sb.Report = sb.review(match, plies=0, workers=1)
    assert error_rate(report, 0) > 0
    kept = report.to_data()
    assert kept["engine"]["plies"] == 0 and len(kept["decisions"]) == len(report.decisions)


def test_environments_have_types() -> None:
    env = envs.gym("tavla", opponent="racer")
    seen, info = env.reset(seed=5)
    board = seen["observation"]
    assert board.shape == (125,) and env.action_masks().sum() == info["legal"]
    seen, reward, ended, truncated, _ = env.step(0)
    assert (float(reward), ended, truncated) == (0.0, False, False)
    many = envs.vector("hypergammon", 4)
    many.reset(seed=1)
    offsets, after = many.afterstates()
    assert offsets[-1] == len(after)


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "hyper.toml"
    path.write_text(
        'name = "hyper"\ntitle = "Hyper"\nregion = "our club"\ndescription = "Three checkers a side."\n'
        'base = "tapa"\n[board]\ncheckers = 3\nsetup = { 24 = 1, 23 = 1, 22 = 1 }\nsource = "our club"\n'
    )
    own: sb.Variant = sb.variant_from_file(path)
    proved = check_variant(own, games=2)
    assert proved.ended == 2 and sum(own.start().counts("white")) == 3
