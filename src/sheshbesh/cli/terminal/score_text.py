"""The score of a match as text: the line over the board, the notes beside it, the score sheet."""

from __future__ import annotations

from collections.abc import Iterator

from sheshbesh.cli.terminal.wording import name, points_text
from sheshbesh.i18n import FigureText, JoinedText, Text
from sheshbesh.match.card import Contest
from sheshbesh.match.timing import ClockKind
from sheshbesh.rules import Side
from sheshbesh.session import Session
from sheshbesh.session.state import FinishedGame

_LOCKED = Text("neither side can ever move again")
_REASONS = {"resignation": Text("resigned"), "settlement": Text("settled")}


def contest(state: Session) -> str:
    """Return what is played for: "Match to 7", "Best of 5", or nothing for games counted on and on."""
    length = state.card.length
    if state.card.contest is Contest.POINTS:
        return Text("Match to {n}", n=length)
    return Text("Best of {n}", n=length) if state.card.contest is Contest.GAMES else ""


def score(state: Session) -> Text:
    """Both sides' points, or games won in a match of games."""
    return Text("White {white}, Black {black}", white=state.score.white, black=state.score.black)


def headline(state: Session) -> str:
    """Return what stands over the board: length, score, Crawford and cube; empty if there is none."""
    parts = []
    what = contest(state)
    if what or state.games:
        if what:
            parts.append(Text("{match}, game {n}: {score}.", match=what, n=state.game_no, score=score(state)))
        else:
            parts.append(Text("Score: {score}.", score=score(state)))
    if state.score.crawford:
        parts.append(Text("Crawford game: no cube."))
    elif state.card.has_cube:
        owner, cube = state.score.owner, state.score.cube
        parts.append(
            Text("{who} owns the cube at {cube}.", who=name(Side.of(owner)), cube=cube)
            if owner
            else Text("Cube {cube}, centred.", cube=cube)
        )
    return JoinedText(*parts)


def side_note(state: Session, side: Side, now: int) -> str:
    """The note at a side's tray: the cube, if the side owns it, and its time."""
    owns = state.card.has_cube and state.score.owner is side
    cube = Text("cube {cube}", cube=state.score.cube) if owns else ""
    return JoinedText(cube, time_note(state, side, now), separator="   ")


def time_note(state: Session, side: Side, now: int) -> str:
    """The time of a side at `now`, in ms; empty where it is not measured."""
    clock = state.clock
    if clock.settings.kind is ClockKind.NONE:
        return ""
    runs = clock.running is side
    left = minutes(clock.bank(side, now))
    text = Text("runs {time}", time=left) if runs else Text("time {time}", time=left)
    free = clock.allowance - clock.elapsed(now) if runs else 0
    if free > 0 and clock.settings.kind is ClockKind.DELAY:
        return JoinedText(text, Text("+{n} s", n=-(-free // 1000)))
    return text


def minutes(milliseconds: int) -> FigureText:
    """A time as 1:05, the seconds rounded up, so that 0:00 means none."""
    seconds = -(-milliseconds // 1000)
    return FigureText(f"{seconds // 60}:{seconds % 60:02}")


def outcome(game: FinishedGame, state: Session) -> Text:
    """Return how a game ended and what it paid: "White wins 4 points (gammon, cube 2)"."""
    winner = game.result.winner
    if winner is None:
        return _LOCKED if game.reason == "locked" else Text("tie")
    kind = Text("drop") if game.reason == "drop" else Text(game.result.kind.replace("_", " "))
    parts = [] if game.reason == "settlement" else [kind]
    if state.card.has_cube:
        parts.append(Text("cube {cube}", cube=game.cube))
    if game.reason in _REASONS:
        parts.append(_REASONS[game.reason])
    how = JoinedText(*parts, separator=", ")
    return Text("{won} ({how})", won=won_text(winner, game.points, state.card.contest), how=how)


def won_text(winner: Side, points: int, contest: Contest) -> Text:
    """Return what a game paid: "White wins 4 points", or "White wins the game" where games are counted."""
    if contest is Contest.GAMES:
        return Text("{who} wins the game", who=name(winner))
    return Text("{who} wins {points}", who=name(winner), points=points_text(points))


def score_sheet(state: Session) -> Iterator[str]:
    """The finished games, one a line, with the score after each."""
    if not state.games:
        yield Text("No game is finished yet.")
        return
    white = black = 0
    yield Text("Game  White  Black  How")
    for number, game in enumerate(state.games, 1):
        white += game.points * (game.result.winner is Side.WHITE)
        black += game.points * (game.result.winner is Side.BLACK)
        yield JoinedText(f"{number:>4}  {white:>5}  {black:>5} ", outcome(game, state))


def verdict(state: Session) -> str:
    """Return how the match ended; empty while it goes on."""
    winner = state.winner
    if state.ending == "draw" and not state.score.is_money:
        return Text("The players agree on a draw. Score: {score}.", score=score(state))
    if state.ending == "draw":
        return Text("The players end it here. Score: {score}.", score=score(state))
    if winner is None:
        return ""
    if state.ending == "time":
        return Text(
            "The time of {loser} has run out: {winner} wins the match.",
            loser=name(winner.other),
            winner=name(winner),
        )
    best, other = state.score.score(winner), state.score.score(winner.other)
    return Text("{who} wins the match {best} to {other}.", who=name(winner), best=best, other=other)
