"""`sheshbesh.Game`: a face of the session, with nothing of its own but undo and random dice."""

from __future__ import annotations

import itertools
import random
from operator import methodcaller
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec import structs

import sheshbesh as sb
from sheshbesh.fairdice.verify import verify_transcript
from sheshbesh.match import Card
from sheshbesh.session import (
    Action,
    CreditAction,
    Event,
    Header,
    Phase,
    PlayAction,
    ReadyAction,
    Record,
    RollAction,
)
from tests.session_help import Table
from tests.sizes import sampled_games

svg, html = methodcaller("_repr_svg_"), methodcaller("_repr_html_")
"""What IPython asks values for."""


def played_at_random(name: str, seed: int, turns: int = 400) -> sb.Game:
    chance, game = random.Random(seed), sb.Game(name, seed=seed)
    for _ in range(turns):
        if game.result is not None:
            break
        game.roll()
        game.play(chance.choice(game.legal))
    return game


def undo_all(game: sb.Game) -> None:
    for _ in range(10_000):
        game.undo()


@pytest.mark.parametrize("name", sampled_games(4))
def test_a_random_game_replays_from_its_record_and_is_undone_to_its_start(name: str) -> None:
    game = played_at_random(name, 3)
    again = sb.Game.from_record(Record.from_text(game.to_record().to_text()))
    assert (again.position, again.result, again.match) == (game.position, game.result, game.match)
    assert [turn.play for turn in again] == [turn.play for turn in game]
    plays = len(list(game))
    for _ in range(plays):
        again.undo()
    assert len(list(again)) < plays
    with pytest.raises(sb.Refused, match="there is no step to take back"):
        undo_all(again)
    assert again.position == sb.Game(name).position
    assert again.turn is None and again.result is None and again.legal == ()


def test_the_same_seed_throws_the_same_dice() -> None:
    assert played_at_random("tavla", 5).position == played_at_random("tavla", 5).position
    assert played_at_random("tavla", 5).position != played_at_random("tavla", 6).position


def test_dice_that_follow_from_a_seed_are_proved_and_thrown_again_after_undo() -> None:
    game = sb.Game("tavla", seed=7)
    first = game.roll()
    game.play(game.legal[0])
    second = game.roll()
    record = game.to_record()
    assert (record.header.card.dice, record.header.seed) == ("seeded", "7")
    verdict = verify_transcript(record.to_text())
    assert verdict.ok and verdict.proved and second in [throw.dice for throw in verdict.throws]
    game.undo()
    assert game.dice is None and game.roll() == second
    game.undo()
    game.undo()
    assert game.dice == first
    unseeded = sb.Game("tavla").to_record().header
    assert unseeded.card.dice == "seeded" and unseeded.seed != sb.Game("tavla").to_record().header.seed


def test_dice_laid_down_in_a_seeded_game_are_recorded_as_typed() -> None:
    game = sb.Game("tavla", seed=7)
    game.roll()
    game.play(game.legal[0])
    other, before = game.copy(), game.to_record()
    game.roll()
    with pytest.raises(sb.Refused, match="the dice are to be played"):
        game.roll(3, 3)
    assert game.to_record().header == before.header
    assert other.roll(3, 3) == (3, 3)
    record = other.to_record()
    assert (record.header.card.dice, record.header.seed) == ("typed", None)
    assert not verify_transcript(record.to_text()).proved
    assert [turn.dice for turn in other] == [turn.dice for turn in game]
    assert Record.from_text(record.to_text()).replay() == record.replay()
    other.play(other.legal[0])
    twin = sb.Game.from_record(other.to_record(), seed=7)
    assert twin.roll() == sb.Game.from_record(other.to_record(), seed=7).roll()


def test_a_game_goes_on_from_a_record_by_its_own_dice() -> None:
    game = played_at_random("tavla", 5, turns=3)
    again = sb.Game.from_record(game.to_record())
    assert again.roll() == game.roll()
    other = sb.Game.from_record(game.to_record(), seed=1)
    assert other.to_record().header.card.dice == "typed" and other.position == game.position
    chained = Table("backgammon.p5.dice-chains").ready().draw()
    match = sb.Game.from_record(chained.record(), seed=1)
    assert match.position == chained.state.position and match.card.length == 5
    assert match.roll() is not None


