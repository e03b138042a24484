"""The score of a match as text: the line over the board, the notes beside it, the score sheet."""

from __future__ import annotations

from collections.abc import Iterator

from sheshbesh.cli.terminal.wording import name
from sheshbesh.match.card import Contest
from sheshbesh.match.timing import ClockKind
from sheshbesh.rules import Side
from sheshbesh.session import Session
from sheshbesh.session.state import FinishedGame

_REASONS = {"resignation": "resigned", "settlement": "settled", "drop": "a drop"}


def contest(state: Session) -> str:
    """What is played for: "Match to 7", "Best of 5", or nothing for games counted on and on."""
    length = state.card.length
    return {Contest.POINTS: f"Match to {length}", Contest.GAMES: f"Best of {length}"}.get(
        state.card.contest, ""
    )


def score(state: Session) -> str:
    """Both sides' points, or games won in a match of games."""
    return f"White {state.score.white}, Black {state.score.black}"


def headline(state: Session) -> str:
    """What stands over the board: length, score, Crawford and cube; empty if there is nothing to tell."""
    parts = []
    what = contest(state)
    if what or state.games:
        game = f"{what}, game {state.game_no}: " if what else "Score: "
        parts.append(f"{game}{score(state)}.")
    if state.score.crawford:
        parts.append("Crawford game: no cube.")
    elif state.card.has_cube:
        owner, cube = state.score.owner, state.score.cube
        parts.append(
            f"{name(Side.of(owner))} owns the cube at {cube}." if owner else f"Cube {cube}, centred."
        )
    return " ".join(parts)


def side_note(state: Session, side: Side, now: int) -> str:
    """The note at a side's tray: the cube, if the side owns it, and its time."""
    parts = []
    if state.card.has_cube and state.score.owner is side:
        parts.append(f"cube {state.score.cube}")
    if state.card.clock.kind is not ClockKind.NONE:
        parts.append(_time(state, side, now))
    return "   ".join(parts)


def _time(state: Session, side: Side, now: int) -> str:
    clock = state.clock
    runs = clock.running is side
    text = f"{'runs' if runs else 'time'} {minutes(clock.bank(side, now))}"
    free = clock.allowance - clock.elapsed(now) if runs else 0
    if free > 0 and clock.settings.kind is ClockKind.DELAY:
        text += f" +{-(-free // 1000)} s"
    return text


def minutes(milliseconds: int) -> str:
    """A time as 1:05, the seconds rounded up, so that 0:00 means none."""
    seconds = -(-milliseconds // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def outcome(game: FinishedGame, state: Session) -> str:
    """How a game ended and what it paid: "White wins 4 points (gammon, cube 2)"."""
    winner = game.result.winner
    if winner is None:
        return "tie"
    kind = "drop" if game.reason == "drop" else game.result.kind.replace("_", " ")
    parts = [] if game.reason == "settlement" else [kind]
    if state.card.has_cube:
        parts.append(f"cube {game.cube}")
    if game.reason in ("resignation", "settlement"):
        parts.append(_REASONS[game.reason])
    won = f"{game.points} point{'s' * (game.points != 1)}"
    if state.card.contest is Contest.GAMES:
        won = "the game"
    return f"{name(winner)} wins {won} ({', '.join(parts)})"


def score_sheet(state: Session) -> Iterator[str]:
    """The finished games, one a line, with the score after each."""
    if not state.games:
        yield "No game is finished yet."
        return
    white = black = 0
    yield "Game  White  Black  How"
    for number, game in enumerate(state.games, 1):
        white += game.points * (game.result.winner is Side.WHITE)
        black += game.points * (game.result.winner is Side.BLACK)
        yield f"{number:>4}  {white:>5}  {black:>5}  {outcome(game, state)}"


def verdict(state: Session) -> str:
    """How the match ended; empty while it goes on."""
    winner = state.winner
    if state.ending == "draw":
        return f"The players end it here. Score: {score(state)}."
    if winner is None:
        return ""
    if state.ending == "time":
        return f"The time of {name(winner.other)} has run out: {name(winner)} wins the match."
    best, other = state.score.score(winner), state.score.score(winner.other)
    return f"{name(winner)} wins the match {best} to {other}."