def test_dice_are_laid_down_in_a_seeded_match_with_a_clock() -> None:
    header = Header(Card.from_code("backgammon.p3.clock-d12-60.dice-seeded"), "m", seed="7")
    events: list[Event] = []
    state, now = header.session(), 0

    def do(actor: str, action: Action, lag: int = 0) -> None:
        nonlocal state, now
        now += 5_000
        state, _, event = header.apply(state, actor, action, now, lag=lag)
        events.append(event)

    for side in ("white", "black"):
        do(side, ReadyAction())
    while state.phase is Phase.OPENING:
        do("white", RollAction())
    for _ in range(3):
        side = str(state.to_act[0].value)
        if state.turn is None:
            do(side, RollAction(), lag=300)
        assert state.turn is not None
        do("server", CreditAction(2_000))
        do(side, PlayAction(state.turn.plays()[0].notation), lag=300)
    game = sb.Game.from_record(Record(header, tuple(events)))
    before = game.to_record()
    assert game.roll(3, 1) == (3, 1)
    record = game.to_record()
    assert (record.header.card.dice, record.header.seed) == ("typed", None)
    assert Record.from_text(record.to_text()).replay().clock == record.replay().clock
    plays = [
        [(each.at, each.lag, each.action) for each in told.events if isinstance(each.action, PlayAction)]
        for told in (before, record)
    ]
    assert plays[0] == plays[1] and game.position == sb.Game.from_record(before).position


def test_a_record_that_does_not_hold_is_refused_with_the_event() -> None:
    typed = sb.Game("backgammon", dice=[(6, 5)])
    typed.roll()
    typed.play(typed.legal[0])
    for game in (played_at_random("tavla", 5, turns=2), typed):
        record = game.to_record()
        last = structs.replace(record.events[-1], n=3)
        with pytest.raises(sb.RecordError, match=r"event 3 \(play\) is against the rules"):
            sb.Game.from_record(Record(record.header, (*record.events[:2], last)))


def test_dice_of_ones_own_are_laid_down() -> None:
    game = sb.Game("backgammon", dice=[(3, 3), (3, 1), (6, 4)])
    assert game.roll() == (3, 1)  # a tie is drawn again
    assert game.turn is sb.Side.WHITE
    game.play("8/5 6/5")
    assert game.roll() == (6, 4)
    game.play("24/14")
    with pytest.raises(sb.DiceError, match="used up"):
        game.roll()
    assert game.turn is sb.Side.WHITE and game.dice is None  # nothing has happened
    assert game.roll(5, 2) == (5, 2)
    with pytest.raises(sb.Refused, match="cannot be done now: the dice are to be played"):
        game.roll(1, 1)
    assert game.roll() == (5, 2)
    for wrong in ((7, 1), (0, 3)):
        game.undo()
        with pytest.raises(sb.DiceError, match="1 to 6"):
            game.roll(*wrong)
        game.roll(5, 2)
    with pytest.raises(sb.DiceError, match="two dice"):
        game.roll(4)


def test_a_draw_that_leaves_the_dice_to_the_starter() -> None:
    game = sb.Game("tavla")
    assert game.roll(2, 6) is None
    assert game.turn is sb.Side.BLACK
    assert game.roll(6, 5) == (6, 5)
    game.play(game.legal[0])
    assert [(turn.side, turn.dice) for turn in game] == [(sb.Side.BLACK, (6, 5))]


def test_an_illegal_play_changes_nothing_and_names_its_rule() -> None:
    game = sb.Game("backgammon", dice=[(6, 1)])
    game.roll()
    before = game.to_record().to_text()
    with pytest.raises(sb.Refused) as refused:
        game.play("13/5")
    assert refused.value.refusal.rule == game.position.refusal("13/5", (6, 1)).rule  # type: ignore[union-attr]
    with pytest.raises(sb.NotationError):
        game.play("Ruy Lopez")
    assert game.to_record().to_text() == before


def test_the_cube_and_the_score() -> None:
    game = sb.Game(sb.Card(game="backgammon", length=5), seed=1, white="Ana", black="Bo")
    game.roll()
    with pytest.raises(sb.Refused, match="before the dice are thrown"):
        game.double()
    game.play(game.legal[0])
    doubler = game.position.turn
    game.double()
    assert game.turn is doubler.other
    with pytest.raises(sb.Refused):
        game.roll()
    game.take()
    assert (game.match.cube, game.match.owner, game.turn) == (2, doubler.other.value, doubler)
    game.undo()
    game.drop()
    assert game.result is not None and game.result.winner is doubler
    assert game.match.score(doubler) == 1 and game.turn is None
    with pytest.raises(sb.Refused):
        game.roll()
    game.next_game()
    game.roll()
    loser = game.turn
    assert loser is not None
    game.resign("backgammon", side=loser.other)
    assert game.result == sb.GameResult(loser, 3, "backgammon")
    assert game.to_match().players == {"white": "Ana", "black": "Bo"}
    assert len(game.to_match().games) == 2


def test_a_match_is_begun_by_its_length() -> None:
    by_card = sb.Game(sb.Card(game="backgammon", length=5), seed=3)
    assert sb.Game("backgammon", length=5, seed=3) == by_card
    assert sb.Game(sb.variant("tapa").start(), length=3).match == sb.MatchState(length=3)


def test_no_game_follows_the_last() -> None:
    game = sb.Game(sb.Card(game="tavla", length=1), seed=2)
    game.roll()
    with pytest.raises(sb.Refused, match="cannot be done now: the dice are to be played"):
        game.next_game()
    game.resign("gammon")
    assert game.is_over
    with pytest.raises(sb.Refused, match="the match is over"):
        game.next_game()


def test_a_double_of_ones_choice_is_named_by_the_play() -> None:
    game = sb.Game("acey_deucey", dice=[(6, 1), (2, 1)])
    game.roll()
    if game.dice == (6, 1):
        game.play(game.legal[0])
        game.roll()
    game.play(game.legal[0])
    assert game.roll() is None and game.dice is None
    mover, chosen = game.turn, next(play for play in game.legal if play.dice == (4, 4))
    game.play(chosen)
    assert list(game)[-1].dice == (4, 4) and list(game)[-1].side is mover
    game.undo()
    assert game.dice is None and chosen in game.legal


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".sgf", ".mat"])
def test_a_written_game_is_read_again(suffix: str, tmp_path: Path) -> None:
    game = sb.Game("backgammon", seed=9)
    for _ in range(12):
        game.roll()
        game.play(game.legal[-1])
    path = tmp_path / f"game{suffix}"
    sb.write_match(game, path)
    again = sb.Game.from_record(path, seed=1)
    assert again.position == game.position
    if suffix == ".jsonl":
        assert sb.Game.from_record(path) == game, "with the draw as it was"
    assert [(turn.dice, turn.play) for turn in again] == [(turn.dice, turn.play) for turn in game]
    again.roll()
    again.play(again.legal[0])


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".sgf"])
def test_a_game_goes_on_from_a_position(suffix: str, tmp_path: Path) -> None:
    rules = sb.variant("backgammon")
    board = {"white": {"6": 2, "5": 1}, "white_off": 12, "black": {"19": 3, "24": 2}, "black_off": 10}
    start = rules.position(board, turn="black")
    game = sb.Game(start, dice=[(6, 5), (2, 1)])
    assert game.position == start and game.turn is sb.Side.BLACK
    game.roll()
    game.play(game.legal[0])
    path = tmp_path / f"game{suffix}"
    sb.write_match(game, path)
    again = sb.Game.from_record(path)
    assert again.position == game.position
    again.undo()
    again.undo()
    assert again.position == start


def test_a_game_is_reviewed_as_it_stands() -> None:
    game = sb.Game("hypergammon", seed=2)
    game.roll()
    game.play(game.legal[-1])
    assert sb.review(game, plies=0, workers=1) == sb.review(game.to_match(), plies=0, workers=1)


def test_what_cannot_be_a_game_is_refused(tmp_path: Path) -> None:
    rules = sb.variant("tavla")
    with pytest.raises(sb.MatchError, match="the game is over in this position"):
        sb.Game(rules.position({"white_off": 15, "black": {"24": 15}}, turn="black"))
    with pytest.raises(sb.VariantError, match="ludo"):
        sb.Game("ludo")
    with pytest.raises(sb.MatchError, match="not both"):
        sb.Game("tavla", seed=1, dice=[(6, 5)])
    with pytest.raises(sb.MatchError, match="64 bytes"):
        sb.Game("tavla", seed="x" * 65)
    with pytest.raises(sb.MatchError, match="a match is to 1 to 99 points"):
        sb.Game("tavla", length=0)
    with pytest.raises(TypeError, match="a card says how long"):
        sb.Game(sb.Card(game="tavla"), length=3)
    for given in (rules, rules.start(), sb.Card(game="tavla")):
        with pytest.raises(TypeError, match="options go with the name of a game"):
            sb.Game(given, hit_run_priority="off")
    endless = sb.Game("tavla", dice=itertools.cycle([(6, 5), (3, 1)]))
    assert endless.roll() == sb.Roll(3, 1), "after a draw that White wins"
    path = tmp_path / "gap.mat"
    path.write_text(" 3 point match\n\n Game 1\n Ana : 0              Bo : 0\n  1) 61: 8/2 6/5 31: ????\n")
    with pytest.raises(sb.RecordError, match="cannot be played again"):
        sb.Game.from_record(path)


def test_a_record_says_where_it_began() -> None:
    text = sb.Game(sb.variant("tapa").start("black")).to_record().to_text()
    assert '"start":"O22o:b"' in text.splitlines()[0]
    for wrong in ('"start":7', '"start":"nowhere"'):
        with pytest.raises(sb.RecordError):
            Record.from_text(text.replace('"start":"O22o:b"', wrong))


def test_a_copy_goes_on_by_itself() -> None:
    game = sb.Game("gioul", seed=8)
    game.roll()
    other = game.copy()
    assert other == game
    game.play(game.legal[0])
    assert other != game and other.dice is not None
    other.play(other.legal[0])
    assert other.roll() == game.roll()
    assert other == game


def test_a_notebook_shows_boards_arrows_and_tables() -> None:
    """IPython asks values for `_repr_svg_` and `_repr_html_`."""
    engine = sb.engine("backgammon")
    start = engine.variant.start()
    ranked = engine.rank(start, (3, 1))
    assert svg(ranked[0]).count('class="arrow"') == 2  # 8/5 6/5
    assert 'class="arrow"' not in svg(start)
    double = next(play for play in start.legal_plays((6, 6)) if play.notation == "24/18(2) 13/7(2)")
    assert svg(double).count('class="arrow"') == 2
    assert svg(double).count('data-text="2"') == svg(double.position).count('data-text="2"') + 2
    table = ElementTree.fromstring(html(ranked))
    assert [cell.text for cell in table[2]][:3] == ["8/5 6/5", f"{ranked[0].equity:+.3f}", "0.000"]
    assert len(table) == 2 + len(ranked)
    game = sb.Game("backgammon", dice=[(3, 1)], white="<Ana>")
    game.roll()
    picture = ElementTree.fromstring(svg(game))
    assert len(picture.findall(".//*[@class='die']")) == 2
    assert {ElementTree.fromstring(svg(each)).get("width") for each in (game, start, ranked[0])} == {"480"}
    game.resign()
    match = ElementTree.fromstring(html(game.to_match()))
    assert [cell.text for cell in match[1]] == ["game", "<Ana>", "black", "won by", "points"]
    assert [cell.text for cell in match[2]] == ["1", "0", "0", "black", "1"]


def test_notebooks_show_numbers_as_tables() -> None:
    engine = sb.engine("backgammon")
    start = engine.variant.start()
    plays = engine.rank(start, (3, 1))
    options = sb.RolloutOptions(trials=36, truncate=2)
    shown: dict[str, tuple[object, int]] = {
        "Outcome": (engine.evaluate(start), 6),
        "Candidates": (plays, 16),
        "CubeDecision": (engine.cube(start), 3),
        "Rollout": (engine.rollout(start, options=options), 7),
        "RolledOutPlays": (engine.rollout_plays(plays[:2], options=options), 2),
        "Match": (sb.Game("tavla", dice=[(6, 5)]).to_match(), 1),
    }
    for name, (thing, rows) in shown.items():
        table = ElementTree.fromstring(html(thing))
        assert type(thing).__name__ == name and table.tag == "table"
        assert len(table.findall("tr")) == rows + 1, name
        assert len({len(row) for row in table.findall("tr")}) == 1, name
    assert "8/5 6/5" in html(plays) and svg(plays[0]).startswith("<svg")


def test_a_shell_shows_each_value_in_one_short_line() -> None:
    engine = sb.engine("backgammon")
    start = engine.variant.start()
    ranked = engine.rank(start, (3, 1))
    options = sb.RolloutOptions(trials=36, truncate=2)
    rolled = engine.rollout_plays(ranked[:2], options=options)
    rollout, cube = engine.rollout(start, options=options), engine.rollout_cube(start, options=options)
    game = sb.Game("backgammon", seed=3, white="Ana", black="B" * 300)
    game.roll()
    game.play(game.legal[-1])
    report = sb.review(game, plies=0, workers=1)
    (judged,) = (each for each in report.decisions if each.decision.kind == "play")
    card = sb.Card(game="backgammon", length=5, clock=sb.Card(game="tavla").clock)
    state = sb.MatchState(length=7, white=3, owner="black", cube=2)
    shown_dice = "{}-{} ".format(*judged.dice or ())
    shown: list[tuple[object, str]] = [
        (ranked, "<Candidates 16: 8/5 6/5 "),
        (ranked[0], "<Candidate 8/5 6/5 "),
        (ranked[0].outcome, "<Outcome 0."),
        (rolled, "<RolledOutPlays 2: 8/5 6/5 "),
        (rolled[0], "<RolledOutPlay 8/5 6/5 "),
        (rollout, "<Rollout 0."),
        (cube, "<RolledOutCube no double, take ("),
        (report, "<Report backgammon 'Ana' - 'BBB"),
        (report.statistics(), "<Statistics gnubg of 'Ana' and 'BBB"),
        (judged, f"<Judged game 1 no. {judged.number}, {judged.side.value} {shown_dice}"),
        (game.to_record(), "<Record backgammon.m.nojacoby.dice-seeded, "),
        (game.to_match().games[0], "<RecordedGame 1 at 0-0, "),
        (card, "Card(game='backgammon', length=5)"),
        (state, "MatchState(length=7, white=3, cube=2, owner='black', jacoby=False)"),
        (sb.LEVELS[0], "<Level beginner>"),
        (
            sb.parse_xgid("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "backgammon"),
            "XgPosition(position=<",
        ),
    ]
    for value, beginning in shown:
        assert repr(value).startswith(beginning)
        assert len(repr(value)) <= 200 and "\n" not in repr(value)
    assert repr(game.to_match()).startswith("<Match backgammon 'Ana' - 'BBB")
    assert len(repr(ranked[0].outcome.classes)) <= 200


def test_bars_appear_in_a_terminal_alone(capfd: pytest.CaptureFixture[str]) -> None:
    engine = sb.engine("hypergammon", progress=True)
    engine.rollout(engine.variant.start(), trials=36, progress=True)
    sb.review(sb.Game("tavla", dice=[(6, 5)]).to_match(), plies=0, workers=1, progress=True)
    assert capfd.readouterr() == ("", "")


def test_bars_are_drawn_where_they_can_be_seen(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, for rich
    engine = sb.engine("hypergammon")
    engine.rollout(engine.variant.start(), trials=72, progress=True)
    assert "rollout" in capfd.readouterr().err
    sb.review(played_at_random("hypergammon", 2).to_match(), plies=0, workers=1, progress=True)
    assert "0 plies" in capfd.readouterr().err


def test_candidates_are_a_frame_of_pandas() -> None:
    plays = sb.engine("tavla").rank(sb.variant("tavla").start(), (6, 5))
    frame = plays.to_frame()
    assert list(frame["play"]) == [each.play.notation for each in plays]
    assert frame["loss"].iloc[0] == 0 and frame["equity"].is_monotonic_decreasing
    ends = frame[["win single", "win gammon", "lose single", "lose gammon"]].sum(axis=1)
    assert ends.tolist() == pytest.approx([1.0] * len(plays), abs=1e-6)


def test_a_shell_lists_every_name() -> None:
    assert set(sb.__all__) <= set(dir(sb))
    assert all(getattr(sb, name) is not None for name in sb.__all__)
